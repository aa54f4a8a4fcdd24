// The roof rule: how fast could this region run, and what is in the way? Pure functions, no I/O.
// Definitions, formulas and sources: docs/theory/roofline.md.
#pragma once

#include <optional>

#include "core/value/machine.hpp"
#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"
#include "predict/roof/ceiling_index.hpp"

namespace ridge::predict {

/// What the roof rule says of a region.
struct RegionRoof {
  RegionPrediction prediction;  ///< without verdict and gain
  bool memory_may_bind =
      false;  ///< its traffic is unknown and could bind it: the true roof may be lower
};

/// Bounds of one region on a machine. A null `microarchitecture` (unknown CPU) bounds the work by
/// the balanced maximum of FMA and ADD instead of by pipe groups. Regions without work are bounded
/// in byte/s; regions without work and bytes, or without any ceiling for them, have no bound.
[[nodiscard]] RegionRoof roof_of(const Region& region, const CeilingIndex& ceilings,
                                 const Microarchitecture* microarchitecture);

/// What a bound is a bound of: the flops of the region, or its bytes.
struct Axis {
  BoundUnit unit = BoundUnit::flops_per_second;
  double amount = 0.0;  ///< flop or byte; performance = amount / wall time
};
/// Flops; without any, the bytes loaded and stored; without those, the traffic of the innermost
/// level that has some. nullopt: nothing to bound.
[[nodiscard]] std::optional<Axis> axis_of(const Region& region, const Machine& machine);

}  // namespace ridge::predict
