// From a function to its caller, by the rules that compilers leave in .eh_frame. Reads a file with
// libdw.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include <tl/expected.hpp>

#include "measure/binary/stacks/frame_registers.hpp"

struct Elf;
struct Dwarf_CFI_s;

namespace ridge::measure::binary {

struct FrameStep {
  FrameRegisters caller;
  bool is_outermost = false;  ///< there is no caller, and `caller` says nothing
  /// The frame is that of a signal: the caller did not call, it was interrupted.
  bool is_interrupted = false;
};

enum class NoStep {
  no_rule,     ///< or one that cannot be: registers are lost or hold something else
  not_copied,  ///< the frame goes on beyond what was copied of the stack
};

/// Of one file.
class FrameRules {
 public:
  /// `file` must outlive it. Of a file without rules every step is unknown.
  explicit FrameRules(std::span<const std::uint8_t> file);
  FrameRules(FrameRules&& other) noexcept;
  FrameRules& operator=(FrameRules&& other) noexcept;
  FrameRules(const FrameRules&) = delete;
  FrameRules& operator=(const FrameRules&) = delete;
  ~FrameRules();

  /// `address`: of an instruction of the function, as the file numbers its code; for a caller of
  /// the call, not of what follows it.
  [[nodiscard]] tl::expected<FrameStep, NoStep> step(std::uint64_t address,
                                                     const FrameRegisters& registers,
                                                     const StackMemory& memory) const;

 private:
  Elf* elf_ = nullptr;
  Dwarf_CFI_s* rules_ = nullptr;
};

}  // namespace ridge::measure::binary
