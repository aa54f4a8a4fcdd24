// Machines held against each other, ceiling by ceiling.
#pragma once

#include <string>
#include <vector>

#include "core/value/comparison.hpp"
#include "core/value/machine.hpp"

namespace ridge::predict {

struct MachineToCompare {
  std::string label;  ///< unique
  const Machine* machine = nullptr;
};

/// At least two. Ratios are to the first machine that has the ceiling, p90 to p90 (of latencies low
/// to low); more than the spread = the 80 % intervals do not overlap.
[[nodiscard]] MachineComparison compare_machines(const std::vector<MachineToCompare>& machines);

}  // namespace ridge::predict
