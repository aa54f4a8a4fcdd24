// Levels of the memory hierarchy whose bandwidths are known on two machines.
#pragma once

#include <set>
#include <string>

#include "core/value/machine.hpp"

namespace ridge::predict {

/// Levels that have a bandwidth ceiling of the host.
[[nodiscard]] std::set<std::string> bounded_levels(const Machine& machine);

/// Without the bandwidth ceilings of other levels.
[[nodiscard]] Machine with_levels(Machine machine, const std::set<std::string>& levels);

/// Cache levels that both machines bound, and the memory of one of them.
[[nodiscard]] std::set<std::string> common_levels(const Machine& a, const Machine& b,
                                                  const std::string& memory);

}  // namespace ridge::predict
