// Calls of the mathematical library that count like an instruction (docs/contracts.md, section 1).
#pragma once

#include <cstdint>
#include <map>

#include "machine_code/elf_image.hpp"
#include "machine_code/instruction.hpp"
#include "measure/code/operation_counts.hpp"

namespace ridge::measure {

/// Finds sqrt, sqrtf, fma and fmaf behind direct calls, stubs of the procedure linkage table and
/// calls through an import slot.
class MathCalls {
 public:
  explicit MathCalls(const machine_code::ElfImage& image);

  /// What the callee computes; empty for instructions that call none of them. A jump out of
  /// `function` is a call at its end.
  [[nodiscard]] OperationCounts of(const machine_code::Instruction& instruction,
                                   const machine_code::AddressRange& function) const;

 private:
  [[nodiscard]] std::uint64_t slot_behind(std::uint64_t stub) const;

  const machine_code::ElfImage* image_;
  std::map<std::uint64_t, OperationCounts> by_address_;  ///< slots, and functions of the file
};

}  // namespace ridge::measure
