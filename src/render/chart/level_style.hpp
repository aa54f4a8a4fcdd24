// One look per memory level in every output: shape as well as colour (Okabe & Ito 2008, safe for
// colour-blind readers). The outermost usual level is the circle, since it carries the number.
#pragma once

#include <string_view>

#include "render/chart/palette.hpp"

namespace ridge::render {

enum class Shape { triangle, diamond, square, circle, hexagon, inverted_triangle, pentagon };

struct LevelStyle {
  std::string_view name;
  Shape shape = Shape::circle;
  Colour colour;
  std::string_view sgr;    ///< ANSI parameters
  std::string_view glyph;  ///< one terminal column
  char ascii = 'o';
};

/// By name; a level that is not known by name gets one of the last styles by its index.
[[nodiscard]] const LevelStyle& level_style(std::string_view level, std::size_t index);

/// Position in the table of styles, for CSS class names.
[[nodiscard]] std::size_t level_style_index(std::string_view level, std::size_t index);
inline constexpr std::size_t kLevelStyles = 7;
[[nodiscard]] const LevelStyle& level_style_at(std::size_t style_index);

}  // namespace ridge::render
