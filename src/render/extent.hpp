// How far the values of a logarithmic axis reach.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace ridge::render {

/// Has a place on a logarithmic axis.
[[nodiscard]] inline bool drawable(double value) {
  return std::isfinite(value) && value > 0.0;
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
