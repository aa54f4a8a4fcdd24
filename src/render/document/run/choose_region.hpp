// Which region a person means.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/value/profile.hpp"
#include "render/chart/selection.hpp"

namespace ridge::render {

/// Regions that `words` may mean, those of the table first: the one with this number in the table;
/// else those whose name, function or place ("file.cpp:42") is exactly this; else those that
/// contain it. Empty: nothing fits.
[[nodiscard]] std::vector<const Region*> choose_regions(const Profile& profile,
                                                        const Selection& selection,
                                                        std::string_view words);

/// One line for each: number in the table ("-" for regions that are not in it), name, place. For
/// the message that `words` are unknown (then of all regions of the table) or ambiguous.
[[nodiscard]] std::string candidate_list(const Selection& selection,
                                         const std::vector<const Region*>& regions, bool unicode);

}  // namespace ridge::render
