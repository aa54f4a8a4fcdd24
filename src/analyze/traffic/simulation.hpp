// Traffic of a loop nest by simulating its caches.
#pragma once

#include "analyze/traffic/iteration_space.hpp"
#include "core/result.hpp"
#include "core/value/loop_model.hpp"
#include "core/value/loop_nest.hpp"
#include "core/value/machine.hpp"

namespace ridge::analyze {

struct SimulationOptions {
  Layout layout;
  IndexValues indices;  ///< by index array: then accesses through it are simulated too
  /// What may be spent on a sample: accesses, a line that comes from beyond the first cache counted
  /// as 30 of them. Twice as much where all iterations can be simulated.
  double budget = 1e8;
};

/// Bytes per iteration of the innermost loop across each boundary, in the steady state of a nest
/// that runs again and again: sets and ways, victim caches and write-allocate are simulated
/// (cachesim/README.md), for one core with its part of what `cores` share. Nests within the budget
/// are simulated whole, once to warm up and once to count. Of others windows are, after a warm-up
/// that fills the caches; `relative_error` is how far the halves of the windows lie apart.
/// Conditional accesses count as if they always happened. Errors: `bad_input` where a symbol has no
/// value, trips are not known, the nest never runs, an address depends on an index array that is
/// not given, or the caches cannot be simulated.
[[nodiscard]] Result<ModelledTraffic> traffic_by_simulation(const LoopNest& nest,
                                                            const Polynomial::Values& values,
                                                            const Machine& machine, unsigned cores,
                                                            const SimulationOptions& options = {});

}  // namespace ridge::analyze
