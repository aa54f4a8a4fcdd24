// What must hold of a model before anything is inferred from it.
#pragma once

#include <map>
#include <onnx/defs/schema.h>
#include <onnx/onnx_pb.h>
#include <string>
#include <string_view>

#include "core/result.hpp"

namespace ridge::predict {

/// More are refused: no published network has so many. Also bounds the time of what follows.
inline constexpr int kMostNodes = 50000;

/// Of the standard operators. An operator of a later version may have another meaning.
inline constexpr std::int64_t kNewestOpset = 26;

/// Errors (bad_input): see read_onnx.
[[nodiscard]] Result<void> check_model(const onnx::ModelProto& model, std::string_view file_name);

/// Version of the standard operators that the model asks for; 0 when it names none.
[[nodiscard]] std::int64_t standard_opset(const onnx::ModelProto& model);

/// Whether the ONNX library knows the operators of the model's version; shape inference and checks
/// of each operator rest on it.
[[nodiscard]] bool is_known_to_library(const onnx::ModelProto& model);

/// By domain; "" are the standard operators.
[[nodiscard]] std::map<std::string, int> operator_versions(const onnx::ModelProto& model);

/// nullptr when the library does not know the operator.
[[nodiscard]] const onnx::OpSchema* schema_of(const onnx::NodeProto& node,
                                              const std::map<std::string, int>& versions);

/// Operators of all graphs inside the node's attributes.
[[nodiscard]] std::uint64_t inner_nodes(const onnx::NodeProto& node);

}  // namespace ridge::predict
