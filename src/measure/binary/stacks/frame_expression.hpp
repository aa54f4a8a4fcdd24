// The small programs of DWARF by which .eh_frame says where a frame lies and what a register was.
#pragma once

#include <cstdint>
#include <elfutils/libdw.h>
#include <optional>
#include <span>

#include "measure/binary/stacks/frame_registers.hpp"

namespace ridge::measure::binary {

struct FrameValue {
  std::uint64_t value = 0;
  bool is_address = false;  ///< where the value stands, not the value itself
};

/// `frame_address`: the canonical frame address, where it is known already. nullopt: an operation
/// that is not known, a register that is lost, memory that was not copied, an empty stack, or more
/// operations than any compiler writes.
[[nodiscard]] std::optional<FrameValue> evaluate(std::span<const Dwarf_Op> operations,
                                                 const FrameRegisters& registers,
                                                 const StackMemory& memory,
                                                 std::optional<std::uint64_t> frame_address);

}  // namespace ridge::measure::binary
