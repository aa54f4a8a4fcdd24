// Products that a model writes with their quantisation around them.
#pragma once

#include "core/value/tensor_graph.hpp"

namespace ridge::predict {

/// Conv, MatMul and Gemm whose operands come from DequantizeLinear and whose result goes to
/// QuantizeLinear alone, Relu or Clip between them or not, as QLinearConv, QLinearMatMul and QGemm:
/// the same operator written out, which runtimes run in integers. What nobody else reads of the
/// pairs is dropped.
struct Folded {
  TensorGraph graph;
  std::uint64_t products = 0;  ///< that were folded
};
[[nodiscard]] Folded fold_quantised(const TensorGraph& graph);

}  // namespace ridge::predict
