// `ridge.chart/1`: what a roofline chart shows.
#pragma once

#include <string>

#include "core/value/roofline_chart.hpp"

namespace ridge::serialize {

[[nodiscard]] std::string write_roofline_chart(const RooflineChart& chart);

}  // namespace ridge::serialize
