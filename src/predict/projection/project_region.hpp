// One region on another machine: its time at the roof there, and as far from it as here. Pure.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "core/value/machine.hpp"
#include "core/value/projection.hpp"
#include "core/value/region.hpp"
#include "predict/projection/traffic_there.hpp"

namespace ridge::predict {

/// A machine as the roof rule takes it.
struct RatedMachine {
  const Machine& machine;
  const Microarchitecture* pipes = nullptr;  ///< of its cores; null: unknown
  bool published = false;                    ///< its ceilings are published figures
};

/// Measured wall time of the region itself, s; 0 where there is none.
[[nodiscard]] double seconds_of(const Region& region);

/// Of levels ("DRAM") and "compute": seconds that each entry of a loop pays beside its amount over
/// the rate, as lambda in T = W / R + lambda.
using Latencies = std::map<std::string, double, std::less<>>;

/// `region`: as measured on `here`, with time. `there`: with ceilings for `cores` threads. A result
/// without times says in `missing` why. The interval is from the shorter to the longer of both
/// times.
[[nodiscard]] ProjectedRegion project_region(const Region& region, const TrafficSource& traffic,
                                             unsigned cores, const RatedMachine& here,
                                             const RatedMachine& there,
                                             const Latencies& latencies = {});

}  // namespace ridge::predict
