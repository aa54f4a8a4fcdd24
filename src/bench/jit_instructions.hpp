// Which instruction does what, for each instruction set and precision. For the emitter only.
#pragma once

#include <asmjit/asmjit.h>

#include "bench/isa.hpp"
#include "bench/kernel_table.hpp"
#include "core/value/profile.hpp"

namespace ridge::bench {

/// Instructions of one instruction set and precision; 0 where there is none.
struct Instructions {
  asmjit::InstId move = 0;
  asmjit::InstId nt_store = 0;
  asmjit::InstId fma = 0;         ///< x = x * second + third
  asmjit::InstId fma_memory = 0;  ///< x = second * third + x
  asmjit::InstId add = 0;
  asmjit::InstId mul = 0;
  asmjit::InstId div = 0;
  asmjit::InstId sqrt = 0;
};

/// AMX has none of them. Of integers: those of vectors.
[[nodiscard]] const Instructions& instructions_of(Isa isa, Precision precision, Numbers numbers);

}  // namespace ridge::bench
