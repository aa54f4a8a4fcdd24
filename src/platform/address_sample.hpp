// Where a program was at some moment, and which file lay there.
#pragma once

#include <cstdint>
#include <string>
#include <sys/types.h>

namespace ridge::platform {

/// AddressSample::mapping of an address of which no mapping is known.
inline constexpr std::uint32_t kNoMapping = ~std::uint32_t{0};

struct AddressSample {
  std::uint64_t nanoseconds = 0;  ///< CLOCK_MONOTONIC
  /// The time that it stands for: of the CPU while awake, by the clock while asleep and under
  /// ptrace. It ends at `nanoseconds`.
  std::uint64_t weight_nanoseconds = 0;
  pid_t pid = 0;
  pid_t tid = 0;
  /// Of the user program: while in the kernel the instruction that it will go on with, mostly the
  /// one after the system call. 0 where the kernel does not say (in the middle of an exec).
  std::uint64_t address = 0;
  std::uint32_t mapping = kNoMapping;  ///< index into AddressSampler::mappings()
  bool in_kernel = false;
  bool asleep = false;

  friend bool operator==(const AddressSample&, const AddressSample&) = default;
};

/// A piece of executable memory of one process. The place of an address in the file is
/// `address - begin + file_offset`.
struct CodeMapping {
  pid_t pid = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  ///< first address behind it
  std::uint64_t file_offset = 0;
  /// As the kernel writes it, with " (deleted)" where the file is; "[vdso]"; empty: no file.
  std::string path;

  friend bool operator==(const CodeMapping&, const CodeMapping&) = default;
};

}  // namespace ridge::platform
