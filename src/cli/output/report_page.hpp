// The interactive page over results: what the template of web/ shows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/common/result_file.hpp"
#include "core/value/comparison.hpp"
#include "core/value/machine.hpp"

namespace ridge::cli {

/// One HTML file. `machines` are further ones, whose roofs can be overlaid; without results they
/// stand alone. Source lines are taken from files that can be read now (source_excerpts.hpp).
[[nodiscard]] std::string report_page(const std::vector<StoredResult>& results,
                                      const std::vector<Machine>& machines = {},
                                      const std::optional<Comparison>& comparison = std::nullopt);

}  // namespace ridge::cli
