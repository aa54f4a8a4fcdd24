// The machine code of a profile's hottest regions.
#pragma once

#include "core/value/profile.hpp"
#include "measure/instrumented/build_profile.hpp"
#include "measure/instrumented/decode.hpp"

namespace ridge::measure {

/// Files stay small: at most so many regions, each with this share of the wall time or more.
constexpr std::size_t kMostRegionsWithCode = 20;
constexpr double kLeastShareOfCode = 0.01;

/// Fills RegionCode of the loops and functions with most time of their own. Reads the files of the
/// modules; where that cannot be done their regions stay without. `arena` and `of_raw`: what
/// `profile` was built from (build_profile.hpp).
void add_code(Profile& profile, const DecodedArena& arena, const RegionsOfRaw& of_raw);

}  // namespace ridge::measure
