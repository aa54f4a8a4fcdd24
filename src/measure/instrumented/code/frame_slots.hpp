// Which places of a function's frame hold registers for a while: spills.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "core/value/region.hpp"
#include "machine_code/function.hpp"

namespace ridge::measure {

/// The slots of one function: bytes at a fixed distance from the stack pointer (or from the frame
/// pointer, where the function has one) that its instructions both store and load. Arguments on the
/// stack are no slots: the caller stores them, the callee loads them. Locals of the source that the
/// compiler left in memory are; the IR says how many bytes those move, and whoever needs spills
/// takes that off. Saving registers for the caller (push, pop) is no spill.
///
/// Slots that hold what Ridge added are told apart: its pointers and depths, all of which the code
/// in front of the function's first block computes, and counters that wait for the end of a loop,
/// which are loaded for nothing but to be added where a pointer of Ridge's leads.
class FrameSlots {
 public:
  /// `is_own`: by block, whether it does none of the program's work.
  FrameSlots(const machine_code::Function& function, const std::vector<bool>& is_own);

  /// Bytes that `instruction` loads from and stores to slots of the program.
  [[nodiscard]] Traffic moved_by(const machine_code::Instruction& instruction) const;

  /// Addresses of instructions of `function` that load or store where a pointer of Ridge's leads:
  /// counters, depths. Arguments as above.
  [[nodiscard]] std::set<std::uint64_t> own_accesses(const machine_code::Function& function,
                                                     const std::vector<bool>& is_own) const;

 private:
  struct Slot {
    bool by_frame_pointer = false;
    std::int64_t begin = 0;  ///< displacement
    std::int64_t end = 0;
    bool loaded = false;
    bool stored = false;
    bool is_own = false;
  };
  class OwnSlots;

  void find_slots(const machine_code::Function& function);
  [[nodiscard]] std::optional<std::size_t> find(const machine_code::MemoryOperand& operand) const;

  bool has_frame_pointer_ = false;
  std::vector<Slot> slots_;  ///< by base and begin; they do not overlap
};

}  // namespace ridge::measure
