// What no order of execution can beat: the work of ports, and chains from one pass to the next.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analyze/in_core/micro_operations.hpp"

namespace ridge::analyze {

/// Cycles that the operations of one pass, and `besides`, keep each of so many units busy where
/// they are spread as evenly as their choices allow.
[[nodiscard]] std::vector<double> unit_cycles(std::span<const MicroOperation> operations,
                                              std::size_t units,
                                              std::span<const Demand> besides = {});

/// Cycles from one pass to the next along the longest chain of waits: the greatest mean over the
/// cycles of the graph. 0: no chain.
[[nodiscard]] double chain_cycles(std::span<const MicroOperation> operations);

/// Cycles of one pass for which the divider takes no other.
[[nodiscard]] double divider_cycles(std::span<const MicroOperation> operations);

}  // namespace ridge::analyze
