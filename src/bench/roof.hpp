// The measured roof: loops of loads and fma from few to many fma per load, beside min(P_max, I b).
// Pure, but for the kernels, which are measured like those of ceilings.
#pragma once

#include <string>
#include <vector>

#include "bench/kernel_table.hpp"
#include "bench/plan.hpp"
#include "bench/runner.hpp"
#include "core/value/machine.hpp"

namespace ridge::bench {

/// The roof of one level and the two ceilings that it is held against, of the same instruction set,
/// precision and number of threads.
struct RoofPlan {
  PlannedKernel compute;    ///< fma
  PlannedKernel bandwidth;  ///< load
};

/// Roofs that can be made from these ceilings: fp64 fma and load of `widest` in the plan.
[[nodiscard]] std::vector<RoofPlan> roofs_of(const std::vector<PlannedKernel>& planned, Isa widest);

/// About 15 mixes in ascending fma per load, evenly spaced from a 16th to 16 times `knee`, as far
/// as 1/8 to 256 fma per load allow; the knee itself is the one in the middle.
[[nodiscard]] std::vector<Mix> mixes_around(double knee);

/// The point of `roof` with this mix; `kernel` is what roof_kernel() makes of it and must outlive
/// the point.
[[nodiscard]] PlannedKernel roof_point(const RoofPlan& roof, const Kernel& kernel);

/// What the ceilings say at an intensity: the lesser of compute and intensity * bandwidth. Both per
/// cycle or both per second.
[[nodiscard]] double ideal_roof(double compute, double bandwidth, double intensity);

}  // namespace ridge::bench
