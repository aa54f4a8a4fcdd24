// Element types of ONNX (TensorProto.DataType) by the names that Ridge gives them.
#pragma once

#include <cstdint>
#include <string>

namespace ridge::predict {

/// "" for types without a name here.
[[nodiscard]] std::string element_type_name(std::int64_t type);

}  // namespace ridge::predict
