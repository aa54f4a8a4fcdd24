// Machines side by side: a bound that is missing because a figure is not known must not make a
// machine look better.
#pragma once

#include <vector>

#include "core/value/resource_prediction.hpp"

namespace ridge::predict {

/// Sets `common_seconds` and `rank` of two or more predictions of one demand: full overlap without
/// the resources that some machine leaves unbounded.
void rank_on_common_resources(std::vector<ResourcePrediction>& machines);

}  // namespace ridge::predict
