// Do samples gather around two values? Then neither their median nor their spread says much. Pure.
#pragma once

#include <vector>

#include "bench/quiet.hpp"
#include "bench/runner.hpp"
#include "core/value/machine.hpp"

namespace ridge::bench {

/// Two modes, the lower one first, when the samples fall into two heaps at least 5 % apart, each
/// with at least 15 % of the samples and next to nothing (3 %) in the middle third between them;
/// else empty. Judged by work per cycle or by rates, as `scale` says; the values are rates. Fewer
/// than 40 samples tell nothing.
[[nodiscard]] std::vector<Mode> modes_of(const Measured& measured, Scale scale);

}  // namespace ridge::bench
