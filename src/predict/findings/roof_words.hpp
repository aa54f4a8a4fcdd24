// The roof that a region is held against, in words.
#pragma once

#include <string>

#include "core/value/machine.hpp"
#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"

namespace ridge::predict {

/// "DRAM roof (load, 34.1 GB/s with 2 threads)", "arithmetic roof (AVX2 FMA, 51.2 GFlop/s with 1
/// thread)": the pattern or operation and the threads of the ceiling that binds, and what this
/// region's traffic or work could reach there. "near copy" where its mix of reads and writes, or of
/// operations, lies between ceilings. Without the parentheses where `machine` lacks the ceiling.
[[nodiscard]] std::string roof_words(const Region& region, const Bound& bound,
                                     const Machine& machine);

}  // namespace ridge::predict
