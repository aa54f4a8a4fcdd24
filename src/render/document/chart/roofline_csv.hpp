// Lines and dots of a roofline chart as CSV.
#pragma once

#include <string>

#include "core/value/roofline_chart.hpp"

namespace ridge::render {

/// A row for each dot and, after them, each line of a machine; base units. Of a line `performance`
/// is its rate where it is a compute rate, else `bandwidth` is.
[[nodiscard]] std::string roofline_csv(const RooflineChart& chart);

}  // namespace ridge::render
