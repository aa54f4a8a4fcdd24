// What building and fusing layers share.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/value/network.hpp"
#include "core/value/tensor_graph.hpp"
#include "predict/network/count.hpp"

namespace ridge::predict {

/// Layers in the order of the nodes of their graph, and what fusing needs to know of them.
struct LayerParts {
  const TensorGraph* graph = nullptr;
  std::vector<NetworkLayer> layers;        ///< one per node
  std::vector<bool> constant;              ///< per tensor: the same at every run
  std::vector<std::optional<Count>> size;  ///< per tensor: byte at the precision asked for
};

/// Merges element-wise layers into their producers. The layers that are left, in order.
[[nodiscard]] std::vector<NetworkLayer> fused_layers(LayerParts parts);

}  // namespace ridge::predict
