// The comparison of results that were read.
#pragma once

#include <vector>

#include "cli/common/result_file.hpp"
#include "core/value/comparison.hpp"

namespace ridge::cli {

/// What changed between results, oldest first; at least two.
[[nodiscard]] Comparison compare_results(const std::vector<StoredResult>& results);

}  // namespace ridge::cli
