#include "render/format/svg/svg_elements.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "render/format/svg/svg_writer.hpp"

namespace ridge::render {
namespace {

/// A regular polygon; `turn` in degrees, 0 with a corner straight up.
std::string polygon(double x, double y, double radius, int corners, double turn,
                    const std::string& css) {
  std::vector<svg::Pixel> points;
  for (int i = 0; i < corners; ++i) {
    const double angle = (turn - 90.0 + 360.0 * i / corners) * std::numbers::pi / 180.0;
    points.push_back({x + radius * std::cos(angle), y + radius * std::sin(angle)});
  }
  return svg::polygon(points, css) + "\n";
}

/// Shapes of about equal area; a numbered one is large enough for its number.
std::string shape_element(const PlacedMark& mark, const std::string& css) {
  const auto with = [&](double growth, double seat_growth, int corners, double turn) {
    const double radius = mark.radius * (mark.numbered ? seat_growth : growth);
    return polygon(mark.x, mark.y, radius, corners, turn, css);
  };
  switch (level_style_at(mark.style).shape) {
    case Shape::triangle:
      return with(1.35, 1.7, 3, 0.0);
    case Shape::inverted_triangle:
      return with(1.35, 1.7, 3, 180.0);
    case Shape::diamond:
      return with(1.25, 1.4, 4, 0.0);
    case Shape::square:
      return with(1.25, 1.35, 4, 45.0);
    case Shape::pentagon:
      return with(1.12, 1.2, 5, 0.0);
    case Shape::hexagon:
      return with(1.08, 1.15, 6, 0.0);
    case Shape::circle:
      break;
  }
  return svg::circle({mark.x, mark.y}, svg::tenths(mark.radius), css) + "\n";
}

}  // namespace

std::string line_element(const PlacedLine& line) {
  return svg::line({line.x1, line.y1}, {line.x2, line.y2}, line.css) + "\n";
}

std::string text_element(const PlacedText& text) {
  constexpr std::array<std::string_view, 3> kAnchors = {"start", "middle", "end"};
  svg::Lettering lettering{
      text.size, kAnchors.at(static_cast<std::size_t>(text.anchor)), text.css, {}};
  if (text.angle != 0.0) {
    lettering.transform = fmt::format("rotate({:.2f} {:.1f} {:.1f})", text.angle, text.x, text.y);
  }
  return svg::text({text.x, text.y}, lettering, text.text) + "\n";
}

std::string mark_element(const PlacedMark& mark) {
  if (mark.bare) {
    return svg::circle({mark.x, mark.y}, svg::tenths(mark.radius), "background") + "\n";
  }
  if (mark.arrow) {
    const double arrow = mark.edge * 0.9;
    return polygon(mark.x + mark.edge * 0.3, mark.y, arrow, 3, 90.0,
                   fmt::format("dot fill{}", mark.style));
  }
  return shape_element(mark, mark.numbered || mark.hollow ? fmt::format("seat stroke{}", mark.style)
                                                          : fmt::format("dot fill{}", mark.style));
}

}  // namespace ridge::render
