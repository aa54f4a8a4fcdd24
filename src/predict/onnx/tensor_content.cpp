#include "predict/onnx/tensor_content.hpp"

#include <algorithm>
#include <cstring>

#include "predict/network/count.hpp"
#include "predict/onnx/element_types.hpp"

namespace ridge::predict {
namespace {

template <class T>
Content from_bytes(const std::string& bytes) {
  Content content(bytes.size() / sizeof(T));
  for (std::size_t i = 0; i < content.size(); ++i) {
    T value{};
    std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
    content[i] = static_cast<double>(value);
  }
  return content;
}

template <class Values>
Content from_list(const Values& values) {
  return Content(values.begin(), values.end());
}

/// {} for types that no shape is made of.
Content content_of(const onnx::TensorProto& tensor) {
  const bool raw = tensor.has_raw_data();
  switch (tensor.data_type()) {
    case onnx::TensorProto::INT64:
      return raw ? from_bytes<std::int64_t>(tensor.raw_data()) : from_list(tensor.int64_data());
    case onnx::TensorProto::INT32:
      return raw ? from_bytes<std::int32_t>(tensor.raw_data()) : from_list(tensor.int32_data());
    case onnx::TensorProto::BOOL:
      return raw ? from_bytes<std::uint8_t>(tensor.raw_data()) : from_list(tensor.int32_data());
    case onnx::TensorProto::FLOAT:
      return raw ? from_bytes<float>(tensor.raw_data()) : from_list(tensor.float_data());
    case onnx::TensorProto::DOUBLE:
      return raw ? from_bytes<double>(tensor.raw_data()) : from_list(tensor.double_data());
    default:
      return {};
  }
}

ValueFacts scalar(std::string type, double value) {
  return {std::move(type), std::vector<std::uint64_t>{}, Content{value}};
}

template <class Values>
ValueFacts list(std::string type, const Values& values) {
  ValueFacts facts{
      std::move(type), std::vector<std::uint64_t>{static_cast<std::uint64_t>(values.size())}, {}};
  if (static_cast<std::size_t>(values.size()) <= kLongestContent) {
    facts.content = from_list(values);
  }
  return facts;
}

}  // namespace

ValueFacts facts_of(const onnx::TensorProto& tensor) {
  ValueFacts facts{element_type_name(tensor.data_type()), std::vector<std::uint64_t>{}, {}};
  Count size = 1;
  for (const std::int64_t dimension : tensor.dims()) {
    facts.shape->push_back(static_cast<std::uint64_t>(dimension));
    size *= static_cast<std::uint64_t>(dimension);
  }
  if (!size.too_large() && size.value() <= kLongestContent) {
    Content content = content_of(tensor);
    if (content.size() == size.value()) {
      facts.content = std::move(content);
    }
  }
  return facts;
}

ValueFacts facts_of(const onnx::TypeProto& type) {
  ValueFacts facts;
  if (!type.has_tensor_type()) {
    return facts;
  }
  facts.type = element_type_name(type.tensor_type().elem_type());
  if (!type.tensor_type().has_shape()) {
    return facts;
  }
  std::vector<std::uint64_t> shape;
  for (const auto& dimension : type.tensor_type().shape().dim()) {
    if (!dimension.has_dim_value() || dimension.dim_value() < 0) {
      return facts;
    }
    shape.push_back(static_cast<std::uint64_t>(dimension.dim_value()));
  }
  facts.shape = std::move(shape);
  return facts;
}

std::optional<ValueFacts> facts_of_constant(const onnx::NodeProto& node) {
  for (const auto& attribute : node.attribute()) {
    const std::string& name = attribute.name();
    if (name == "value" && attribute.has_t()) {
      return facts_of(attribute.t());
    }
    if (name == "value_int") {
      return scalar("int64", static_cast<double>(attribute.i()));
    }
    if (name == "value_float") {
      return scalar("fp32", static_cast<double>(attribute.f()));
    }
    if (name == "value_ints") {
      return list("int64", attribute.ints());
    }
    if (name == "value_floats") {
      return list("fp32", attribute.floats());
    }
  }
  return std::nullopt;
}

ValueFacts facts_of_filled(const onnx::NodeProto& node, ValueFacts shaped) {
  double value = 0.0;
  bool known = true;
  shaped.type = "fp32";
  for (const auto& attribute : node.attribute()) {
    if (attribute.name() == "value" && attribute.has_t()) {
      const ValueFacts facts = facts_of(attribute.t());
      shaped.type = facts.type;
      known = facts.content && facts.content->size() == 1;
      value = known ? facts.content->front() : 0.0;
    }
  }
  Count size = 1;
  for (const std::uint64_t extent : shaped.shape.value_or(std::vector<std::uint64_t>{})) {
    size *= extent;
  }
  if (known && shaped.shape && !size.too_large() && size.value() <= kLongestContent) {
    shaped.content = Content(size.value(), value);
  }
  return shaped;
}

}  // namespace ridge::predict
