// The one way from a profile to what follows from it: roofs, verdicts and gains of all regions,
// then findings, then the closing sentence.
#pragma once

#include "core/value/machine.hpp"
#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"
#include "predict/roof/ceiling_index.hpp"

namespace ridge::predict {

/// The roof of a region (roof_of), and its verdict.
[[nodiscard]] RegionPrediction predict_region(const Region& region, const CeilingIndex& ceilings,
                                              const Microarchitecture* microarchitecture);

/// Bounds, verdicts and gains of all regions alone: all that a comparison asks for.
[[nodiscard]] Prediction predict_bounds(const Profile& profile,
                                        const Microarchitecture* microarchitecture);

/// Everything that is derived from a profile on its own machine: bounds, verdicts, gains and
/// findings of all regions, and the closing sentence.
[[nodiscard]] Prediction predict(const Profile& profile,
                                 const Microarchitecture* microarchitecture);

}  // namespace ridge::predict
