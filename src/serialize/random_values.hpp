// Random machines and profiles that the format can hold: for property tests and for the check of
// written files against the schemas.
#pragma once

#include <random>

#include "core/value/machine.hpp"
#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"
#include "serialize/page.hpp"

namespace ridge::serialize {

[[nodiscard]] Machine random_machine(std::mt19937_64& random);
[[nodiscard]] Profile random_profile(std::mt19937_64& random);
/// One entry per region, with and without bounds.
[[nodiscard]] Prediction random_prediction(std::mt19937_64& random, const Profile& profile);
/// None to three results.
[[nodiscard]] Page random_page(std::mt19937_64& random);

}  // namespace ridge::serialize
