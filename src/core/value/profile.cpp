#include "core/value/profile.hpp"

#include <algorithm>

namespace ridge {

std::vector<Level> levels_of(const Profile& profile) {
  std::vector<Level> levels = levels_of(profile.machine);
  const auto add = [&](Level level) {
    if (std::find(levels.begin(), levels.end(), level) == levels.end()) {
      levels.push_back(level);
    }
  };
  for (const MemoryNode& memory : profile.machine.memories) {
    add(memory.level);
  }
  for (const Region& region : profile.regions) {
    for (const auto& [level, traffic] : region.traffic) {
      add(level);
    }
  }
  return levels;
}

const Origins& origins_of(const Region& region, const Profile& profile) {
  return region.origins ? *region.origins : profile.origins;
}

Origin traffic_origin(const Region& region, const Profile& profile, Level level) {
  const auto own = region.traffic_origins.find(level);
  return own != region.traffic_origins.end() ? own->second : origins_of(region, profile).traffic;
}

std::optional<Interval> unattributed_interval(const Profile& profile) {
  const Region* program = program_region(profile);
  const auto& time = program != nullptr ? program->time_seconds.self : std::nullopt;
  if (!time || time->samples == 0) {
    return std::nullopt;
  }
  const auto samples = static_cast<double>(time->samples);
  return wilson_interval_80(std::clamp(profile.time.unattributed_fraction, 0.0, 1.0) * samples,
                            samples);
}

const Region* program_region(const Profile& profile) {
  const auto found =
      std::find_if(profile.regions.begin(), profile.regions.end(),
                   [](const Region& region) { return region.kind == RegionKind::program; });
  return found == profile.regions.end() ? nullptr : &*found;
}

}  // namespace ridge
