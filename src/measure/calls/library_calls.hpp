// From recorded calls of numerical libraries to those of a profile: by function, sizes and calling
// region, summed over processes. Pure.
#pragma once

#include <span>

#include "measure/calls/region_of_call.hpp"

namespace ridge::measure {

/// Sets Profile::library_calls, and says in notes what is missing.
void add_library_calls(Profile& profile, std::span<const RecordedProcess> processes,
                       const RegionOfCall& region_of);

}  // namespace ridge::measure
