// A profile whose regions stand once for each rank, as one run of all ranks gives it, becomes the
// sum of its ranks. Pure.
#pragma once

#include "core/value/profile.hpp"

namespace ridge::measure {

/// Where every region belongs to a process with a rank, at least two have one, and no two processes
/// have the same: figures are sums over ranks, as RankJoin makes them; those of the program, which
/// were measured as a whole, stay. Any other profile comes back as it is.
[[nodiscard]] Profile sum_over_ranks(Profile profile);

}  // namespace ridge::measure
