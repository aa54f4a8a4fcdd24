// Several results in one chart: a mark for each result, a line from each loop to itself.
#pragma once

#include <span>

#include "render/chart/chart.hpp"
#include "render/document/run/labelled_result.hpp"

namespace ridge::render {

/// As many results as there are marks.
inline constexpr std::size_t kMostResults = 7;

/// Each loop has a dot for each result that has it (equal names; of several the hottest first), at
/// the intensity of the outermost level, and one number. Equal roofs are drawn once; else each
/// result brings the roof of its memory and its peak, in its own colour.
[[nodiscard]] Chart chart_of(std::span<const LabelledResult> results,
                             CountedWork work = CountedWork::flops);

}  // namespace ridge::render
