// Is this program instrumented, and by a version that we understand? Asked before it is started.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace ridge::measure {

/// What one ELF note of an instrumented object file says (abi/layout.h).
struct InstrumentationNote {
  std::uint32_t abi_version = 0;
  std::string ridge_version;

  friend bool operator==(const InstrumentationNote&, const InstrumentationNote&) = default;
};

/// The notes of an ELF file, each different one once; empty when it has none. Error (bad_input):
/// not an ELF file or damaged.
[[nodiscard]] Result<std::vector<InstrumentationNote>> read_notes(const std::string& path);

/// Nothing when the program at `path` can be measured. Errors (bad_input): not instrumented, not an
/// ELF file (a script), instrumented by another version, linked without the runtime; the hint says
/// how to build or run it.
[[nodiscard]] Result<void> check_program(const std::string& path);

/// Whether the first word starts ranks (mpirun, mpiexec, srun ...) and a later one names an
/// instrumented program.
[[nodiscard]] bool launches_instrumented(const std::vector<std::string>& arguments);

}  // namespace ridge::measure
