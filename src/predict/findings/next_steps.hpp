// What to do next: the few changes that the whole program gains most from.
#pragma once

#include <vector>

#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"

namespace ridge::predict {

/// Prediction::next_steps. By the time that each saves of the program, the middle of its interval;
/// of time that a step before it saves already, only what is left counts, so that all steps
/// together never save more than the program takes. Steps that gain less than 1.05 at their upper
/// end are left out; behind the others stands what has no gain but must be done first to know more
/// (a busy machine, too few samples).
/// `prediction.regions` must be in the order of `profile.regions`. docs/findings.md, "What to do
/// next".
[[nodiscard]] std::vector<NextStep> next_steps(const Profile& profile,
                                               const Prediction& prediction);

}  // namespace ridge::predict
