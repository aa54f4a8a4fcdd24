// Some of a machine's cores: what is a core's own shrinks with them, what all share does not.
#pragma once

#include "core/result.hpp"
#include "core/value/target_machine.hpp"

namespace ridge::predict {

/// Peaks and the bandwidths of caches of a core in proportion, at the clock that so many cores have
/// (published_clock); those of shared levels stay, and predict_demand() bounds them by what one
/// core draws. More cores than there are: all of them. Of a measured machine the ceilings of as
/// many threads speak, or of the next lower number that was measured. Error: `bad_input` when the
/// number of cores is not known.
[[nodiscard]] Result<void> run_on_cores(TargetMachine& target, unsigned cores);

}  // namespace ridge::predict
