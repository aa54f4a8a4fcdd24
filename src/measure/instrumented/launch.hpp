// How a run of the program is started, whatever it is for.
#pragma once

#include "measure/instrumented/arena.hpp"
#include "measure/run/ending.hpp"
#include "measure/source.hpp"
#include "platform/process.hpp"

namespace ridge::measure {

/// With the name of the arena in its environment; streams as they are here.
[[nodiscard]] platform::ProcessOptions options_for(const Request& request, const Arena& arena);

}  // namespace ridge::measure
