// Notes where prediction and measurement disagree: a value above its roof is an assumption that
// does not hold, and the likely one is named.
#pragma once

#include <vector>

#include "core/value/machine.hpp"
#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"
#include "predict/roof/ceilings.hpp"
#include "predict/roof/limits.hpp"

namespace ridge::predict {

/// Adds to `result.notes`: `above-roof` with the likely reason, `model_contradiction` for each
/// level whose traffic over the time exceeds its measured bandwidth, `code-above-machine`. `limits`
/// are those of the code bound.
void explain(const Region& region, const Machine& machine, const ThreadChoice& choice,
             const std::vector<Limit>& limits, RegionPrediction& result);

}  // namespace ridge::predict
