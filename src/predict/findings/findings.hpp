// What stands in the way of a region, each with evidence: rules over what was counted, simulated
// and measured. Codes, thresholds, keys of the evidence and what a gain is: docs/findings.md.
#pragma once

#include <string_view>
#include <vector>

#include "core/value/machine.hpp"
#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"
#include "predict/roof/ceiling_index.hpp"

namespace ridge::predict {

/// A smaller gain is not worth a change: such findings come last, and not into the table.
inline constexpr double kWorthwhileGain = 1.05;

/// Findings of one region of `profile`: doubt about the roof first, then those with a gain by the
/// time that they save, then those without. A rule whose evidence is unknown says nothing.
/// `prediction` may be empty: then nothing is said of roofs, and no gain.
[[nodiscard]] std::vector<Finding> find_all(const Region& region, const Profile& profile,
                                            const Prediction& prediction,
                                            const Microarchitecture* microarchitecture);

/// Sets the findings of all regions; those of the program region say what each code costs it over
/// all loops. `prediction.regions` must be in the order of `profile.regions`.
/// `ceilings` are those of its machine.
void set_findings(Prediction& prediction, const Profile& profile, const CeilingIndex& ceilings,
                  const Microarchitecture* microarchitecture);

/// Codes of all rules, in the order of the table.
[[nodiscard]] std::vector<std::string_view> finding_codes();

}  // namespace ridge::predict
