// The table of operators: one row per operator of the model format, with the formula of its work.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/value/network.hpp"
#include "core/value/tensor_graph.hpp"
#include "predict/network/count.hpp"

namespace ridge::predict {

/// One operator with its tensors, all of known shape where a formula sees it.
class OperatorView {
 public:
  OperatorView(const TensorGraph& graph, const OperatorNode& node) : graph_(&graph), node_(&node) {}

  [[nodiscard]] const OperatorNode& node() const { return *node_; }
  /// Version of the standard operators: the meaning of some changed.
  [[nodiscard]] std::uint64_t opset() const { return graph_->opset; }
  /// nullptr when it is left out.
  [[nodiscard]] const Tensor* input(std::size_t index) const;
  [[nodiscard]] const Tensor* output(std::size_t index) const;
  /// How many are there, not counting those left out.
  [[nodiscard]] std::size_t input_count() const;
  /// Elements; 0 when it is left out.
  [[nodiscard]] Count input_size(std::size_t index) const;
  [[nodiscard]] Count output_size(std::size_t index = 0) const;
  /// {} when it is left out.
  [[nodiscard]] std::vector<std::uint64_t> input_shape(std::size_t index) const;
  [[nodiscard]] std::vector<std::uint64_t> output_shape(std::size_t index = 0) const;
  [[nodiscard]] std::int64_t integer(std::string_view name, std::int64_t otherwise) const;
  [[nodiscard]] double real(std::string_view name, double otherwise) const;
  [[nodiscard]] std::string text(std::string_view name, std::string_view otherwise) const;
  [[nodiscard]] std::vector<std::int64_t> integers(std::string_view name) const;

 private:
  const TensorGraph* graph_;
  const OperatorNode* node_;
};

/// The product of the numbers from `first` on; 1 of none.
[[nodiscard]] Count product_of(const std::vector<std::uint64_t>& shape, std::size_t first = 0);

/// As docs/contracts.md, section 1, counts: add, sub, mul, div, sqrt = 1, fma = 2; max, compare,
/// select, negation, rounding and conversion = 0; calls of the math library = 0, but named. A sum
/// of n values is n additions, as a loop that starts at 0 does them and as the catalogue of kernels
/// has it.
struct OperatorWork {
  Count flops;
  Count intops;
  std::vector<std::pair<std::string_view, Count>> calls = {};
  Count fma = 0;     ///< of the flops, where they are not a product
  Count vector = 0;  ///< of the flops of a product, those for the vector pipes
};

/// Which bytes move.
enum class Moves {
  whole,        ///< every input once, every output once
  result,       ///< of the data as much is read as written (Slice, Gather); other inputs whole
  output_only,  ///< nothing is read but sizes (ConstantOfShape, Range)
  nothing,      ///< the same bytes under another shape
};

struct OperatorRow {
  std::string_view operation;  ///< with the domain in front, except for the standard one
  LayerKind kind = LayerKind::unknown;
  Moves moves = Moves::whole;
  /// nullopt: this form of the operator has no formula (an attribute that is not understood).
  std::optional<OperatorWork> (*work)(const OperatorView&) = nullptr;
  std::string_view formula;  ///< of the work, for people
};

/// nullptr when there is no row.
[[nodiscard]] const OperatorRow* find_operator(std::string_view domain, std::string_view operation);

/// All rows, sorted by name.
[[nodiscard]] const std::vector<OperatorRow>& operator_table();

// Parts of the table, by kind; each in its own file.
[[nodiscard]] std::vector<OperatorRow> product_operators();
[[nodiscard]] std::vector<OperatorRow> recurrent_operators();
[[nodiscard]] std::vector<OperatorRow> elementwise_operators();
[[nodiscard]] std::vector<OperatorRow> reduction_operators();
[[nodiscard]] std::vector<OperatorRow> movement_operators();
[[nodiscard]] std::vector<OperatorRow> attention_operators();
[[nodiscard]] std::vector<OperatorRow> resampling_operators();

}  // namespace ridge::predict
