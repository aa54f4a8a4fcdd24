// From recorded calls of MPI to those of a profile: by function and calling region, summed over
// processes. Pure.
#pragma once

#include <span>

#include "measure/calls/region_of_call.hpp"

namespace ridge::measure {

/// Sets Profile::mpi_calls and the ranks and mpi_seconds of its processes, and says in notes what
/// is missing. The same region of several processes is one: the first of them.
void add_mpi_calls(Profile& profile, std::span<const RecordedProcess> processes,
                   const RegionOfCall& region_of);

}  // namespace ridge::measure
