// What is known of a frame: registers and the memory of its stack.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "measure/binary/record/sampled_stack.hpp"

namespace ridge::measure::binary {

inline constexpr std::size_t kStackPointer = 7;         ///< DWARF number of rsp
inline constexpr std::size_t kInstructionPointer = 16;  ///< ... of the return address

/// By DWARF number; nullopt: its value is lost.
using FrameRegisters = std::array<std::optional<std::uint64_t>, kStackRegisters>;

/// Memory of a stack, as far as it was copied.
struct StackMemory {
  std::uint64_t begin = 0;  ///< address of the first word
  std::span<const std::uint64_t> words;

  /// nullopt where it was not copied, and between two words.
  [[nodiscard]] std::optional<std::uint64_t> at(std::uint64_t address) const {
    const std::uint64_t offset = address - begin;
    if (offset % sizeof(std::uint64_t) != 0 || offset / sizeof(std::uint64_t) >= words.size()) {
      return std::nullopt;
    }
    return words[offset / sizeof(std::uint64_t)];
  }
};

}  // namespace ridge::measure::binary
