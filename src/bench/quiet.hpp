// Which samples were taken while the core was ours alone, and how well they tell the value. Pure.
#pragma once

#include <optional>
#include <vector>

#include "bench/runner.hpp"

namespace ridge::bench {

/// Cycles that the load burst takes on an undisturbed core, from the quickest burst of each visit:
/// the first decile of these, since now and then a burst seems quicker than it was. Judged by the
/// machine itself. nullopt without any.
[[nodiscard]] std::optional<double> quiet_burst_cycles(std::vector<double> quickest_of_visits);

/// Least cycles of the bursts of a visit. `measured` holds at least one sample.
[[nodiscard]] double quickest_burst(const Measured& measured);

/// Samples apart by what the bursts beside them say, never by their own value.
struct Sorted {
  Measured kept;
  std::vector<bool> quiet;  ///< of each of the samples
  /// Too few samples were quiet: all are kept.
  bool disturbed = false;
};

/// A sample is quiet when the bursts before and after it took at most 3 % more cycles than
/// `quiet_cycles`. With fewer than 20 such samples all are kept and `disturbed` is set.
[[nodiscard]] Sorted sort_out(const Measured& measured, double quiet_cycles);

/// Each rate over the clock beside it: flop or byte per cycle, all threads together.
[[nodiscard]] std::vector<double> work_per_cycle(const Measured& measured);

enum class Scale { per_second, per_cycle };

/// Half the width of the 80 % confidence interval of the p90, relative to it: binomial, with every
/// visit as one observation, since the samples of a visit resemble one another. nullopt for fewer
/// than 8 visits.
[[nodiscard]] std::optional<double> uncertainty_of_p90(const Measured& measured, Scale scale);

}  // namespace ridge::bench
