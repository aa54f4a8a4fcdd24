// The stack of a thread at some moment, with the mappings of what may be code in it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <sys/types.h>
#include <vector>

namespace ridge::platform {

/// By DWARF number: rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp, r8 to r15, instruction pointer.
inline constexpr std::size_t kStackRegisters = 17;

struct StackSample {
  /// Value of the instruction pointer or of a word, and where it lies.
  struct CodeAddress {
    std::uint64_t address = 0;
    std::uint32_t mapping = 0;  ///< index into AddressSampler::mappings()

    friend bool operator==(const CodeAddress&, const CodeAddress&) = default;
  };

  pid_t pid = 0;
  pid_t tid = 0;
  std::array<std::uint64_t, kStackRegisters> registers{};
  std::vector<std::uint64_t>
      words;                      ///< memory from the stack pointer upwards, as far as was copied
  std::vector<CodeAddress> code;  ///< by address, each once; all other values are no code
};

}  // namespace ridge::platform
