// Share of the time as a colour, in every output as in the report page (web/src/palette.ts): five
// steps of lightness, away from the background, so that they can be told apart without hues.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "render/chart/palette.hpp"

namespace ridge::render {

/// Ends of the steps, as shares of the time.
inline constexpr std::array kHeatEnds{0.01, 0.03, 0.1, 0.3};
inline constexpr std::size_t kHeatSteps = kHeatEnds.size() + 1;

struct HeatStyle {
  Colour colour;
  std::string_view sgr;    ///< ANSI parameters, readable on dark and light terminals
  std::string_view words;  ///< "3 to 10 %"
};

/// 0 for the least shares; an unknown share (0) is among them.
[[nodiscard]] std::size_t heat_step(double share);

/// `step` is less than kHeatSteps.
[[nodiscard]] const HeatStyle& heat_style(std::size_t step);

}  // namespace ridge::render
