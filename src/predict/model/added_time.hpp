// What each boundary of the memory hierarchy adds to the time of the boundaries before it.
#pragma once

#include "core/value/machine.hpp"
#include "predict/roof/ceiling_index.hpp"

namespace ridge::predict {

/// The caches and memories of the machine, with ceilings of one boundary alone where those that
/// were measured are of all boundaries up to it: a stream from L3 crosses L2 and L1 too. Time per
/// byte asked for is that of the level less that of the level before it, for each pattern. For
/// cores on which transfers do not overlap. Ceilings keep their ids and their ratio of traffic.
[[nodiscard]] Machine added_ceilings(const CeilingIndex& ceilings, unsigned threads);

}  // namespace ridge::predict
