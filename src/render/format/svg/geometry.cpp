// Text sizes and overlap of turned rectangles.
#include <array>
#include <cmath>
#include <numbers>

#include "render/chart/text.hpp"
#include "render/format/svg/svg_layout.hpp"

namespace ridge::render {
namespace {

constexpr double kAscent = 0.78;   // of the font size, above the baseline
constexpr double kDescent = 0.22;  // below

struct Vector {
  double x;
  double y;
};

double radians(double degrees) {
  return degrees * std::numbers::pi / 180.0;
}

std::array<Vector, 2> axes_of(const Box& box) {
  const double c = std::cos(radians(box.angle));
  const double s = std::sin(radians(box.angle));
  return {{{c, s}, {-s, c}}};
}

double extent_along(const Box& box, Vector axis) {
  const auto own = axes_of(box);
  return box.half_width * std::abs(own[0].x * axis.x + own[0].y * axis.y) +
         box.half_height * std::abs(own[1].x * axis.x + own[1].y * axis.y);
}

bool separated_along(const Box& a, const Box& b, Vector axis) {
  const double distance = std::abs((b.x - a.x) * axis.x + (b.y - a.y) * axis.y);
  return distance >= extent_along(a, axis) + extent_along(b, axis) - 1e-9;
}

}  // namespace

double text_width(std::string_view text, double size) {
  // Measured on DejaVu Sans, the widest of the usual sans-serif fonts, over typical labels.
  constexpr double kMeanAdvance = 0.62;
  return static_cast<double>(display_width(text)) * kMeanAdvance * size;
}

double text_width(const PlacedText& text) {
  constexpr double kBoldGrowth = 1.12;
  const bool bold = text.css == "title" || text.css == "strong" || text.css.starts_with("halo");
  return text_width(text.text, text.size) * (bold ? kBoldGrowth : 1.0);
}

Box box_of(const PlacedText& text) {
  const double width = text_width(text);
  const double along = text.anchor == Anchor::start ? width / 2.0
                       : text.anchor == Anchor::end ? -width / 2.0
                                                    : 0.0;
  const double across = -(kAscent - kDescent) / 2.0 * text.size;
  const double c = std::cos(radians(text.angle));
  const double s = std::sin(radians(text.angle));
  return {text.x + along * c - across * s, text.y + along * s + across * c, width / 2.0,
          (kAscent + kDescent) / 2.0 * text.size, text.angle};
}

bool overlap(const Box& a, const Box& b) {
  const double reach =
      std::hypot(a.half_width, a.half_height) + std::hypot(b.half_width, b.half_height);
  if (std::hypot(b.x - a.x, b.y - a.y) >= reach) {
    return false;
  }
  for (const Box* box : {&a, &b}) {
    for (const Vector axis : axes_of(*box)) {
      if (separated_along(a, b, axis)) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace ridge::render
