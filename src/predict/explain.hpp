// Notes where prediction and measurement disagree: a value above its roof is an assumption that
// does not hold, and the likely one is named.
#pragma once

#include <vector>

#include "core/machine.hpp"
#include "core/prediction.hpp"
#include "core/profile.hpp"
#include "predict/ceilings.hpp"
#include "predict/limits.hpp"

namespace ridge::predict {

/// Adds to `result.notes`: `above-roof` with the likely reason, `model_contradiction` for each
/// level whose traffic over the time exceeds its measured bandwidth, `code-above-machine`. `limits`
/// are those of the code bound.
void explain(const Region& region, const Machine& machine, const ThreadChoice& choice,
             const std::vector<Limit>& limits, RegionPrediction& result);

}  // namespace ridge::predict
