// What one instruction did over all of its executions.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "core/value/region.hpp"
#include "machine_code/instruction.hpp"
#include "measure/binary/code/executions.hpp"
#include "measure/code/operation_counts.hpp"

namespace ridge::measure::binary {

/// Sums that do not fit saturate.
struct InstructionTotals {
  OperationCounts flops;        ///< at most, where masks are not known
  std::uint64_t flops_low = 0;  ///< at least
  std::uint64_t other = 0;      ///< lanes
  std::uint64_t intops = 0;
  std::map<std::string, std::uint64_t> opaque;  ///< x87, by name
  /// Of each of its memory operands, as Instruction::memory(); a prefetch moves none.
  std::array<Traffic, machine_code::Instruction::kMemoryOperands> operands{};
  std::uint64_t bytes_non_temporal = 0;
  Traffic gathered{};  ///< by gather and scatter instructions
  /// Of vector operations of floating point under a mask register; absent where the mask is not
  /// known, and for other instructions.
  std::optional<MaskedOperations> masked;
  bool has_unknown_mask = false;  ///< a mask register that nobody looked at
  /// Bytes are those of all lanes, although a mask may have left some out.
  bool has_all_lanes_bytes = false;
  /// A repeated string instruction whose turns nobody counted: each execution is taken for one.
  bool has_unknown_turns = false;

  [[nodiscard]] Traffic bytes() const;
};

/// `instruction` is the decoded code of `executed`.
[[nodiscard]] InstructionTotals totals_of(const ExecutedInstruction& executed,
                                          const machine_code::Instruction& instruction);

/// The instruction that ran; nullopt where the decoder does not know it.
[[nodiscard]] std::optional<machine_code::Instruction> decoded(const ExecutedInstruction& executed);

}  // namespace ridge::measure::binary
