// What may have been meant by a name that does not exist.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridge::cli {

/// The least number of characters to insert, remove or replace (Levenshtein distance).
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// At most `most` of `names`: those that contain `wanted` (case aside) or begin like it first, then
/// those within two edits, or a third of its length; best first. Empty when nothing comes near.
[[nodiscard]] std::vector<std::string> nearest_names(std::string_view wanted,
                                                     const std::vector<std::string>& names,
                                                     std::size_t most = 4);

/// "Did you mean a, b or c? ", with a blank behind it, of at most three names; "" when nothing
/// comes near.
[[nodiscard]] std::string did_you_mean(std::string_view wanted,
                                       const std::vector<std::string>& names);

}  // namespace ridge::cli
