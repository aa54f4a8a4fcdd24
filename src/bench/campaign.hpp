// What one characterisation measures: the plan of its effort, cut down by `--only`. Pure.
#pragma once

#include <string>
#include <vector>

#include "bench/plan.hpp"
#include "bench/roof.hpp"
#include "core/result.hpp"
#include "core/value/machine.hpp"

namespace ridge::bench {

struct Campaign {
  std::vector<PlannedKernel> ceilings;
  std::vector<RoofPlan> roofs;  ///< of these ceilings
  /// Held for seconds on all cores: fma of the widest instruction set, and loads from memory.
  std::vector<PlannedKernel> sustained;
  bool numa = false;      ///< the matrix of nodes
  bool siblings = false;  ///< the hyperthreads of one core together
  std::vector<TooLarge> too_large;
};

/// Measured roofs, nodes and siblings belong to the standard and the full effort (roofs there for
/// all threads too), sustained rates to the full one; by their own word of `only` to any. Error:
/// `usage` for words that are not known or leave nothing.
[[nodiscard]] Result<Campaign> choose(const Machine& machine, const PlanOptions& options,
                                      const std::vector<std::string>& only);

}  // namespace ridge::bench
