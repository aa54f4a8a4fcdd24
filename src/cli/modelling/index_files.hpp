// Contents of index arrays, for loops whose addresses are read from memory.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace ridge::cli {

using IndexContents = std::map<std::string, std::vector<std::int64_t>>;  ///< by array

/// Whole numbers with blanks or line ends between them. `name` for messages. Errors: `bad_input`
/// with the line of what is no such number, or where there is none at all.
[[nodiscard]] Result<std::vector<std::int64_t>> parse_indices(std::string_view text,
                                                              const std::string& name);

/// `files`: by array. Errors: `bad_input`.
[[nodiscard]] Result<IndexContents> read_index_files(
    const std::map<std::string, std::string>& files);

}  // namespace ridge::cli
