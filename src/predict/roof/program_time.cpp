#include "predict/roof/program_time.hpp"

#include <algorithm>

#include "predict/roof/judged_time.hpp"

namespace ridge::predict {

double self_seconds(const Region& region) {
  const auto& time = region.time_seconds.self;
  return time ? std::max(time->value.value(), 0.0) : 0.0;
}

double program_seconds(const Profile& profile) {
  if (profile.program.wall_seconds > Seconds(0.0)) {
    return profile.program.wall_seconds.value();
  }
  const Region* program = program_region(profile);
  if (program != nullptr && program->time_seconds.inclusive) {
    return program->time_seconds.inclusive->value.value();
  }
  return std::max(profile.time.sampled_seconds.value(), 0.0);
}

double undisturbed_seconds(const Profile& profile) {
  const double seconds = program_seconds(profile);
  double measured = 0.0;
  double judged = 0.0;
  double longest = 0.0;
  for (const Region& region : profile.regions) {
    if (region.kind != RegionKind::program && !is_waiting(region)) {
      measured += self_seconds(region);
      judged += judged_seconds(region);
      longest = std::max(longest, judged_seconds(region));
    }
  }
  // Regions that run at the same time wait at the same time.
  const double left =
      measured > seconds ? seconds * judged / measured : seconds - (measured - judged);
  return std::max(left, longest);
}

std::optional<double> seconds_in_turn(const Profile& profile) {
  constexpr double kRounding = 1.05;  // sampled times
  const double total = undisturbed_seconds(profile);
  double sum = 0.0;
  for (const Region& region : profile.regions) {
    const bool counts = region.kind != RegionKind::program && !is_waiting(region);
    sum += counts ? judged_seconds(region) : 0.0;
  }
  return total > 0.0 && sum <= kRounding * total ? std::optional(std::max(total, sum))
                                                 : std::nullopt;
}

std::optional<double> speedup_of(double total, double saved) {
  const double left = total - saved;
  return left > 0.0 ? std::optional(total / left) : std::nullopt;
}

}  // namespace ridge::predict
