// What each x86-64 mnemonic computes: one table, made once from the names, whose stems and suffixes
// say it (vfmadd231pd: fma of packed fp64). A test holds it against a list written by hand, and
// every floating-point name has to be in it.
#pragma once

#include <Zydis/Zydis.h>
#include <cstdint>

#include "machine_code/operation.hpp"

namespace ridge::machine_code::x86 {

/// How lanes follow from the width of the register.
enum class Form : std::uint8_t {
  none,         ///< computes nothing that is counted
  lanes,        ///< one for each element; a scalar one: 1
  dot_imm,      ///< dpps, dppd: products that the immediate chooses, and their sums
  pairs,        ///< a fma for each bf16
  products,     ///< of integers: a product for each element, and a sum for each
  narrowing,    ///< products of elements, sums of neighbours (pmaddwd)
  complex_mul,  ///< of fp16 pairs: a mul and a fma for each element
  complex_fma,  ///< two fma for each element
  four,         ///< four fma for each element, of four registers
  tile,         ///< of whole tiles
};

struct Effect {
  Form form = Form::none;
  WorkKind kind = WorkKind::other;
  ElementType element = ElementType::fp64;
  /// 0: that of the first operand (integers of general registers).
  std::uint8_t element_bits = 0;
  /// Of conversions: of the wider side, by which lanes are counted. 0: element_bits.
  std::uint8_t lane_bits = 0;
  bool scalar = false;
  bool moves = false;
  bool clears = false;  ///< x op x does not depend on x
};

[[nodiscard]] const Effect& effect_of(ZydisMnemonic mnemonic);

}  // namespace ridge::machine_code::x86
