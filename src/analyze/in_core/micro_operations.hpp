// The code of a loop as a core works on it: micro-operations, which ports take them, and which
// wait for which.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analyze/in_core/core_model.hpp"
#include "machine_code/instruction.hpp"

namespace ridge::analyze {

/// It starts `latency` cycles after `on` started, at the earliest. Less than 0: it may start
/// before, as a load whose value comes from a store.
struct Wait {
  std::uint32_t on = 0;  ///< among the micro-operations
  unsigned passes = 0;   ///< of so many passes before
  int latency = 0;
};

/// Work that one of some units is to do.
struct Demand {
  std::uint64_t units = 0;
  double cycles = 0.0;
};

struct MicroOperation {
  std::uint32_t instruction = 0;  ///< position in the body
  UnitUse use;                    ///< no units: done while renaming
  unsigned divider_cycles = 0;
  unsigned latency = 0;  ///< to those that wait for what it computes
  std::vector<Wait> waits;
};

/// One pass of a loop.
struct LoopCode {
  std::vector<MicroOperation> operations;  ///< in the order of instructions
  std::vector<unsigned> slots;             ///< of the front end, of each instruction
  std::vector<std::string> unknown;        ///< instructions that nothing is known of
  /// For which load ports are busy beside what the operations take: stores that are written to L1,
  /// loads that two lines hold.
  std::vector<Demand> hidden;
  unsigned crossing_loads = 0;  ///< that do not lie in one line each time
};

/// `code`: the bytes of the file from each instruction on, as many as instructions.
[[nodiscard]] LoopCode loop_code(CoreModel& core, std::span<const machine_code::Instruction> body,
                                 std::span<const std::span<const std::uint8_t>> code);

}  // namespace ridge::analyze
