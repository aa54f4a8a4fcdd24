// BOLT in the table of engines.
#pragma once

#include <string>

#include "core/result.hpp"
#include "measure/binary/engine.hpp"

namespace ridge::measure::binary {

/// Whether BOLT and its run-time file are here. Error: unavailable, with what to install.
[[nodiscard]] Result<void> bolt_available();
/// No scripts; else as check_bolt().
[[nodiscard]] Result<void> bolt_suits(const std::string& program);
[[nodiscard]] Result<EngineStart> start_bolt(const EngineJob& job);

}  // namespace ridge::measure::binary
