// The final screen of `ridge bench`.
#pragma once

#include <string>

#include "core/value/machine.hpp"
#include "render/chart/style.hpp"

namespace ridge::render {

/// The machine; its chief ceilings with one thread and with the most, each with spread and percent
/// of theory; the measured roofs as a chart and how far they fall short; saturation, sustained
/// rates and nodes as far as they were measured; notes. A machine of few ceilings shows them all.
[[nodiscard]] std::string bench_summary(const Machine& machine, const TextStyle& style);

}  // namespace ridge::render
