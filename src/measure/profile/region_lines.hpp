// What the simulation saw of a region's cache lines, in the terms of core.
#pragma once

#include "abi/layout.h"
#include "core/value/machine.hpp"
#include "core/value/profile.hpp"

namespace ridge::measure {

/// a += b, member by member.
void add_lines(ridge_region_lines& a, const ridge_region_lines& b);

/// Writes line_use, miss_curve and sharing, each only if enough was seen. The curve is that of the
/// sample, scaled to the bytes that the region read from below the first level: `region` has its
/// traffic already. `accesses`: of the region while all lines were simulated.
void set_lines(Region& region, const ridge_region_lines& lines, std::uint64_t accesses,
               const Machine& machine);

}  // namespace ridge::measure
