// The roofline in a terminal.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"
#include "render/chart/chart.hpp"
#include "render/chart/style.hpp"

namespace ridge::render {

/// Braille lines and one mark per memory level; the outermost mark of a region is its rank in the
/// table. Plain characters without `unicode`. Ends with a line feed. `only`: ids of the regions to
/// show instead of the hottest.
[[nodiscard]] std::string roofline_chart(const Profile& profile, const Prediction& prediction,
                                         const TextStyle& style,
                                         const std::vector<std::uint32_t>& only = {},
                                         CountedWork work = CountedWork::flops);

/// Any chart. No line is longer than the style's columns; numbers that find no free cell are told
/// below it.
[[nodiscard]] std::string chart_text(const Chart& chart, const TextStyle& style);

/// The roofs of a machine alone: the lines are min(P_max, I b), the marks of the levels stand where
/// loops were measured.
[[nodiscard]] std::string roofs_chart(const Machine& machine, const TextStyle& style,
                                      CountedWork work = CountedWork::flops);

}  // namespace ridge::render
