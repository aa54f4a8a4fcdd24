// Traffic that depends on how the threads of a program happened to take turns.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/value/profile.hpp"
#include "measure/instrumented/regions.hpp"
#include "measure/instrumented/traffic.hpp"

namespace ridge::measure {

/// Whether the program divided its work while it ran: the simulated run saw that it does (dynamic
/// schedules, tasks, locks), or its threads did other shares of a region in the two runs.
[[nodiscard]] bool depends_on_order(const RegionTable& first, const SecondRun& second);

/// Traffic with tasks on other cores.
struct PlacedTasks {
  std::vector<TrafficByLevel> traffic;  ///< one for each placement
  /// By level, bytes that the region may have left in the caches of its cores when the first task
  /// began. The placements begin with empty ones: whether these bytes are written back in a task is
  /// not known.
  std::map<Level, std::uint64_t> left_in_caches;
};

/// Gives each simulated level the interval that such runs keep to (docs/decisions/0128): a tenth to
/// both sides; of a level that `placed` has, around all its values and with a quarter of what lies
/// between them, and what was left in the caches.
void set_traffic_intervals(Region& region, const PlacedTasks& placed = {});

}  // namespace ridge::measure
