// From a graph of operators to layers with their work and least traffic.
#pragma once

#include <string>

#include "core/result.hpp"
#include "core/value/network.hpp"
#include "core/value/tensor_graph.hpp"

namespace ridge::predict {

struct NetworkOptions {
  /// "fp64", "fp32", "tf32", "fp16", "bf16", "fp8": every floating-point tensor and its arithmetic
  /// is priced at it. Empty: as the file has them. Integers stay as they are.
  std::string precision;
  /// Element-wise layers run inside the layer that makes their input, where nothing else needs it.
  bool fuse = false;
};

/// Errors: `usage` for what is neither empty nor a floating-point precision.
[[nodiscard]] Result<void> check_network_precision(const std::string& precision);

/// Work: the formulas of the table of operators. Traffic: every tensor that a layer reads or writes
/// once. Errors: those of check_network_precision; `bad_input` with the layer
/// where a count is beyond 2^53 or a view changes the number of elements.
[[nodiscard]] Result<Network> layers_of(const TensorGraph& graph, const NetworkOptions& options);

}  // namespace ridge::predict
