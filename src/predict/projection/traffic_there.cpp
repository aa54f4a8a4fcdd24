#include "predict/projection/traffic_there.hpp"

#include <utility>
#include <vector>

#include "predict/roof/memory.hpp"

namespace ridge::predict {
namespace {

/// Empty: unknown.
std::vector<Cache> caches_of(const ProjectionTarget& target) {
  if (target.machine.measured) {
    return shared_by_cores(target.machine.measured->caches);
  }
  return target.caches ? target.caches->caches : std::vector<Cache>();
}

/// The traffic of a region by level, and which of the levels is the memory.
std::pair<const TrafficByLevel&, Level> traffic_of(const Region& region,
                                                   const TrafficSource& source) {
  if (source.elsewhere != nullptr) {
    const auto found = region.traffic_elsewhere.find(source.elsewhere->name);
    if (found != region.traffic_elsewhere.end()) {
      return {found->second, source.elsewhere->memory};
    }
  }
  return {region.traffic, source.memory_here};
}

}  // namespace

TrafficSource traffic_source(const Profile& profile, const ProjectionTarget& target) {
  TrafficSource source{.memory_here = memory_level(profile.machine)};
  const std::vector<Cache> there = caches_of(target);
  if (there.empty()) {
    return source;
  }
  source.simulated = same_caches(shared_by_cores(profile.machine.caches), there);
  for (const CachesElsewhere& caches : profile.caches_elsewhere) {
    if (!source.simulated && same_caches(caches.caches, there)) {
      source.simulated = true;
      source.elsewhere = &caches;
    }
  }
  return source;
}

bool is_simulated(const Region& region, const TrafficSource& source) {
  return source.simulated &&
         (source.elsewhere == nullptr || region.traffic_elsewhere.contains(source.elsewhere->name));
}

Region region_there(const Region& region, const TrafficSource& source, unsigned cores,
                    Level memory_there) {
  Region there = region;
  there.threads = cores;
  there.traffic.clear();
  const auto [levels, own_memory] = traffic_of(region, source);
  for (const auto& [level, traffic] : levels) {
    there.traffic[level == own_memory ? memory_there : level] = traffic;
  }
  if (const auto l1 = region.traffic.find(Level::L1); l1 != region.traffic.end()) {
    there.traffic[Level::L1] = l1->second;
  }
  return there;
}

}  // namespace ridge::predict
