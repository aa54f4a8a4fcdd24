// The engine on Valgrind: a tool of ours (instrument/valgrind_tool/) in the distribution's
// Valgrind.
#pragma once

#include <string>

#include "core/result.hpp"
#include "measure/binary/engine.hpp"

namespace ridge::measure::binary {

/// Whether Valgrind and the tool are here. Error: unavailable, with what to install.
[[nodiscard]] Result<void> valgrind_available();
/// Anything that runs; what needs AVX-512 is seen when it runs.
[[nodiscard]] Result<void> valgrind_suits(const std::string& program);
[[nodiscard]] Result<EngineStart> prepare_valgrind(const EngineJob& job);

}  // namespace ridge::measure::binary
