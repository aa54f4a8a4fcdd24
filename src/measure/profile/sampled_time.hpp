// From samples to a time with its interval.
#pragma once

#include <cstdint>
#include <optional>

#include "core/value/thread_work.hpp"

namespace ridge::measure {

/// `seconds` seen in `hits` of `trials` samples, which together stand for `total_seconds`. The 80 %
/// interval is Wilson's. nullopt without samples: a program that ended before the first one.
[[nodiscard]] std::optional<SampledTime> sampled_time(double seconds, std::uint64_t hits,
                                                      std::uint64_t trials, double total_seconds);

/// A time that was read from a clock rather than sampled.
[[nodiscard]] SampledTime exact_time(double seconds, std::uint64_t samples);

}  // namespace ridge::measure
