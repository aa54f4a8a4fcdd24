#include "predict/network/quantised.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace ridge::predict {
namespace {

struct Pair {
  std::string_view product;
  std::string_view domain;
  std::string_view quantised;
};
constexpr std::array<Pair, 3> kPairs{{{"Conv", "", "QLinearConv"},
                                      {"Gemm", "com.microsoft", "QGemm"},
                                      {"MatMul", "", "QLinearMatMul"}}};

bool is_standard(const OperatorNode& node, std::string_view operation) {
  return node.domain.empty() && node.operation == operation;
}

class Folding {
 public:
  explicit Folding(const TensorGraph& graph)
      : graph_(graph),
        producer_(graph.tensors.size()),
        readers_(graph.tensors.size()),
        replaced_(graph.nodes.size()),
        dropped_(graph.nodes.size(), false) {
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      for (const auto& place : graph.nodes[i].inputs) {
        if (place) {
          readers_[*place].push_back(i);
        }
      }
      for (const auto& place : graph.nodes[i].outputs) {
        if (place) {
          producer_[*place] = i;
        }
      }
    }
    for (const auto* needed : {&graph.outputs, &graph.handed_on}) {
      for (const std::uint32_t place : *needed) {
        readers_[place].push_back(kOutside);
      }
    }
  }

  Folded run() {
    Folded result;
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      result.products += fold(i) ? 1 : 0;
    }
    if (result.products == 0) {
      result.graph = graph_;
      return result;
    }
    drop_unread();
    result.graph = graph_;
    result.graph.nodes.clear();
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      if (!dropped_[i]) {
        result.graph.nodes.push_back(replaced_[i] ? *replaced_[i] : graph_.nodes[i]);
      }
    }
    return result;
  }

 private:
  static constexpr std::size_t kOutside = static_cast<std::size_t>(-1);

  [[nodiscard]] bool is_byte(std::optional<std::uint32_t> place) const {
    return place &&
           (graph_.tensors[*place].type == "int8" || graph_.tensors[*place].type == "uint8");
  }

  /// The DequantizeLinear that makes an input; nullptr where none does.
  [[nodiscard]] const OperatorNode* dequantised(const OperatorNode& node, std::size_t input) const {
    if (input >= node.inputs.size() || !node.inputs[input] || !producer_[*node.inputs[input]]) {
      return nullptr;
    }
    const OperatorNode& maker = graph_.nodes[*producer_[*node.inputs[input]]];
    const bool fits = is_standard(maker, "DequantizeLinear") && maker.inputs.size() >= 2 &&
                      maker.repeats == node.repeats && maker.branches == node.branches;
    return fits ? &maker : nullptr;
  }

  /// Place of the only operator that reads the result; kOutside where there is another number.
  [[nodiscard]] std::size_t only_reader(const OperatorNode& node) const {
    if (node.outputs.size() != 1 || !node.outputs[0] || readers_[*node.outputs[0]].size() != 1) {
      return kOutside;
    }
    return readers_[*node.outputs[0]][0];
  }

  /// The QuantizeLinear behind the product, and a comparison between that it takes over.
  [[nodiscard]] std::vector<std::size_t> behind(const OperatorNode& product) const {
    std::vector<std::size_t> nodes;
    for (std::size_t at = only_reader(product); at != kOutside;
         at = only_reader(graph_.nodes[at])) {
      const OperatorNode& node = graph_.nodes[at];
      if (node.repeats != product.repeats || node.branches != product.branches) {
        return {};
      }
      nodes.push_back(at);
      if (is_standard(node, "QuantizeLinear")) {
        return node.inputs.size() >= 2 && node.outputs.size() == 1 && is_byte(node.outputs[0])
                   ? nodes
                   : std::vector<std::size_t>{};
      }
      if (nodes.size() > 1 || (!is_standard(node, "Relu") && !is_standard(node, "Clip"))) {
        return {};
      }
    }
    return {};
  }

  bool fold(std::size_t i) {
    const OperatorNode& node = graph_.nodes[i];
    const auto pair = std::find_if(kPairs.begin(), kPairs.end(), [&](const Pair& known) {
      return is_standard(node, known.product);
    });
    const OperatorNode* left = dequantised(node, 0);
    const OperatorNode* right = dequantised(node, 1);
    if (pair == kPairs.end() || left == nullptr || right == nullptr || !is_byte(left->inputs[0]) ||
        !is_byte(right->inputs[0])) {
      return false;
    }
    const auto after = behind(node);
    if (after.empty()) {
      return false;
    }
    replaced_[i] = quantised(node, *pair, *left, *right, graph_.nodes[after.back()]);
    for (const std::size_t at : after) {
      dropped_[at] = true;
    }
    return true;
  }

  [[nodiscard]] OperatorNode quantised(const OperatorNode& node, const Pair& pair,
                                       const OperatorNode& left, const OperatorNode& right,
                                       const OperatorNode& result) const {
    const auto input = [](const OperatorNode& from, std::size_t place) {
      return place < from.inputs.size() ? from.inputs[place] : std::nullopt;
    };
    OperatorNode made = node;
    made.domain = pair.domain;
    made.operation = pair.quantised;
    made.inputs = {input(left, 0),  input(left, 1),  input(left, 2),
                   input(right, 0), input(right, 1), input(right, 2)};
    const OperatorNode* bias_maker = dequantised(node, 2);
    const auto bias = bias_maker != nullptr ? bias_maker->inputs[0] : input(node, 2);
    if (pair.quantised == "QGemm") {
      made.inputs.push_back(bias);
    }
    made.inputs.push_back(input(result, 1));
    made.inputs.push_back(input(result, 2));
    if (pair.quantised == "QLinearConv") {
      made.inputs.push_back(bias);
    }
    made.outputs = result.outputs;
    return made;
  }

  /// DequantizeLinear that only folded products read.
  void drop_unread() {
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      const OperatorNode& node = graph_.nodes[i];
      if (!is_standard(node, "DequantizeLinear") || node.outputs.size() != 1 || !node.outputs[0]) {
        continue;
      }
      const auto& readers = readers_[*node.outputs[0]];
      dropped_[i] = !readers.empty() && std::all_of(readers.begin(), readers.end(), [&](auto at) {
        return at != kOutside && replaced_[at].has_value();
      });
    }
  }

  const TensorGraph& graph_;
  std::vector<std::optional<std::size_t>> producer_;
  std::vector<std::vector<std::size_t>> readers_;
  std::vector<std::optional<OperatorNode>> replaced_;
  std::vector<bool> dropped_;
};

}  // namespace

Folded fold_quantised(const TensorGraph& graph) {
  return Folding(graph).run();
}

}  // namespace ridge::predict
