// A roofline chart as one page without scripts.
#pragma once

#include <string>

#include "core/value/roofline_chart.hpp"

namespace ridge::render {

/// One HTML file that loads nothing: the picture, a row for each dot, each line with its origin and
/// each band of the spectrum, then the notes. Whatever names hold stays text.
[[nodiscard]] std::string roofline_page(const RooflineChart& chart, bool powers_of_two = false);

}  // namespace ridge::render
