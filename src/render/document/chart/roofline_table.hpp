// What a roofline chart shows, in a terminal.
#pragma once

#include <string>

#include "core/value/roofline_chart.hpp"
#include "render/chart/style.hpp"

namespace ridge::render {

/// The chart, then a row for each dot, a row for each line with its origin, and the notes.
[[nodiscard]] std::string roofline_text(const RooflineChart& chart, const TextStyle& style);

/// The notes alone, a line each: what a picture does not show and why. Empty without any.
[[nodiscard]] std::string roofline_notes(const RooflineChart& chart, const TextStyle& style);

}  // namespace ridge::render
