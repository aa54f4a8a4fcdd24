// A sweep over sizes in a terminal.
#pragma once

#include <string>

#include "render/chart/style.hpp"
#include "render/document/model/loop_sweep.hpp"

namespace ridge::render {

/// Time over size with a mark for what takes most of it, and a vertical line where a layer
/// condition stops to be true. Ends with a line feed; empty without times.
[[nodiscard]] std::string sweep_chart(const LoopSweep& sweep, const TextStyle& style);

}  // namespace ridge::render
