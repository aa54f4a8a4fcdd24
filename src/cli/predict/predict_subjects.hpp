// What `ridge predict` can predict: one function per subject, each in a file of its own.
#pragma once

#include "cli/predict/predict_options.hpp"
#include "core/result.hpp"

namespace ridge::cli {

/// Every kernel of the catalogue with its parameters and formulas.
[[nodiscard]] Result<int> list_kernels(const PredictOptions& options);
/// Kernels of the catalogue on each machine.
[[nodiscard]] Result<int> predict_kernel(const PredictOptions& options);
/// Computations by their figures on each machine.
[[nodiscard]] Result<int> predict_computation(const PredictOptions& options);
/// An ONNX model, layer by layer, on each machine.
[[nodiscard]] Result<int> predict_network(const PredictOptions& options);

/// A measured program on each machine.
[[nodiscard]] Result<int> predict_result(const PredictOptions& options);

}  // namespace ridge::cli
