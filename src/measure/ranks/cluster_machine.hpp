// The roofs above the sum of ranks on several hosts. Pure.
#pragma once

#include "core/value/machine.hpp"

namespace ridge::measure {

/// `hosts` machines like this one, taken together: ceilings of compute and bandwidth, the threads
/// that they were measured with and the topology are those of all; latencies, caches and the rest
/// stay those of one. One host: the machine as it is.
[[nodiscard]] Machine cluster_machine(Machine machine, unsigned hosts);

/// Without anything that says how fast it is.
[[nodiscard]] Machine without_roofs(Machine machine);

}  // namespace ridge::measure
