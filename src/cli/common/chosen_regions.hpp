// Which regions the words of a person mean.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/common/result_file.hpp"
#include "core/result.hpp"

namespace ridge::cli {

/// Ids of all regions that the words fit: numbers of the table, names, files ("heat2d.cpp",
/// "heat2d.cpp:42"). Error (usage): a word that fits none; the hint lists those of the table.
[[nodiscard]] Result<std::vector<std::uint32_t>> chosen_regions(
    const StoredResult& result, const std::vector<std::string>& words);

}  // namespace ridge::cli
