// Block sizes that make broken layer conditions true again.
#pragma once

#include <vector>

#include "core/result.hpp"
#include "core/value/loop_model.hpp"
#include "core/value/loop_nest.hpp"
#include "core/value/machine.hpp"

namespace ridge::analyze {

/// Of each cache level whose first true condition leaves reuse to those beyond it, the loop that is
/// best cut into blocks, with a loop over the blocks around the whole nest, and the longest block
/// for which what must be held is no more than half of the cache (the other half is left to what
/// else goes through it; Stengel et al. 2015). `bytes_saved` is less what rows that end at blocks
/// read twice. None where nothing is saved, addresses depend on data, or sizes are not known.
[[nodiscard]] std::vector<BlockingAdvice> blocking_advice(const LoopNest& nest,
                                                          const Polynomial::Values& values,
                                                          const Machine& machine, unsigned cores);

}  // namespace ridge::analyze
