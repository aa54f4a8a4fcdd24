// What is left of shared caches for one of several ranks on a machine. Pure.
#pragma once

#include "core/value/machine.hpp"

namespace ridge::measure {

/// The machine with caches as one of `local_ranks` has them that spread evenly over its threads: of
/// a cache that several ranks share fewer ways, so that its sets stay. At least one way is left.
[[nodiscard]] Machine share_of_caches(Machine machine, unsigned local_ranks);

}  // namespace ridge::measure
