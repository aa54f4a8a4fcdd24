#include "predict/roof/saturation.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace ridge::predict {

double saturated_bandwidth(double one_core, double full, unsigned cores) {
  assert(one_core > 0.0 && full > 0.0 && cores >= 1);
  return std::min(one_core * cores, full);
}

unsigned saturating_cores(double one_core, double full) {
  assert(one_core > 0.0 && full > 0.0);
  constexpr double kMost = std::numeric_limits<unsigned>::max();
  // A quotient that is whole but for its rounding is whole.
  constexpr double kRounding = 1e-12;
  const double cores = std::ceil(full / one_core * (1.0 - kRounding));
  return static_cast<unsigned>(std::clamp(cores, 1.0, kMost));
}

}  // namespace ridge::predict
