// A modelled loop in the form in which the roof rule takes what was measured.
#pragma once

#include <optional>

#include "core/value/loop_model.hpp"
#include "core/value/machine.hpp"
#include "core/value/region.hpp"

namespace ridge::predict {

/// Iterations that region_of() stands for: counts of a region are whole numbers, those of an
/// iteration need not be.
inline constexpr double kRegionIterations = 1 << 20;

/// What the simulation says, else the layer conditions; nullptr: neither was asked for.
[[nodiscard]] const ModelledTraffic* best_traffic(const LoopModel& model);

/// Work, bytes between registers and L1, and traffic of kRegionIterations iterations, conditional
/// ones counted fully. Arithmetic is that of the widest vectors. Traffic of a memory stands at the
/// main memory of the machine, whatever its name.
[[nodiscard]] Region region_of(const LoopModel& model, const Machine& machine);

/// Iterations of the innermost loop that walk through one cache line, by the widest element; 1 at
/// least. nullopt: the loop accesses nothing.
[[nodiscard]] std::optional<double> iterations_per_line(const LoopModel& model,
                                                        const Machine& machine);

}  // namespace ridge::predict
