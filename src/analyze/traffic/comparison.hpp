// Why traffic by layer conditions and by simulation differ.
#pragma once

#include <vector>

#include "analyze/traffic/simulation.hpp"
#include "core/value/loop_model.hpp"
#include "core/value/loop_nest.hpp"
#include "core/value/machine.hpp"

namespace ridge::analyze {

/// A note for each boundary at which the two differ by more than 5 %, with the reason that fits:
/// "row-ends", "set-conflicts" (tried: the same caches with up to 512 ways), "close-to-limit",
/// "outer-reuse", or "unexplained-difference". `options`: of the simulation; what is tried takes an
/// eighth of its budget. None where one of them has no crossings.
[[nodiscard]] std::vector<Note> explain_differences(const LoopNest& nest,
                                                    const Polynomial::Values& values,
                                                    const Machine& machine, unsigned cores,
                                                    const ModelledTraffic& by_conditions,
                                                    const ModelledTraffic& by_simulation,
                                                    const SimulationOptions& options = {});

}  // namespace ridge::analyze
