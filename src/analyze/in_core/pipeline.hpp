// How a loop flows through a core: renaming, waiting, ports, retirement.
#pragma once

#include "analyze/in_core/core_model.hpp"
#include "analyze/in_core/micro_operations.hpp"

namespace ridge::analyze {

/// Cycles of one pass when the loop has run for long.
[[nodiscard]] double steady_cycles(const CoreModel& core, const LoopCode& code);

/// Cycles that the front end needs for one pass.
[[nodiscard]] double front_end_cycles(const CoreModel& core, const LoopCode& code);

}  // namespace ridge::analyze
