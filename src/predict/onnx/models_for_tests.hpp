// Models that the tests build with the ONNX library.
#pragma once

#include <initializer_list>
#include <onnx/onnx_pb.h>
#include <string>
#include <vector>

namespace ridge::predict {

/// A model under construction. Weights carry their shape alone, as some published models do.
class ModelBuilder {
 public:
  explicit ModelBuilder(int opset = 13);

  /// A dimension below 0 is open; with a `name` per axis ("" for none) it is symbolic.
  std::string input(const std::string& name, const std::vector<std::int64_t>& shape,
                    const std::vector<std::string>& symbols = {}, int type = kFloat);
  std::string weight(const std::vector<std::int64_t>& shape, int type = kFloat);
  std::string integers(const std::vector<std::int64_t>& values);

  onnx::NodeProto& node(const std::string& operation, const std::vector<std::string>& inputs,
                        const std::string& output);
  /// Its only output, with a fresh name.
  std::string apply(const std::string& operation, const std::vector<std::string>& inputs);
  onnx::NodeProto& last() { return *graph().mutable_node()->rbegin(); }

  void output(const std::string& name);

  [[nodiscard]] onnx::GraphProto& graph() { return *model_.mutable_graph(); }
  [[nodiscard]] onnx::ModelProto& model() { return model_; }
  [[nodiscard]] std::string bytes() const { return model_.SerializeAsString(); }

  static constexpr int kFloat = 1;
  static constexpr int kUint8 = 2;
  static constexpr int kInt64 = 7;

 private:
  std::string fresh(const std::string& stem);

  onnx::ModelProto model_;
  int count_ = 0;
};

void set(onnx::NodeProto& node, const std::string& name, std::int64_t value);
void set(onnx::NodeProto& node, const std::string& name, const std::vector<std::int64_t>& values);

/// An empty graph in an attribute of an operator.
onnx::GraphProto& body(onnx::NodeProto& node, const std::string& name);
/// An operator of a body.
onnx::NodeProto& add(onnx::GraphProto& graph, const std::string& operation,
                     const std::vector<std::string>& inputs, const std::string& output);

/// x [4, 8]; where a given condition holds it is multiplied ten times by weights [8, 8] in a Loop,
/// else it goes through a Sigmoid.
[[nodiscard]] ModelBuilder with_bodies(int opset);

/// ResNet-50 (He et al. 2015, table 1, with the stride in the 3x3 layer as in common use), input
/// [batch, 3, 224, 224] with a symbolic batch; convolutions without bias, batch norms apart.
[[nodiscard]] ModelBuilder resnet50();

/// One encoder block: d wide, h heads, feed-forward 4 d, input [batch, tokens, d], both symbolic.
/// Attention is written as its parts, with the reshapes that exporters write.
[[nodiscard]] ModelBuilder transformer_block(std::int64_t d, std::int64_t heads);

}  // namespace ridge::predict
