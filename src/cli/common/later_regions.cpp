#include "cli/common/later_regions.hpp"

#include <algorithm>
#include <cstddef>

namespace ridge::cli {
namespace {

/// More than the chart marks and the table lists at first.
constexpr std::size_t kFirst = 250;
constexpr std::size_t kLeastRegions = 500;

Seconds own_time(const Region& region) {
  return region.time_seconds.self ? region.time_seconds.self->value : Seconds{};
}

bool stands_without_its_regions(const Profile& profile) {
  const Region* program = program_region(profile);
  return program != nullptr && known_work(*program).total() > 0 &&
         profile.program.wall_seconds > Seconds{};
}

}  // namespace

std::vector<bool> later_regions(const Profile& profile) {
  if (profile.regions.size() < kLeastRegions || !stands_without_its_regions(profile)) {
    return {};
  }
  std::vector<const Region*> timed;
  for (const Region& region : profile.regions) {
    if (!is_sum(region) && own_time(region) > Seconds{}) {
      timed.push_back(&region);
    }
  }
  // Stable, as the page ranks them: their numbers stay when the others come.
  std::ranges::stable_sort(timed, std::ranges::greater{},
                           [](const Region* region) { return own_time(*region); });
  timed.resize(std::min(timed.size(), kFirst));
  std::vector<bool> later(profile.regions.size(), true);
  for (const Region* region : timed) {
    later[static_cast<std::size_t>(region - profile.regions.data())] = false;
  }
  for (std::size_t i = 0; i < later.size(); ++i) {
    later[i] = later[i] && !is_sum(profile.regions[i]);
  }
  return later;
}

}  // namespace ridge::cli
