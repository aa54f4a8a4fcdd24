#include "machine_code/operation.hpp"

#include <array>
#include <cstddef>

namespace ridge::machine_code {

std::string_view to_string(WorkKind kind) {
  constexpr std::array<std::string_view, 7> kNames{"add",  "mul",   "fma",    "div",
                                                   "sqrt", "other", "integer"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view to_string(ElementType element) {
  constexpr std::array<std::string_view, 6> kNames{"fp64", "fp32", "fp16",
                                                   "bf16", "x87",  "integer"};
  return kNames[static_cast<std::size_t>(element)];
}

}  // namespace ridge::machine_code
