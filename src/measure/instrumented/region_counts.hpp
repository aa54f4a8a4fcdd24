// Counts of a process in the form of a profile.
#pragma once

#include "core/value/profile.hpp"
#include "measure/instrumented/counts.hpp"
#include "measure/instrumented/regions.hpp"

namespace ridge::measure {

/// Its bytes are unknown, not none: of a library only copies (memcpy and the like) are counted.
[[nodiscard]] bool is_uncounted_library(RegionKind kind, const Counts& counts);

/// Counts in the form of core, without names of kinds that a region does not have.
void set_counts(Region& region, const Counts& counts);

/// Without id, parent, times and traffic beyond L1.
[[nodiscard]] Region to_region(const MergedRegion& merged);

}  // namespace ridge::measure
