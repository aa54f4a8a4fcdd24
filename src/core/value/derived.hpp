// What follows from one value alone: written into files for their readers, recomputed by Ridge.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/identity/level.hpp"
#include "core/quantity/units.hpp"
#include "core/value/machine.hpp"
#include "core/value/region.hpp"
#include "core/value/thread_work.hpp"

namespace ridge {

/// Of a measured roof: the point that falls furthest below its ceilings.
struct Shortfall {
  FlopsPerByte intensity{};
  double fraction = 0.0;
};

/// nullopt without points.
[[nodiscard]] std::optional<Shortfall> shortfall_of(const MeasuredRoof& roof);

struct RegionImbalance {
  std::optional<Imbalance> work;
  std::optional<Imbalance> cpu;
};

/// Of the work and of the CPU time of Region::thread_work; nullopt where neither is known.
[[nodiscard]] std::optional<RegionImbalance> imbalance(const Region& region);

/// Flop per byte at each level with traffic.
[[nodiscard]] std::map<Level, FlopsPerByte> intensities(const Region& region);

/// Levels that the region's work does not cross: no traffic there bounds it.
[[nodiscard]] std::vector<Level> unbounded_levels(const Region& region);

}  // namespace ridge
