#include "fuzz/onnx_mutation.hpp"

#include <array>
#include <random>
#include <string_view>
#include <vector>

#include "predict/onnx/models_for_tests.hpp"

namespace ridge::fuzz {
namespace {

using Random = std::mt19937_64;

constexpr std::array<std::int64_t, 12> kSizes = {0,  1,    2,       3,         7,  16,
                                                 64, 1000, 1 << 20, 1LL << 40, -1, INT64_MAX};
/// One input of any shape, one output of the same.
constexpr std::array<std::string_view, 14> kUnary = {
    "Relu", "Sigmoid", "Tanh", "Exp",   "Sqrt",     "Neg",     "Abs",
    "Erf",  "Log",     "Cos",  "Floor", "Identity", "Softmax", "LeakyRelu"};
constexpr std::array<std::string_view, 6> kBinary = {"Add", "Mul", "Sub", "Div", "Max", "Pow"};
constexpr std::array<std::string_view, 12> kAny = {"Conv",   "MatMul",    "Gemm",      "LSTM",
                                                   "Resize", "Transpose", "ReduceSum", "Concat",
                                                   "Gather", "Loop",      "Mystery",   "MaxPool"};

template <class Container>
const auto& one_of(Random& random, const Container& values) {
  return values[random() % std::size(values)];
}

/// Names of everything that an operator may read.
std::vector<std::string> values_of(const onnx::GraphProto& graph) {
  std::vector<std::string> names;
  for (const auto& input : graph.input()) {
    names.push_back(input.name());
  }
  for (const auto& node : graph.node()) {
    for (const auto& output : node.output()) {
      names.push_back(output);
    }
  }
  return names;
}

onnx::NodeProto& append(Random& random, onnx::GraphProto& graph, std::string_view operation) {
  onnx::NodeProto& node = *graph.add_node();
  node.set_op_type(std::string(operation));
  node.set_name("n" + std::to_string(random()));
  node.add_output("v" + std::to_string(random()));
  if (graph.output_size() > 0) {
    graph.mutable_output(0)->set_name(node.output(0));
    graph.mutable_output(0)->mutable_type()->mutable_tensor_type()->clear_shape();
  }
  return node;
}

void add_operator(Random& random, onnx::GraphProto& graph) {
  const std::vector<std::string> values = values_of(graph);
  if (values.empty()) {
    return;
  }
  const std::string& from = random() % 2 == 0 ? values.back() : one_of(random, values);
  switch (random() % 8) {
    case 0:
    case 1:
    case 2:
    case 3:
      append(random, graph, one_of(random, kUnary)).add_input(from);
      return;
    case 4:
    case 5:
    case 6: {
      onnx::NodeProto& node = append(random, graph, one_of(random, kBinary));
      node.add_input(from);
      node.add_input(from);
      return;
    }
    default: {
      onnx::NodeProto& node = append(random, graph, one_of(random, kAny));
      for (std::size_t i = 1 + random() % 3; i > 0; --i) {
        node.add_input(one_of(random, values));
      }
    }
  }
}

void change_size(Random& random, onnx::GraphProto& graph) {
  if (graph.initializer_size() > 0 && random() % 2 == 0) {
    auto& weight =
        *graph.mutable_initializer(static_cast<int>(random() % graph.initializer_size()));
    if (weight.dims_size() > 0) {
      weight.set_dims(static_cast<int>(random() % weight.dims_size()), one_of(random, kSizes));
    }
  } else if (graph.input_size() > 0) {
    auto& shape = *graph.mutable_input(static_cast<int>(random() % graph.input_size()))
                       ->mutable_type()
                       ->mutable_tensor_type()
                       ->mutable_shape();
    if (shape.dim_size() > 0) {
      shape.mutable_dim(static_cast<int>(random() % shape.dim_size()))
          ->set_dim_value(one_of(random, kSizes));
    }
  }
}

void change_node(Random& random, onnx::GraphProto& graph) {
  if (graph.node_size() == 0) {
    return;
  }
  auto& node = *graph.mutable_node(static_cast<int>(random() % graph.node_size()));
  if (node.attribute_size() > 0 && random() % 2 == 0) {
    auto& attribute = *node.mutable_attribute(static_cast<int>(random() % node.attribute_size()));
    attribute.set_i(one_of(random, kSizes));
    if (attribute.ints_size() > 0) {
      attribute.set_ints(static_cast<int>(random() % attribute.ints_size()),
                         one_of(random, kSizes));
    }
  } else if (random() % 2 == 0) {
    node.set_op_type(
        std::string(random() % 2 == 0 ? one_of(random, kUnary) : one_of(random, kAny)));
  } else if (node.input_size() > 0) {
    const std::vector<std::string> values = values_of(graph);
    node.set_input(static_cast<int>(random() % node.input_size()),
                   values.empty() || random() % 8 == 0 ? "nowhere" : one_of(random, values));
  }
}

std::string fresh(Random& random) {
  switch (random() % 5) {
    case 0:
      return predict::transformer_block(64, 4).bytes();
    case 2: {
      auto newer = predict::transformer_block(64, 4);
      newer.model().mutable_opset_import(0)->set_version(22);
      return newer.bytes();
    }
    case 3:
      return predict::with_bodies(random() % 2 == 0 ? 17 : 21).bytes();
    case 1: {
      predict::ModelBuilder model;
      const std::string x = model.input("x", {2, 8, 16, 16});
      model.output(model.apply("Conv", {x, model.weight({16, 8, 3, 3})}));
      return model.bytes();
    }
    default: {
      predict::ModelBuilder model;
      model.output(model.apply("Relu", {model.input("x", {4, 32})}));
      return model.bytes();
    }
  }
}

std::string changed(const std::string& bytes, unsigned seed) {
  Random random(seed);
  onnx::ModelProto model;
  if (bytes.size() < 8 || random() % 64 == 0 || !model.ParseFromString(bytes)) {
    model.ParseFromString(fresh(random));
  }
  onnx::GraphProto& graph = *model.mutable_graph();
  for (std::size_t left = 1 + random() % 4; left > 0; --left) {
    switch (random() % 16) {
      case 0:
        change_size(random, graph);
        break;
      case 1:
        change_node(random, graph);
        break;
      case 2:
        if (graph.node_size() > 0) {
          graph.mutable_node()->RemoveLast();
          const std::vector<std::string> values = values_of(graph);
          if (!values.empty() && graph.output_size() > 0) {
            graph.mutable_output(0)->set_name(values.back());
          }
        }
        break;
      default:
        add_operator(random, graph);
    }
  }
  return model.SerializeAsString();
}

}  // namespace

std::string mutate_onnx(const std::string& bytes, unsigned seed,
                        bool (*accepts)(std::string_view bytes)) {
  constexpr int kTries = 8;
  std::string mutated = changed(bytes, seed);
  for (int tries = 1; seed % 4 != 0 && tries < kTries && !accepts(mutated); ++tries) {
    mutated = changed(bytes, seed + static_cast<unsigned>(tries) * 2654435761U);
  }
  return mutated;
}

}  // namespace ridge::fuzz
