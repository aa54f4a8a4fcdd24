// A region as it would run on another machine: with the traffic of the caches there where they were
// simulated, else with that of the caches here. Pure.
#pragma once

#include "core/value/caches_elsewhere.hpp"
#include "core/value/profile.hpp"
#include "predict/projection/project.hpp"

namespace ridge::predict {

/// Whose caches filtered the traffic that stands for one on a machine.
struct TrafficSource {
  bool simulated = false;  ///< the caches there: they are those here, or were simulated beside them
  /// That were simulated beside those here, in the profile; null: the caches here.
  const CachesElsewhere* elsewhere = nullptr;
  Level memory_here = Level::DRAM;
};

/// Points into `profile`.
[[nodiscard]] TrafficSource traffic_source(const Profile& profile, const ProjectionTarget& target);

/// Whether the traffic of this region is that of the caches there.
[[nodiscard]] bool is_simulated(const Region& region, const TrafficSource& source);

/// The region with `cores` threads and the traffic of `source`; the level that is the memory is
/// called `memory_there`. Between registers and L1 the traffic is that of the code.
[[nodiscard]] Region region_there(const Region& region, const TrafficSource& source, unsigned cores,
                                  Level memory_there);

}  // namespace ridge::predict
