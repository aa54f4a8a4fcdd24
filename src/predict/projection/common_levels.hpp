// Levels of the memory hierarchy whose bandwidths are known on two machines.
#pragma once

#include <set>

#include "core/value/machine.hpp"

namespace ridge::predict {

/// Levels that have a bandwidth ceiling of the host.
[[nodiscard]] std::set<Level> bounded_levels(const Machine& machine);

/// Without the bandwidth ceilings of other levels.
[[nodiscard]] Machine with_levels(Machine machine, const std::set<Level>& levels);

/// Cache levels that both machines bound, and the memory of one of them.
[[nodiscard]] std::set<Level> common_levels(const Machine& a, const Machine& b, Level memory);

}  // namespace ridge::predict
