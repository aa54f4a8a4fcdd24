// Layer conditions and traffic of a loop nest on a machine.
#pragma once

#include <vector>

#include "core/result.hpp"
#include "core/value/loop_model.hpp"
#include "core/value/loop_nest.hpp"
#include "core/value/machine.hpp"

namespace ridge::analyze {

/// Of each cache level, innermost first, the layer conditions, fewest misses first; the last one
/// of a level always holds. `cores` run the loop side by side and divide what they share. Of a
/// victim cache the size is that of what the core can reuse from it: with the cache before it.
/// Errors: as layer_conditions().
[[nodiscard]] Result<std::vector<ReuseCondition>> reuse_conditions(const LoopNest& nest,
                                                                   const Polynomial::Values& values,
                                                                   const Machine& machine,
                                                                   unsigned cores);

/// Bytes per iteration of the innermost loop across each boundary, by the first condition of each
/// level that holds. Without crossings, and with a note that bounds the traffic, where addresses
/// depend on data. Errors: as layer_conditions().
[[nodiscard]] Result<ModelledTraffic> traffic_by_conditions(const LoopNest& nest,
                                                            const Polynomial::Values& values,
                                                            const Machine& machine, unsigned cores);

}  // namespace ridge::analyze
