// The caches of a machine as the simulation takes them, and the boundaries that it counts at.
#pragma once

#include <cstdint>
#include <vector>

#include "abi/layout.h"
#include "core/value/caches_elsewhere.hpp"
#include "core/value/machine.hpp"

namespace ridge::measure {

/// The geometry that the cache simulation shall have. `placement[n]` is the core of the n-th
/// thread; empty = one after the other.
[[nodiscard]] ridge_cache_config cache_config(const Machine& machine,
                                              const std::vector<std::uint32_t>& placement);

/// Boundaries below each simulated cache: {L2, L3, DRAM}.
[[nodiscard]] std::vector<Level> boundaries_of(const Machine& machine);
[[nodiscard]] std::vector<Level> boundaries_of(const CachesElsewhere& elsewhere);
/// Of the boundaries of a machine, whether its cores have different caches above it: then traffic
/// there depends on which core did the work.
[[nodiscard]] std::vector<bool> boundaries_of_cores(const Machine& machine);

/// Of another machine.
[[nodiscard]] ridge_cache_levels simulated_levels(const CachesElsewhere& elsewhere);

}  // namespace ridge::measure
