// Floating-point instructions by the names that Intel SDE gives them, in mixes and in disassembly.
#pragma once

#include <optional>
#include <string_view>

#include "import/tool/sde_formulas.hpp"

namespace ridge::imports {

/// One floating-point instruction that Ridge counts.
struct SdeArithmetic {
  OperationKind kind = OperationKind::add;
  const SdeType* type = nullptr;
  unsigned flops = 0;  ///< per lane
  std::optional<unsigned>
      width_bits;  ///< nullopt: packed, of a width that the operands do not tell
};

/// Of upper-case texts: "VFMADD231PD", and operands in which registers are called ZMM, YMM or XMM.
/// nullopt for what is no such instruction.
[[nodiscard]] std::optional<SdeArithmetic> sde_arithmetic(std::string_view opcode,
                                                          std::string_view operands);

/// Of the widest kind of register that the operands name.
[[nodiscard]] std::optional<unsigned> sde_register_bits(std::string_view operands);

}  // namespace ridge::imports
