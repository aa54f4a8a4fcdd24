// The cells of modelled loops, for every format.
#pragma once

#include <vector>

#include "core/value/loop_model.hpp"
#include "render/format/html/static_page.hpp"

namespace ridge::render {

/// Layer conditions, and traffic by each method; those without rows are left out.
[[nodiscard]] std::vector<PageTable> traffic_tables(const LoopModel& model);

/// The limits of the roofline, the ECM model with data in each level, performance by cores; those
/// without rows are left out.
[[nodiscard]] std::vector<PageTable> prediction_tables(const LoopModel& model,
                                                       const LoopPrediction& prediction);

}  // namespace ridge::render
