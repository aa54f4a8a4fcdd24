// From samples to measured roofs. Pure.
#pragma once

#include "bench/code_work.hpp"
#include "bench/quiet.hpp"
#include "bench/roof.hpp"
#include "bench/runner.hpp"
#include "core/value/machine.hpp"

namespace ridge::bench {

/// Samples of a ceiling as a roof needs them.
struct CeilingRate {
  double per_second = 0.0;  ///< p90
  double per_cycle = 0.0;   ///< p90
};
/// `kept` holds at least one sample.
[[nodiscard]] CeilingRate ceiling_rate(const Measured& kept);

/// The samples of a point's loop, `kept` in asked-for byte/s (at least one), as flop/s with the
/// fraction of what the ceilings say at the clock of these samples. `bandwidth_scale` says whether
/// the bandwidth follows that clock.
[[nodiscard]] RoofPoint make_roof_point(const Measured& kept, const LoopWork& loop,
                                        const CeilingRate& compute, const CeilingRate& bandwidth,
                                        Scale bandwidth_scale);

}  // namespace ridge::bench
