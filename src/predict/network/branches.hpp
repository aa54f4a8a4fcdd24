// Which of the branches of a conditional are counted.
#pragma once

#include <vector>

#include "core/value/network.hpp"
#include "core/value/tensor_graph.hpp"

namespace ridge::predict {

enum class Branch { dearer, cheaper };

/// For each node of the graph, with its layer in the same place: whether it runs if of every
/// conditional the dearer (the cheaper) branch is taken. Dear is what has more operations, of as
/// many what moves more bytes; what is not known of a layer counts nothing.
[[nodiscard]] std::vector<bool> nodes_that_run(const TensorGraph& graph,
                                               const std::vector<NetworkLayer>& layers,
                                               Branch branch);

}  // namespace ridge::predict
