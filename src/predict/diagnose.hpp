// The closing sentence: what binds the program, and what to look at next.
#pragma once

#include <optional>
#include <string>

#include "core/prediction.hpp"
#include "core/profile.hpp"

namespace ridge::predict {

/// How many times faster the program were if the region reached the roof of its code, all else
/// equal (Amdahl): T / (T - t + t * fraction), wall times. At or above its roof: 1. nullopt without
/// time or bound.
[[nodiscard]] std::optional<double> speedup_at_roof(const Region& region, const Profile& profile,
                                                    const RegionPrediction& prediction);

/// Prediction::summary: what binds most of the time (over the regions that make up 95 % of it), the
/// region with the most time to win, and its first finding (without any: what to try there).
/// `prediction.regions` must be in the order of `profile.regions`.
[[nodiscard]] std::string summarise(const Profile& profile, const Prediction& prediction);

}  // namespace ridge::predict
