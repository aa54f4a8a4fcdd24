#include "predict/onnx/element_types.hpp"

#include <array>
#include <string_view>

namespace ridge::predict {

std::string element_type_name(std::int64_t type) {
  // From 17 on: the four 8-bit floats; uint4, int4, a 4-bit float; an 8-bit exponent alone.
  constexpr std::array<std::string_view, 23> kNames{
      "",       "fp32", "uint8", "int8", "uint16", "int16",  "int32",     "int64",
      "string", "bool", "fp16",  "fp64", "uint32", "uint64", "complex64", "complex128",
      "bf16",   "fp8",  "fp8",   "fp8",  "fp8",    "uint4",  "int4"};
  return type > 0 && type < static_cast<std::int64_t>(kNames.size())
             ? std::string(kNames[static_cast<std::size_t>(type)])
             : std::string();
}

}  // namespace ridge::predict
