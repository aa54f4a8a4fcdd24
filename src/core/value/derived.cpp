#include "core/value/derived.hpp"

namespace ridge {

std::optional<Shortfall> shortfall_of(const MeasuredRoof& roof) {
  const RoofPoint* least = greatest_shortfall(roof);
  return least == nullptr ? std::nullopt
                          : std::optional(Shortfall{least->intensity, least->fraction});
}

std::optional<RegionImbalance> imbalance(const Region& region) {
  RegionImbalance both{work_imbalance(region.thread_work), cpu_imbalance(region.thread_work)};
  return both.work || both.cpu ? std::optional(both) : std::nullopt;
}

std::map<Level, FlopsPerByte> intensities(const Region& region) {
  std::map<Level, FlopsPerByte> by_level;
  for (const auto& [level, traffic] : region.traffic) {
    if (const auto value = intensity(region, level)) {
      by_level.emplace(level, *value);
    }
  }
  return by_level;
}

std::vector<Level> unbounded_levels(const Region& region) {
  std::vector<Level> levels;
  for (const auto& [level, traffic] : region.traffic) {
    if (known_work(region).total() > 0 && !intensity(region, level)) {
      levels.push_back(level);
    }
  }
  return levels;
}

}  // namespace ridge
