// Which counts a run that was cut short leaves unfinished.
#pragma once

#include <cstdint>
#include <set>

#include "measure/instrumented/decode.hpp"
#include "measure/instrumented/regions.hpp"

namespace ridge::measure {

/// Regions whose counts are not those of the end: a thread was still in a loop, and a counter of
/// the loop or of one inside it is written when the outermost loop is left, or was before it was
/// entered. By index into `table`, which is that of `process`.
[[nodiscard]] std::set<std::uint32_t> cut_regions(const RawProcess& process,
                                                  const RegionTable& table);

}  // namespace ridge::measure
