// ONNX's shape inference, operator by operator: what the library knows of each operator, in a loop
// of our own. The library's loop goes on after an error and then reads types that are not there.
#pragma once

#include <onnx/onnx_pb.h>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/result.hpp"

namespace ridge::predict {

using ValueTypes = std::unordered_map<std::string, onnx::TypeProto>;

/// Types of all values of a checked model whose inputs have sizes (check_model, set_dimensions).
/// Operators that are not known, that hold graphs or whose inputs are not known are passed over:
/// their results have the type that the model declares, or none. Errors (bad_input): an operator
/// whose inputs do not fit, or results that are not as declared.
[[nodiscard]] Result<ValueTypes> infer_types(onnx::ModelProto& model, std::string_view file_name);

}  // namespace ridge::predict
