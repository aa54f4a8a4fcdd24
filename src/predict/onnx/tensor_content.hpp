// Facts of values that the file states: tensors, declared types, constants.
#pragma once

#include <onnx/onnx_pb.h>
#include <optional>

#include "predict/onnx/value_facts.hpp"

namespace ridge::predict {

/// Its type, shape and, where it is small and in the file, its content.
[[nodiscard]] ValueFacts facts_of(const onnx::TensorProto& tensor);

/// The shape is absent unless every dimension has a size.
[[nodiscard]] ValueFacts facts_of(const onnx::TypeProto& type);

/// Of the operators Constant and ConstantOfShape, whose value stands in an attribute. The shape of
/// the latter is that of its result.
[[nodiscard]] std::optional<ValueFacts> facts_of_constant(const onnx::NodeProto& node);
[[nodiscard]] ValueFacts facts_of_filled(const onnx::NodeProto& node, ValueFacts shaped);

}  // namespace ridge::predict
