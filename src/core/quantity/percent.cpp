#include "core/quantity/percent.hpp"

#include <cmath>

#include <fmt/format.h>

namespace ridge {

std::string percent_text(double share) {
  constexpr double kTwoDigits = 9.95;  // from here on two digits are whole numbers
  constexpr double kLeast = 0.0001;    // below, digits behind the point would need an exponent
  const double percent = 100.0 * share;
  const double size = std::abs(percent);
  if (size != 0.0 && size < kLeast) {
    return fmt::format("{:.6f} %", percent);
  }
  return size < kTwoDigits ? fmt::format("{:.2g} %", percent) : fmt::format("{:.0f} %", percent);
}

}  // namespace ridge
