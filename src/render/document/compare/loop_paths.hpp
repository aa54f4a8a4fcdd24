// The loops of a comparison as paths through the roofline: from its oldest place to its newest.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/value/comparison.hpp"

namespace ridge::render {

struct PathPoint {
  std::size_t result = 0;
  double intensity = 0.0;
  double flops_per_second = 0.0;
};

struct LoopPath {
  unsigned rank = 0;
  const ComparedLoop* loop = nullptr;
  std::vector<PathPoint> points;  ///< by result; empty: nothing to draw
  std::string_view css;           ///< "faster", "slower", "steady"
};

/// Of the most notable loops, by rank, at the traffic of `level`. They point into the comparison.
[[nodiscard]] std::vector<LoopPath> loop_paths(const Comparison& comparison, Level level);

}  // namespace ridge::render
