// The loops of a program as a table in a terminal.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"
#include "render/chart/counted_work.hpp"
#include "render/chart/style.hpp"

namespace ridge::render {

/// Regions that make up 95 % of the time in one table, most time first: with their flop/s (what
/// does next to no flops: byte/s) and their intensity at the level that binds; then which columns
/// and how many regions are left out. Narrow terminals lose columns in this order: intensity at all
/// levels, the middle ones first, % of the machine's roof, the rate, gain, % of the code's roof.
/// Empty profiles give one line that says so. `only`: ids of the regions to show instead. Of
/// integer operations without bounds, which the roof rule has of flops and bytes alone.
[[nodiscard]] std::string loop_table(const Profile& profile, const Prediction& prediction,
                                     const TextStyle& style,
                                     const std::vector<std::uint32_t>& only = {},
                                     CountedWork work = CountedWork::flops);

}  // namespace ridge::render
