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

double share_of_program(const Region& region) {
  return region.share_seconds ? std::max(region.share_seconds->value(), 0.0) : self_seconds(region);
}

double judged_share(const Region& region) {
  const double wall = self_seconds(region);
  if (!region.share_seconds || wall <= 0.0) {
    return judged_seconds(region);
  }
  return share_of_program(region) * std::min(1.0, judged_seconds(region) / wall);
}

namespace {

bool has_shares(const Profile& profile) {
  return std::any_of(profile.regions.begin(), profile.regions.end(),
                     [](const Region& region) { return region.share_seconds.has_value(); });
}

/// Sums over regions at work.
struct Sums {
  double measured = 0.0;
  double judged = 0.0;
  double longest = 0.0;
};

Sums sums_of(const Profile& profile) {
  Sums sums;
  for (const Region& region : profile.regions) {
    if (!is_sum(region) && !is_waiting(region)) {
      const double judged = judged_share(region);
      sums.measured += share_of_program(region);
      sums.judged += judged;
      sums.longest = std::max(sums.longest, judged);
    }
  }
  return sums;
}

}  // namespace

double undisturbed_seconds(const Profile& profile) {
  const double seconds = program_seconds(profile);
  const auto [measured, judged, longest] = sums_of(profile);
  // Regions that run at the same time wait at the same time.
  const double left =
      measured > seconds ? seconds * judged / measured : seconds - (measured - judged);
  return std::max(left, longest);
}

std::optional<double> seconds_in_turn(const Profile& profile) {
  constexpr double kRounding = 1.05;  // sampled times
  const double total = undisturbed_seconds(profile);
  const double sum = sums_of(profile).judged;
  const bool in_turn = has_shares(profile) || sum <= kRounding * total;
  return total > 0.0 && in_turn ? std::optional(std::max(total, sum)) : std::nullopt;
}

std::optional<double> speedup_of(double total, double saved) {
  const double left = total - saved;
  return left > 0.0 ? std::optional(total / left) : std::nullopt;
}

}  // namespace ridge::predict
