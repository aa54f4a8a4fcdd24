// How often each instruction of a program ran, file by file: what all engines' records come to.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ridge::measure::binary {

/// One instruction that ran. Its bytes are those that ran, which need not be those of the file.
struct ExecutedInstruction {
  std::uint64_t address = 0;  ///< as the file numbers it (ELF); in memory, where there is no file
  std::uint8_t length = 1;
  std::array<std::uint8_t, 15> code{};
  std::uint64_t executions = 0;  ///< of all threads; not 0
  /// Lanes that its mask register left on, over all executions; nullopt where the engine does not
  /// look, and where the instruction has no mask.
  std::optional<std::uint64_t> active_lanes;
  /// Elements of a repeated string instruction (rep movs), over all executions; nullopt where the
  /// engine cannot tell, and for other instructions.
  std::optional<std::uint64_t> turns;

  [[nodiscard]] std::uint64_t end() const { return address + length; }
  friend bool operator==(const ExecutedInstruction&, const ExecutedInstruction&) = default;
};

/// What ran of one file, or of memory without a file.
struct ExecutedModule {
  std::string path;                               ///< empty: code that was made at run time
  std::vector<std::byte> build_id;                ///< of the file; empty: it has none
  std::vector<ExecutedInstruction> instructions;  ///< by address, each address once
  /// Executions by thread (in order of creation), each like `instructions`; empty where they were
  /// not told apart. A thread that ran nothing here has an empty list.
  std::vector<std::vector<std::uint64_t>> by_thread;
  bool changed = false;  ///< some code is not that of the file: it was written at run time

  /// Position of the instruction at `address`; nullopt where none ran.
  [[nodiscard]] std::optional<std::size_t> find(std::uint64_t address) const;
  /// Of the instruction at `address`; 0 where none ran there.
  [[nodiscard]] std::uint64_t executions_at(std::uint64_t address) const;
};

}  // namespace ridge::measure::binary
