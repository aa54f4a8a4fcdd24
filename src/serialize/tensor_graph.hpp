// `ridge.tensor-graph/1`: what a reader of model files (`ridge-onnx`) hands to `ridge predict`.
#pragma once

#include <string>
#include <string_view>

#include "core/result.hpp"
#include "core/value/tensor_graph.hpp"

namespace ridge::serialize {

/// An attribute that is not finite is left out.
[[nodiscard]] std::string write_tensor_graph(const TensorGraph& graph);

/// Refuses, besides malformed values, places outside of the list of tensors and sizes beyond 2^53.
[[nodiscard]] Result<TensorGraph> parse_tensor_graph(std::string_view text,
                                                     std::string_view file_name);

}  // namespace ridge::serialize
