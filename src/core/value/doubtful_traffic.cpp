#include "core/value/doubtful_traffic.hpp"

#include <algorithm>

namespace ridge {
namespace {

bool has_note(const Region& region, std::string_view code) {
  return std::any_of(region.notes.begin(), region.notes.end(),
                     [&](const Note& note) { return note.code == code; });
}

bool is_cache(const Machine& machine, Level level) {
  return std::any_of(machine.caches.begin(), machine.caches.end(),
                     [&](const Cache& cache) { return cache.level == level; });
}

bool is_sum_doubtful(const Profile& profile, Level level, double sum) {
  constexpr double kMatters = 0.01;
  bool any = false;
  double doubtful = 0.0;
  for (const Region& part : profile.regions) {
    if (!is_sum(part) && is_traffic_doubtful(part, profile.machine, level)) {
      any = true;
      doubtful += static_cast<double>(part.traffic.at(level).total());
    }
  }
  return any && doubtful >= kMatters * sum;
}

}  // namespace

bool is_traffic_doubtful(const Region& region, const Machine& machine, Level level) {
  const auto found = region.traffic.find(level);
  if (region.traffic_mode != TrafficMode::sampled || level == Level::L1 ||
      found == region.traffic.end()) {
    return false;
  }
  const auto origin = region.traffic_origins.find(found->first);
  if (origin != region.traffic_origins.end() && origin->second != Origin::simulated) {
    return false;
  }
  const bool unbounded = found->second.total() == 0 && known_work(region).total() > 0;
  return unbounded || has_note(region, "sampled-uneven") || has_note(region, "sampled-unproven") ||
         (!is_cache(machine, level) && has_note(region, "sampled-edge"));
}

std::vector<Level> levels_of_doubtful_traffic(const Region& region, const Profile& profile) {
  std::vector<Level> levels;
  for (const auto& [level, traffic] : region.traffic) {
    const bool sum = region.kind == RegionKind::program &&
                     is_sum_doubtful(profile, level, static_cast<double>(traffic.total()));
    if (sum || is_traffic_doubtful(region, profile.machine, level)) {
      levels.push_back(level);
    }
  }
  return levels;
}

}  // namespace ridge
