// How far the values of a logarithmic axis reach.
#pragma once

#include <algorithm>
#include <limits>

namespace ridge::render {

/// Ends of every axis. No rate and no intensity of a machine comes near them; with them no ratio,
/// product or power of ten that a scale needs leaves the range of normal doubles.
inline constexpr double kLeastDrawn = 1e-30;
inline constexpr double kMostDrawn = 1e30;

/// Has a place on a logarithmic axis.
[[nodiscard]] inline bool drawable(double value) {
  return value >= kLeastDrawn && value <= kMostDrawn;
}

/// Of those values included that are drawable.
struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = 0.0;

  void include(double value) {
    if (drawable(value)) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  [[nodiscard]] bool empty() const { return high == 0.0; }
};

}  // namespace ridge::render
