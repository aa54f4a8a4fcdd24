// The caches of a machine as one of several cores that run the same loop sees them.
#pragma once

#include <cstdint>
#include <vector>

#include "core/value/machine.hpp"

namespace ridge::analyze {

struct ServingCache {
  Level level = Level::L1;
  Level beyond = Level::L2;  ///< what serves its misses
  std::uint64_t bytes = 0;   ///< the core's part, in whole sets
  /// What can be reused from it: of a victim cache, what the cache before it holds too.
  std::uint64_t reach_bytes = 0;
  unsigned ways = 0;
  unsigned line_bytes = 64;
  CachePolicy policy = CachePolicy::non_inclusive;
  bool allocates_writes = true;
  /// Whether a store that misses has its line read from beyond: it or a cache before it allocates.
  bool reads_for_writes = true;
  bool feeds_victim = false;  ///< clean lines that leave it are written to the next cache
};

/// Innermost first. `cores` run the loop, side by side: a cache that s of them share is divided by
/// min(cores, s).
[[nodiscard]] std::vector<ServingCache> serving_caches(const Machine& machine, unsigned cores);

}  // namespace ridge::analyze
