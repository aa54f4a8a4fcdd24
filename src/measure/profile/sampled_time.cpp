#include "measure/profile/sampled_time.hpp"

#include <algorithm>

#include "core/quantity/estimate.hpp"

namespace ridge::measure {

std::optional<SampledTime> sampled_time(double seconds, std::uint64_t hits, std::uint64_t trials,
                                        double total_seconds) {
  if (trials == 0) {
    return std::nullopt;
  }
  const auto n = static_cast<double>(trials);
  const double share = static_cast<double>(std::min(hits, trials)) / n;
  const Interval interval = wilson_interval_80(share * n, n);
  // Samples stand for unequal times, so the interval of the share is scaled to this region's.
  const double scale = hits > 0 ? seconds / share : total_seconds;
  return SampledTime{Seconds(seconds), Seconds(interval.low * scale),
                     Seconds(interval.high * scale), hits};
}

SampledTime exact_time(double seconds, std::uint64_t samples) {
  return {Seconds(seconds), Seconds(seconds), Seconds(seconds), samples};
}

}  // namespace ridge::measure
