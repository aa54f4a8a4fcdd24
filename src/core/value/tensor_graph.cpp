#include "core/value/tensor_graph.hpp"

#include <array>

namespace ridge {
namespace {

struct ElementType {
  std::string_view name;
  unsigned bits;
};

constexpr std::array<ElementType, 19> kElementTypes{{{"fp64", 64},
                                                     {"fp32", 32},
                                                     {"tf32", 32},
                                                     {"fp16", 16},
                                                     {"bf16", 16},
                                                     {"fp8", 8},
                                                     {"int64", 64},
                                                     {"int32", 32},
                                                     {"int16", 16},
                                                     {"int8", 8},
                                                     {"uint64", 64},
                                                     {"uint32", 32},
                                                     {"uint16", 16},
                                                     {"uint8", 8},
                                                     {"int4", 4},
                                                     {"uint4", 4},
                                                     {"bool", 8},
                                                     {"complex64", 64},
                                                     {"complex128", 128}}};

}  // namespace

std::string_view to_string(TensorRole role) {
  switch (role) {
    case TensorRole::input:
      return "input";
    case TensorRole::weight:
      return "weight";
    case TensorRole::activation:
      break;
  }
  return "activation";
}

std::optional<unsigned> element_bits(std::string_view type) {
  for (const ElementType& known : kElementTypes) {
    if (known.name == type) {
      return known.bits;
    }
  }
  return std::nullopt;
}

bool is_floating(std::string_view type) {
  return type == "fp64" || type == "fp32" || type == "tf32" || type == "fp16" || type == "bf16" ||
         type == "fp8";
}

}  // namespace ridge
