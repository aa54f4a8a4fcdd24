// Which region of the profile a recorded call stands in, by the region register of its thread.
// Pure.
#pragma once

#include "measure/calls/region_of_call.hpp"
#include "measure/instrumented/build_profile.hpp"

namespace ridge::measure {

/// Refers to both. The call itself is a region of kind library: its caller is what counts.
[[nodiscard]] RegionOfCall calling_regions(const DecodedArena& arena, const RegionsOfRaw& of_raw);

}  // namespace ridge::measure
