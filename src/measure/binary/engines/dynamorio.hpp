// The engine on DynamoRIO: a client of ours (instrument/dynamorio/).
#pragma once

#include <string>

#include "core/result.hpp"
#include "measure/binary/engine.hpp"

namespace ridge::measure::binary {

/// Whether DynamoRIO ($DYNAMORIO_HOME, else drrun in PATH) and the client are here. Error:
/// unavailable, with what to install.
[[nodiscard]] Result<void> dynamorio_available();
/// Anything that runs.
[[nodiscard]] Result<void> dynamorio_suits(const std::string& program);
[[nodiscard]] Result<EngineStart> start_dynamorio(const EngineJob& job);

}  // namespace ridge::measure::binary
