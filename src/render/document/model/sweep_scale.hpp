// The axes of a sweep: sizes by their logarithm, times from 0.
#pragma once

#include <string>
#include <vector>

#include "render/chart/chart.hpp"
#include "render/document/model/loop_sweep.hpp"

namespace ridge::render {

struct SweepScale {
  LogScale x;
  double top = 1.0;   ///< time at the upper end
  double step = 0.2;  ///< between numbers of the vertical axis

  /// 0 to 1 from the left; sizes below 1 stand at the left end.
  [[nodiscard]] double across(double value) const;
  /// 0 to 1 from the bottom.
  [[nodiscard]] double up(double time) const;
  /// Times with a number beside them.
  [[nodiscard]] std::vector<double> times() const;
  [[nodiscard]] std::string label(double time) const;
};

/// The sweep has points.
[[nodiscard]] SweepScale scale_of(const LoopSweep& sweep);

/// "cycles for each iteration, one core, ECM model".
[[nodiscard]] std::string time_words(const LoopSweep& sweep);

/// What marks stand for: parts of the points, each once, innermost first.
[[nodiscard]] std::vector<std::string> parts_of(const LoopSweep& sweep);

/// Whether the roofline is drawn besides.
[[nodiscard]] bool has_roof(const LoopSweep& sweep);

}  // namespace ridge::render
