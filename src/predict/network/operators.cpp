#include "predict/network/operators.hpp"

#include <algorithm>

namespace ridge::predict {
namespace {

const Tensor* tensor_at(const TensorGraph& graph,
                        const std::vector<std::optional<std::uint32_t>>& places,
                        std::size_t index) {
  return index < places.size() && places[index] ? &graph.tensors[*places[index]] : nullptr;
}

std::vector<std::uint64_t> shape_of(const Tensor* tensor) {
  return tensor != nullptr ? tensor->shape.value_or(std::vector<std::uint64_t>{})
                           : std::vector<std::uint64_t>{};
}

template <class T>
const T* attribute(const OperatorNode& node, std::string_view name) {
  const auto found = node.attributes.find(std::string(name));
  return found != node.attributes.end() ? std::get_if<T>(&found->second) : nullptr;
}

std::vector<OperatorRow> all_operators() {
  std::vector<OperatorRow> rows = product_operators();
  for (const auto& more : {recurrent_operators(), elementwise_operators(), reduction_operators(),
                           movement_operators(), attention_operators(), resampling_operators()}) {
    rows.insert(rows.end(), more.begin(), more.end());
  }
  std::sort(rows.begin(), rows.end(),
            [](const OperatorRow& a, const OperatorRow& b) { return a.operation < b.operation; });
  return rows;
}

}  // namespace

Count product_of(const std::vector<std::uint64_t>& shape, std::size_t first) {
  Count product = 1;
  for (std::size_t i = first; i < shape.size(); ++i) {
    product *= shape[i];
  }
  return product;
}

const Tensor* OperatorView::input(std::size_t index) const {
  return tensor_at(*graph_, node_->inputs, index);
}

const Tensor* OperatorView::output(std::size_t index) const {
  return tensor_at(*graph_, node_->outputs, index);
}

std::size_t OperatorView::input_count() const {
  return static_cast<std::size_t>(
      std::count_if(node_->inputs.begin(), node_->inputs.end(),
                    [](const auto& place) { return place.has_value(); }));
}

Count OperatorView::input_size(std::size_t index) const {
  return input(index) != nullptr ? product_of(input_shape(index)) : Count(0);
}

Count OperatorView::output_size(std::size_t index) const {
  return output(index) != nullptr ? product_of(output_shape(index)) : Count(0);
}

std::vector<std::uint64_t> OperatorView::input_shape(std::size_t index) const {
  return shape_of(input(index));
}

std::vector<std::uint64_t> OperatorView::output_shape(std::size_t index) const {
  return shape_of(output(index));
}

std::int64_t OperatorView::integer(std::string_view name, std::int64_t otherwise) const {
  const auto* value = attribute<std::int64_t>(*node_, name);
  return value != nullptr ? *value : otherwise;
}

double OperatorView::real(std::string_view name, double otherwise) const {
  const auto* value = attribute<double>(*node_, name);
  return value != nullptr ? *value : otherwise;
}

std::string OperatorView::text(std::string_view name, std::string_view otherwise) const {
  const auto* value = attribute<std::string>(*node_, name);
  return value != nullptr ? *value : std::string(otherwise);
}

std::vector<std::int64_t> OperatorView::integers(std::string_view name) const {
  const auto* value = attribute<std::vector<std::int64_t>>(*node_, name);
  return value != nullptr ? *value : std::vector<std::int64_t>{};
}

const std::vector<OperatorRow>& operator_table() {
  static const std::vector<OperatorRow> rows = all_operators();
  return rows;
}

const OperatorRow* find_operator(std::string_view domain, std::string_view operation) {
  const std::string name = domain.empty() || domain == "ai.onnx"
                               ? std::string(operation)
                               : std::string(domain) + "." + std::string(operation);
  const auto& rows = operator_table();
  const auto found = std::lower_bound(
      rows.begin(), rows.end(), name,
      [](const OperatorRow& row, const std::string& wanted) { return row.operation < wanted; });
  return found != rows.end() && found->operation == name ? &*found : nullptr;
}

}  // namespace ridge::predict
