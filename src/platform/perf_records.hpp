// What the kernel writes into the ring buffer of a perf event, read from bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <sys/types.h>
#include <vector>

#include "platform/stack_sample.hpp"

namespace ridge::platform {

/// One record. Which members are set is said with the kind; `nanoseconds` always is.
struct PerfRecord {
  enum Kind : std::uint8_t {
    sample,     ///< pid, tid, address, in_kernel
    mapped,     ///< pid, address, length, file_offset, name
    executed,   ///< pid, tid: a new program, its memory is empty
    forked,     ///< pid, tid: new; parent: process. A new thread: parent == pid
    ended,      ///< pid, tid: of a thread
    lost,       ///< count: records that found no room
    throttled,  ///< the kernel takes no samples on one CPU for a moment
    stack,      ///< pid, tid, registers, words
  };
  Kind kind = sample;
  bool in_kernel = false;
  std::uint64_t nanoseconds = 0;  ///< of the clock that the event was opened with
  pid_t pid = 0;
  pid_t tid = 0;
  pid_t parent = 0;
  std::uint64_t address = 0;  ///< of the user; 0 where the kernel knows none
  std::uint64_t length = 0;   ///< bytes
  std::uint64_t file_offset = 0;
  std::uint64_t count = 0;
  std::string name;  ///< as the kernel has it, "//anon" included
  /// As StackSample has them; all 0 where the kernel does not know them.
  std::array<std::uint64_t, kStackRegisters> registers{};
  std::vector<std::uint64_t> words;
};

/// How the records were asked for: PERF_SAMPLE_IP, TID and TIME always, sample_id_all.
struct PerfLayout {
  bool has_user_registers = false;  ///< PERF_SAMPLE_REGS_USER, with the instruction pointer alone
  bool has_stacks = false;  ///< the same with stack_register_mask(), and PERF_SAMPLE_STACK_USER
};

/// For sample_regs_user: those of StackSample.
[[nodiscard]] std::uint64_t stack_register_mask();

/// The records in `bytes`, in their order. Kinds that nobody needs, and those too short for what
/// they say they are, are left out; after a size that cannot be nothing more is read.
[[nodiscard]] std::vector<PerfRecord> parse_perf_records(std::span<const std::byte> bytes,
                                                         PerfLayout layout);

}  // namespace ridge::platform
