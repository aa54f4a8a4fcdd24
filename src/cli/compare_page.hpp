// The interactive page over one result, or over several with their comparison.
#pragma once

#include <string>
#include <vector>

#include "cli/result_file.hpp"
#include "core/comparison.hpp"

namespace ridge::cli {

/// What changed between results, oldest first; at least two.
[[nodiscard]] Comparison compare_results(const std::vector<StoredResult>& results);

/// One HTML file. `comparison` is that of the results; null for one result.
[[nodiscard]] std::string results_page(const std::vector<StoredResult>& results,
                                       const Comparison* comparison);

}  // namespace ridge::cli
