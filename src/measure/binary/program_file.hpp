// What kind of file a program is, before it is started.
#pragma once

#include <string>

#include "core/result.hpp"

namespace ridge::measure::binary {

/// The file that the kernel will run: `path` itself, or for a script the interpreter that its first
/// line names. Nothing is said of what that starts in turn.
[[nodiscard]] std::string program_that_runs(const std::string& path);

/// Errors (bad_input): 32 bits or another processor's, no program, setuid or setgid (nobody may
/// look into it), instrumented and linked or built so that the instrumented source must say what is
/// wrong. Packed and stripped ones are fine.
[[nodiscard]] Result<void> check_program_file(const std::string& path);

}  // namespace ridge::measure::binary
