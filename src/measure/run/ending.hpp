// How a run of the program ends, and what ends with us.
#pragma once

#include "measure/source.hpp"
#include "platform/process_tree.hpp"

namespace ridge::measure {

[[nodiscard]] platform::WhenWeDie when_we_die(const Request& request);

/// Ended from outside (Ctrl-C, kill): another run would not end at the same place.
[[nodiscard]] bool was_interrupted(const platform::ExitStatus& status);

}  // namespace ridge::measure
