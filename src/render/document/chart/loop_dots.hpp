// Measured loops as dots of a roofline chart.
#pragma once

#include <string>
#include <vector>

#include "core/value/roofline_chart.hpp"
#include "render/document/run/labelled_result.hpp"

namespace ridge::render {

/// The hot loops of a result that have work, time and traffic, each at its outermost level among
/// `levels` (empty: all, or memories alone), hottest first. `prefix` stands before their names.
[[nodiscard]] std::vector<RooflineDot> loop_dots(const LabelledResult& result,
                                                 const std::string& prefix,
                                                 const std::vector<Level>& levels,
                                                 bool memory_only = false);

/// That most work of the program is done in: "fp64".
[[nodiscard]] std::string main_precision_of(const LabelledResult& result);

}  // namespace ridge::render
