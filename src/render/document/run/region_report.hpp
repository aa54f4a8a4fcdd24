// Everything that is known of one region, in words.
#pragma once

#include <optional>
#include <string>

#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"
#include "render/chart/style.hpp"

namespace ridge::render {

/// Source lines, time, bound and next bound, work, accesses, traffic per level with what its data
/// need at least, findings with their evidence, notes: each number with its unit, where it comes
/// from and, if sampled, its interval. `source`: the text of the region's file, if it can be read.
[[nodiscard]] std::string region_report(const Profile& profile, const Prediction& prediction,
                                        const Region& region,
                                        const std::optional<std::string>& source,
                                        const TextStyle& style);

}  // namespace ridge::render
