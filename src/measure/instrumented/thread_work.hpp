// Who did how much of each region.
#pragma once

#include <cstdint>
#include <vector>

#include "core/value/thread_work.hpp"
#include "measure/instrumented/accumulate.hpp"
#include "measure/instrumented/regions.hpp"

namespace ridge::measure {

/// One entry for each thread that took part in the region with this index, in order of creation;
/// empty if that was only one, and for libraries, whose work is unknown. A thread that entered the
/// function around a loop and got nothing of the loop took part.
[[nodiscard]] std::vector<ThreadWork> thread_work(const RegionTable& table, std::uint32_t index,
                                                  const RegionTimes& times,
                                                  const Accumulator* samples);

}  // namespace ridge::measure
