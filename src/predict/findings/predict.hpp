// The walk over all regions of a profile: their roofs, verdicts and gains, and the closing
// sentence.
#pragma once

#include "core/value/machine.hpp"
#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"

namespace ridge::predict {

/// The roof of a region (roof_of), and its verdict.
[[nodiscard]] RegionPrediction predict_region(const Region& region, const Machine& machine,
                                              const Microarchitecture* microarchitecture);

/// The bounds of all regions on the profile's own machine, and the closing sentence.
[[nodiscard]] Prediction predict(const Profile& profile,
                                 const Microarchitecture* microarchitecture);

}  // namespace ridge::predict
