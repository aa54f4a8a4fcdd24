// What the findings of all regions mean for the whole program.
#pragma once

#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"

namespace ridge::predict {

/// Seconds that the gain of `finding` saves at most in a region of so many seconds; 0 without gain.
[[nodiscard]] double saved_seconds(const Finding& finding, double seconds);

/// Gives the prediction of the program region one finding for each code that would make the program
/// at least 1.05 times as fast if it were fixed in all regions that have it (Amdahl), most first.
/// None where regions do not take turns: their times do not add up then. Keeps what was found in
/// the program itself (page faults) after them, where no finding of a region says it.
/// `prediction.regions` must be in the order of `profile.regions`.
void set_program_findings(Prediction& prediction, const Profile& profile);

}  // namespace ridge::predict
