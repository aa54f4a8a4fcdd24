// A part of a nest's iterations that stands for all: windows after a warm-up.
#pragma once

#include <vector>

#include "analyze/traffic/sweep.hpp"

namespace ridge::analyze {

/// What a line that comes from beyond the first cache costs to simulate, in accesses that hit.
inline constexpr double kAccessesPerLine = 30.0;

struct Sample {
  std::vector<CrossedBytes::Boundary> rates;  ///< bytes per iteration, below each cache
  double relative_error = 0.0;  ///< distance between the halves of the windows, over their mean
  double iterations = 0.0;      ///< in the windows
  bool is_filled = true;        ///< the warm-up filled the last cache twice
};

/// `cost`: of an iteration, in accesses; `budget`: for all.
[[nodiscard]] Sample sample_windows(const IterationSpace& space,
                                    const std::vector<ServingCache>& levels,
                                    CacheSimulation& caches, double cost, double budget);

}  // namespace ridge::analyze
