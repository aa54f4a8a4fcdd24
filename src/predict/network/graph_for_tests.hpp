// Graphs that the tests write down tensor by tensor.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/value/tensor_graph.hpp"

namespace ridge::predict {

using Shape = std::vector<std::uint64_t>;

struct GraphBuilder {
  TensorGraph graph{.name = "test", .opset = 17};

  std::uint32_t tensor(const std::string& name, TensorRole role, std::optional<Shape> shape,
                       const std::string& type = "fp32") {
    graph.tensors.push_back({name, role, type, std::move(shape)});
    return static_cast<std::uint32_t>(graph.tensors.size() - 1);
  }
  std::uint32_t input(Shape shape, const std::string& type = "fp32") {
    return tensor("in" + std::to_string(graph.tensors.size()), TensorRole::input, std::move(shape),
                  type);
  }
  std::uint32_t weight(Shape shape, const std::string& type = "fp32") {
    return tensor("w" + std::to_string(graph.tensors.size()), TensorRole::weight, std::move(shape),
                  type);
  }

  /// The result of one more operator.
  std::uint32_t add(const std::string& operation, std::vector<std::optional<std::uint32_t>> inputs,
                    std::optional<Shape> shape, const std::string& type = "fp32") {
    const auto result = tensor("t" + std::to_string(graph.tensors.size()), TensorRole::activation,
                               std::move(shape), type);
    OperatorNode node;
    node.name = operation + std::to_string(graph.nodes.size());
    node.operation = operation;
    node.inputs = std::move(inputs);
    node.outputs = {result};
    graph.nodes.push_back(std::move(node));
    return result;
  }
  void attribute(const std::string& name, OperatorAttribute value) {
    graph.nodes.back().attributes[name] = std::move(value);
  }
};

}  // namespace ridge::predict
