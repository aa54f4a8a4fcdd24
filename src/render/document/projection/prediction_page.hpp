// Predictions of kernels and computations as one page without scripts.
#pragma once

#include <string>
#include <vector>

#include "core/value/kernel_prediction.hpp"

namespace ridge::render {

/// One HTML file that loads nothing: the picture of `drawn` (prediction_chart.hpp), a row for each
/// computation on each machine, one for each of its resources with the origin of its rate, and the
/// notes of `predictions`. Whatever names hold stays text.
[[nodiscard]] std::string prediction_page(const std::vector<KernelPrediction>& predictions,
                                          const std::vector<KernelPrediction>& drawn);

}  // namespace ridge::render
