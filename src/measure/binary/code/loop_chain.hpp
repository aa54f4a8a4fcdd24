// What each turn of a loop waits for of the turn before.
#pragma once

#include <vector>

#include "core/value/region.hpp"
#include "measure/binary/code/loop_code.hpp"

namespace ridge::measure::binary {

/// The longest chain of operations through registers from one turn to the next, over all turns:
/// arithmetic on floating point, and loads whose addresses it makes. Empty where there is none, and
/// where it is not known: loops with branches inside or calls, very long ones, chains through
/// memory. `reduction`: sums alone or products alone into an accumulator.
[[nodiscard]] std::vector<ChainTerm> loop_chain(const LoopCode& loop);

}  // namespace ridge::measure::binary
