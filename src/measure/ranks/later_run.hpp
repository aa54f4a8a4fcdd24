// Another run of the same rank, laid beside its first. Pure.
#pragma once

#include "core/value/profile.hpp"

namespace ridge::measure {

/// The first run with traffic below L1 from one that simulated. Regions are joined by
/// match_regions(); by the work of both runs the traffic is scaled or dropped as between the runs
/// of one start (docs/contracts.md, section 5).
[[nodiscard]] Profile with_traffic_of(Profile first, const Profile& simulated);

/// The first run with work from one that counted. Errors are notes; a region that was not counted
/// has times alone, and one that no sample of the first run was in has work alone.
[[nodiscard]] Profile with_work_of(Profile first, const Profile& counted);

}  // namespace ridge::measure
