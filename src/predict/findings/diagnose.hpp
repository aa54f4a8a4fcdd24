// The closing sentence: what binds the program, and what to look at next.
#pragma once

#include <optional>
#include <string>

#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"

namespace ridge::predict {

/// How many times as fast the program of so many seconds (undisturbed_seconds) were if the region
/// reached the roof of its code, all else equal (Amdahl): T / (T - t + t * fraction). At or above
/// its roof: 1. nullopt without time or bound, and where the verdict is not that of a roof.
[[nodiscard]] std::optional<double> speedup_at_roof(const Region& region, double program_seconds,
                                                    const RegionPrediction& prediction);

/// Prediction::summary: first that the machine was busy, if it was; what binds most of the time
/// (over the regions that make up 95 % of it), the region with the most time to win, and its first
/// finding (without any: what to try there). `prediction.regions` must be in the order of
/// `profile.regions`.
[[nodiscard]] std::string summarise(const Profile& profile, const Prediction& prediction);

/// Prediction::verdict: summarise without advice and remarks.
[[nodiscard]] std::string program_verdict(const Profile& profile, const Prediction& prediction);

}  // namespace ridge::predict
