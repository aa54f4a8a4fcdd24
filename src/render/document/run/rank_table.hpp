// How the hottest regions of a parallel program spread over its ranks.
#pragma once

#include <string>

#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"
#include "render/chart/style.hpp"

namespace ridge::render {

/// Least, median and most time of each region, on which ranks, and how far the slowest is above the
/// mean; in front of it who ran where. Empty where the program has no ranks.
[[nodiscard]] std::string rank_table(const Profile& profile, const Prediction& prediction,
                                     const TextStyle& style);

/// How one region spreads: a row for each figure, then one for each rank, the slowest first of
/// many. Empty without ranks.
[[nodiscard]] std::string region_ranks_text(const Region& region, const TextStyle& style);

/// "4 ranks on 2 machines", "3 of 4 ranks (lost: 2)".
[[nodiscard]] std::string ranks_line(const ParallelRun& run);

}  // namespace ridge::render
