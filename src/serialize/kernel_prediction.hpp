// `ridge.prediction/1` and `ridge.kernels/1`: predictions for kernels of the catalogue.
#pragma once

#include <string>
#include <vector>

#include "core/value/kernel_prediction.hpp"

namespace ridge::serialize {

[[nodiscard]] std::string write_kernel_prediction(const KernelPrediction& prediction);

/// {"schema": "ridge.kernels/1", "kernels": [...]}
[[nodiscard]] std::string write_kernels(const std::vector<KernelText>& kernels);

}  // namespace ridge::serialize
