#include "render/format/svg/svg_elements.hpp"

#include <algorithm>
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

/// Shapes of about equal area: radius of the circle around one, and its corners.
struct Outline {
  double growth = 1.0;
  int corners = 0;  ///< 0: a circle
  double turn = 0.0;
};

Outline outline_of(Shape shape) {
  switch (shape) {
    case Shape::triangle:
      return {1.35, 3, 0.0};
    case Shape::inverted_triangle:
      return {1.35, 3, 180.0};
    case Shape::diamond:
      return {1.25, 4, 0.0};
    case Shape::square:
      return {1.25, 4, 45.0};
    case Shape::pentagon:
      return {1.12, 5, 0.0};
    case Shape::hexagon:
      return {1.08, 6, 0.0};
    case Shape::circle:
      break;
  }
  return {};
}

std::string shape_element(const PlacedMark& mark, const std::string& css) {
  const Outline outline = outline_of(level_style_at(mark.style).shape);
  return outline.corners == 0 ? svg::circle({mark.x, mark.y}, svg::tenths(mark.radius), css) + "\n"
                              : polygon(mark.x, mark.y, mark.radius * outline.growth,
                                        outline.corners, outline.turn, css);
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

double reach_of(const PlacedMark& mark) {
  const double outline = mark.radius * outline_of(level_style_at(mark.style).shape).growth;
  return mark.arrow ? std::max(outline, mark.edge * 1.2) : outline;
}

Box box_of(const PlacedMark& mark) {
  const double reach = reach_of(mark);
  return {mark.x, mark.y, reach, reach, 0.0};
}

std::string mark_element(const PlacedMark& mark) {
  const std::string filled =
      mark.heat ? fmt::format("dot heat{}", *mark.heat) : fmt::format("dot fill{}", mark.style);
  if (mark.arrow) {
    return polygon(mark.x + mark.edge * 0.3, mark.y, mark.edge * 0.9, 3, 90.0, filled);
  }
  return shape_element(mark, mark.hollow ? fmt::format("seat stroke{}", mark.style) : filled);
}

}  // namespace ridge::render
