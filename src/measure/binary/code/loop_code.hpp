// The code of one innermost loop as it ran.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "machine_code/function.hpp"
#include "measure/binary/code/executions.hpp"
#include "measure/binary/code/instruction_totals.hpp"

namespace ridge::measure::binary {

struct LoopInstruction {
  ExecutedInstruction executed;
  machine_code::Instruction instruction;
  InstructionTotals totals;
};

struct LoopCode {
  std::vector<LoopInstruction> instructions;  ///< by address, those that ran
  std::uint64_t turns = 0;                    ///< executions of what leads back to the header
  bool is_straight = false;                   ///< all of them ran one behind the other in each turn
  bool calls = false;

  machine_code::RegisterSet written;  ///< by any of them

  /// In each turn.
  [[nodiscard]] bool runs_always(const LoopInstruction& one) const {
    return one.executed.executions == turns;
  }
};

/// nullopt for a loop with others in it, with several ways back, with code that the decoder does
/// not know, and for one that never turned.
[[nodiscard]] std::optional<LoopCode> loop_code(const ExecutedModule& executed,
                                                const machine_code::Function& function,
                                                std::uint32_t loop);

}  // namespace ridge::measure::binary
