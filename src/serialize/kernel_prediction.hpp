// `ridge.prediction/1`, `ridge.predictions/1` and `ridge.kernels/1`: kernels of the catalogue and
// computations by their figures on machines.
#pragma once

#include <string>
#include <vector>

#include "core/value/kernel_prediction.hpp"

namespace ridge::serialize {

[[nodiscard]] std::string write_kernel_prediction(const KernelPrediction& prediction);

/// {"schema": "ridge.predictions/1", "predictions": [...]}: each a ridge.prediction/1.
[[nodiscard]] std::string write_kernel_predictions(
    const std::vector<KernelPrediction>& predictions);

/// {"schema": "ridge.kernels/1", "kernels": [...]}
[[nodiscard]] std::string write_kernels(const std::vector<KernelText>& kernels);

}  // namespace ridge::serialize
