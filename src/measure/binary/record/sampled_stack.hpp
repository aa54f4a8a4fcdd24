// A thread's stack at one moment, as an engine or the kernel saw it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ridge::measure::binary {

inline constexpr std::size_t kStackRegisters = 17;

struct SampledStack {
  std::uint32_t thread = 0;  ///< index; whose is said by who holds it
  /// By the number that DWARF gives them (System V ABI of x86-64, figure 3.36); 16: the instruction
  /// pointer.
  std::array<std::uint64_t, kStackRegisters> registers{};
  std::vector<std::uint64_t> words;  ///< memory from the stack pointer upwards

  friend bool operator==(const SampledStack&, const SampledStack&) = default;
};

}  // namespace ridge::measure::binary
