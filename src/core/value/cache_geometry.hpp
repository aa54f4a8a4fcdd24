/// Caches in one line of text, as a user gives them.
#pragma once

#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "core/value/machine.hpp"

namespace ridge {

/// "L1=48K/12,L2=1M/16,L3=32M/16,victim": levels from L1 outwards, SIZE/WAYS with SIZE in byte or
/// with K, M or G (powers of 1024), each followed by words about it: `victim`, `inclusive` or
/// `non-inclusive` (the default), `no-allocate` (a store that misses passes), `shared-by-N` cores.
/// The line size, and where no word says otherwise who shares a level, are those of `machine`; a
/// level that it does not have is shared like the one above it.
/// Error: usage; the message begins with `option` and names the part that is wrong.
[[nodiscard]] Result<std::vector<Cache>> parse_cache_geometry(std::string_view text,
                                                              const Machine& machine,
                                                              std::string_view option = "--cache");

}  // namespace ridge
