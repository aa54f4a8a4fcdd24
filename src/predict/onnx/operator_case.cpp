#include "predict/onnx/operator_case.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace ridge::predict {
namespace {

std::int64_t whole(double value) {
  constexpr double kEnd = 9.2e18;  // doubles near 2^63 round up to it
  if (!(value > -kEnd)) {
    return std::numeric_limits<std::int64_t>::min();
  }
  return value < kEnd ? static_cast<std::int64_t>(value) : std::numeric_limits<std::int64_t>::max();
}

}  // namespace

OperatorCase::OperatorCase(const OperatorNode& node, std::uint64_t opset,
                           std::vector<const ValueFacts*> inputs)
    : node_(&node), opset_(opset), inputs_(std::move(inputs)), results_(node.outputs.size()) {}

bool OperatorCase::has(std::size_t input) const {
  return input < inputs_.size() && inputs_[input] != nullptr;
}

std::string OperatorCase::type(std::size_t input) const {
  return has(input) ? inputs_[input]->type : std::string();
}

std::optional<Extents> OperatorCase::shape(std::size_t input) const {
  return has(input) ? inputs_[input]->shape : std::nullopt;
}

const Content* OperatorCase::content(std::size_t input) const {
  return has(input) && inputs_[input]->content ? &*inputs_[input]->content : nullptr;
}

std::optional<std::vector<std::int64_t>> OperatorCase::numbers(std::size_t input) const {
  const Content* found = content(input);
  if (found == nullptr) {
    return std::nullopt;
  }
  std::vector<std::int64_t> result;
  std::transform(found->begin(), found->end(), std::back_inserter(result), whole);
  return result;
}

template <class T>
const T* OperatorCase::attribute(std::string_view name) const {
  const auto found = node_->attributes.find(std::string(name));
  return found != node_->attributes.end() ? std::get_if<T>(&found->second) : nullptr;
}

bool OperatorCase::has_attribute(std::string_view name) const {
  return node_->attributes.count(std::string(name)) > 0;
}

std::int64_t OperatorCase::integer(std::string_view name, std::int64_t otherwise) const {
  const auto* value = attribute<std::int64_t>(name);
  return value != nullptr ? *value : otherwise;
}

std::string OperatorCase::text(std::string_view name, std::string_view otherwise) const {
  const auto* value = attribute<std::string>(name);
  return value != nullptr ? *value : std::string(otherwise);
}

std::vector<std::int64_t> OperatorCase::integers(std::string_view name) const {
  const auto* value = attribute<std::vector<std::int64_t>>(name);
  return value != nullptr ? *value : std::vector<std::int64_t>{};
}

std::optional<std::size_t> OperatorCase::place(std::int64_t axis, std::size_t rank) {
  const auto dimensions = static_cast<std::int64_t>(rank);
  if (axis < -dimensions || axis >= dimensions) {
    contradict(fmt::format("there is no axis {} among {} dimensions", axis, rank));
    return std::nullopt;
  }
  return static_cast<std::size_t>(axis < 0 ? axis + dimensions : axis);
}

std::optional<std::vector<std::int64_t>> OperatorCase::list(std::size_t input,
                                                            std::string_view name) const {
  if (has(input)) {
    return numbers(input);
  }
  return integers(name);
}

void OperatorCase::set(std::size_t output, std::string type, std::optional<Extents> shape) {
  if (output < results_.size()) {
    results_[output].type = std::move(type);
    results_[output].shape = std::move(shape);
  }
}

void OperatorCase::set_counts(std::size_t output, std::string type,
                              const std::vector<Count>& shape) {
  Extents extents;
  for (const Count extent : shape) {
    if (extent.too_large()) {
      contradict("a dimension of its result is beyond 2^53");
      return;
    }
    extents.push_back(extent.value());
  }
  set(output, std::move(type), std::move(extents));
}

void OperatorCase::contradict(std::string why) {
  if (contradiction_.empty()) {
    contradiction_ = std::move(why);
  }
}

std::optional<Extents> broadcast(const Extents& a, const Extents& b) {
  const Extents& longer = a.size() >= b.size() ? a : b;
  const Extents& shorter = a.size() >= b.size() ? b : a;
  Extents result = longer;
  const std::size_t offset = longer.size() - shorter.size();
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    std::uint64_t& extent = result[offset + i];
    if (extent != shorter[i] && extent != 1 && shorter[i] != 1) {
      return std::nullopt;
    }
    extent = extent == 1 ? shorter[i] : extent;
  }
  return result;
}

Count elements(const Extents& shape) {
  Count product = 1;
  for (const std::uint64_t extent : shape) {
    product *= extent;
  }
  return product;
}

}  // namespace ridge::predict
