// What stands in the way of a region, each with evidence: rules over what was counted, simulated
// and measured. Codes, thresholds and keys of the evidence: docs/findings.md.
#pragma once

#include <vector>

#include "core/machine.hpp"
#include "core/prediction.hpp"
#include "core/profile.hpp"

namespace ridge::predict {

/// Findings of one region of `profile`, most telling first. A rule whose evidence is unknown says
/// nothing. `prediction` may be nullptr: then nothing is said of roofs, and no gain.
[[nodiscard]] std::vector<Finding> find_all(const Region& region, const Profile& profile,
                                            const RegionPrediction* prediction,
                                            const Microarchitecture* microarchitecture);

/// Replaces the findings of all regions. `prediction.regions` must be in the order of
/// `profile.regions`.
void set_findings(Profile& profile, const Prediction& prediction,
                  const Microarchitecture* microarchitecture);

}  // namespace ridge::predict
