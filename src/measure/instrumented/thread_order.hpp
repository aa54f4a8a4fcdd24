// Traffic that depends on how the threads of a program happened to take turns.
#pragma once

#include <vector>

#include "core/profile.hpp"
#include "measure/instrumented/regions.hpp"
#include "measure/instrumented/traffic.hpp"

namespace ridge::measure {

/// Whether the program divided its work while it ran: the simulated run saw that it does (dynamic
/// schedules, tasks, locks), or its threads did other shares of a region in the two runs.
[[nodiscard]] bool depends_on_order(const RegionTable& first, const SecondRun& second);

/// Gives each simulated level the interval that such runs keep to (docs/decisions/0128): a tenth to
/// both sides; of a level that `placed` has, around all its values and with a quarter of what lies
/// between them.
void set_traffic_intervals(Region& region, const std::vector<TrafficByLevel>& placed = {});

}  // namespace ridge::measure
