// From a function without rules to its caller: by how its first instructions move the stack
// pointer, as hand-written kernels do it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "measure/binary/stacks/frame_registers.hpp"
#include "measure/binary/stacks/frame_rules.hpp"

namespace ridge::measure::binary {

/// All offsets are from where the return address stands.
struct FramePrologue {
  /// Registers, by DWARF number, that point into the frame: the stack pointer first.
  std::vector<std::pair<std::size_t, std::int64_t>> pointers;
  /// Where registers were put aside.
  std::map<std::size_t, std::int64_t> saved;
};

/// Of the instructions up to the first that may go elsewhere. `code`: of a function, from its first
/// instruction on.
[[nodiscard]] FramePrologue frame_prologue(std::span<const std::uint8_t> code);

/// Callers that the prologue allows, one for each register that points into the frame, in its
/// order. The caller's own call has still to be looked for before the return address.
[[nodiscard]] std::vector<FrameStep> steps(const FramePrologue& prologue,
                                           const FrameRegisters& registers,
                                           const StackMemory& memory);

}  // namespace ridge::measure::binary
