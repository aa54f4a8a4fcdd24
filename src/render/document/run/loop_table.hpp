// The loops of a program as a table in a terminal.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"
#include "render/chart/style.hpp"

namespace ridge::render {

/// Regions that make up 95 % of the time: those with work, then those without with their
/// bandwidths, then how many are left out. Narrow terminals lose columns in this order: intensity
/// at the middle levels from L2 outwards, % of the machine's roof, intensity at L1, flop/s,
/// speed-up, intensity at the outermost level, % of the code's roof. Empty profiles give one line
/// that says so. `only`: ids of the regions to show instead.
[[nodiscard]] std::string loop_table(const Profile& profile, const Prediction& prediction,
                                     const TextStyle& style,
                                     const std::vector<std::uint32_t>& only = {});

}  // namespace ridge::render
