// Counts by LLVM's BOLT, for programs linked with -Wl,--emit-relocs
// (docs/decisions/0237-counts-by-bolt.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/result.hpp"

namespace ridge::measure::binary {

/// A program that counts: run `instrumented` in place of `program`, with the same arguments. The
/// program sees the other path in argv[0] and /proc/self/exe; the file's name is the same. Only
/// code of this file is counted, that of shared libraries is not. Lanes of masks are not known,
/// threads are not told apart.
struct BoltProgram {
  std::string program;             ///< as it was, absolute
  std::string instrumented;        ///< absolute
  std::string marked;              ///< what BOLT was given
  std::filesystem::path counters;  ///< where counters go; ".PID.NUMBER" is put behind it
  /// For the run: libraries that the program looks for beside itself.
  std::vector<std::pair<std::string, std::string>> environment;
};

/// Of one process image and the processes that it forked.
struct BoltRecord {
  std::uint32_t pid = 0;
  std::vector<std::uint8_t> bytes;  ///< abi/record.h
};

/// Whether BOLT can count this program. Errors: unavailable without llvm-bolt, for a program that
/// is linked statically or without relocations, with a hint; those of ElfImage.
[[nodiscard]] Result<void> check_bolt(const std::string& program);

/// Instruments `program` into `folder`, which must exist. `runtime`: libridge_bolt_runtime.a.
/// Errors: those of check_bolt; unavailable with what BOLT said when it fails; write_failed.
[[nodiscard]] Result<BoltProgram> prepare_bolt(const std::string& program,
                                               const std::filesystem::path& folder,
                                               const std::filesystem::path& runtime);

/// After the run, however it ended; also while it still runs. Empty where no process began. Errors
/// (bad_input): files of the preparation are gone or were changed.
[[nodiscard]] Result<std::vector<BoltRecord>> read_bolt_records(const BoltProgram& program);

}  // namespace ridge::measure::binary
