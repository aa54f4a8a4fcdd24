#include "import/tool/sde_arithmetic.hpp"

#include <algorithm>

namespace ridge::imports {
namespace {

/// "FMADD" of "FMADD231", "MUL" of "MUL"; nullptr for any other.
const SdeOperation* find_operation(std::string_view name) {
  const bool has_order = std::any_of(kSdeFmaOrders.begin(), kSdeFmaOrders.end(),
                                     [&](std::string_view order) { return name.ends_with(order); });
  const std::string_view stem = has_order ? name.substr(0, name.size() - 3) : name;
  const auto found =
      std::find_if(kSdeOperations.begin(), kSdeOperations.end(), [&](const SdeOperation& each) {
        return each.name == stem && has_order == (each.kind == OperationKind::fma);
      });
  return found == kSdeOperations.end() ? nullptr : &*found;
}

}  // namespace

std::optional<unsigned> sde_register_bits(std::string_view operands) {
  for (const SdeRegister& each : kSdeRegisters) {
    if (operands.find(each.name) != std::string_view::npos) {
      return each.bits;
    }
  }
  return std::nullopt;
}

std::optional<SdeArithmetic> sde_arithmetic(std::string_view opcode, std::string_view operands) {
  const std::string_view name = opcode.starts_with('V') ? opcode.substr(1) : opcode;
  for (const SdeType& type : kSdeTypes) {
    if (!name.ends_with(type.name)) {
      continue;
    }
    const SdeOperation* operation = find_operation(name.substr(0, name.size() - type.name.size()));
    if (operation == nullptr) {
      return std::nullopt;
    }
    return SdeArithmetic{
        operation->kind, &type, operation->flops,
        type.is_packed ? sde_register_bits(operands) : element_bits(type.precision)};
  }
  return std::nullopt;
}

}  // namespace ridge::imports
