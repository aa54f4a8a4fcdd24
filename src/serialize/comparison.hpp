// Comparisons as JSON: `ridge.comparison/1` and `ridge.machine-comparison/1`.
#pragma once

#include <string>

#include "core/value/comparison.hpp"

namespace ridge::serialize {

[[nodiscard]] std::string write_comparison(const Comparison& comparison);

[[nodiscard]] std::string write_machine_comparison(const MachineComparison& comparison);

}  // namespace ridge::serialize
