// How a run of the program is started, whatever it is for.
#pragma once

#include "measure/instrumented/arena.hpp"
#include "measure/source.hpp"
#include "platform/process.hpp"
#include "platform/process_tree.hpp"

namespace ridge::measure {

/// With the name of the arena in its environment; streams as they are here.
[[nodiscard]] platform::ProcessOptions options_for(const Request& request, const Arena& arena);

[[nodiscard]] platform::WhenWeDie when_we_die(const Request& request);

/// Ended from outside (Ctrl-C, kill): another run would not end at the same place.
[[nodiscard]] bool was_interrupted(const platform::ExitStatus& status);

}  // namespace ridge::measure
