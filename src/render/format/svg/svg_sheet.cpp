#include "render/format/svg/svg_sheet.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace ridge::render {

double Sheet::x_of(double intensity) const {
  return out.left + chart.x.position(intensity) * (out.right - out.left);
}

double Sheet::y_of(double rate) const {
  return out.bottom - chart.y.position(rate) * (out.bottom - out.top);
}

std::size_t Sheet::style_of(std::size_t level) const {
  return level_style_index(chart.levels[level], level);
}

void Sheet::add_text(double x, double y, Anchor anchor, double size, std::string css,
                     std::string text, double angle) {
  out.texts.push_back({x, y, anchor, angle, size, std::move(css), std::move(text)});
}

bool Sheet::inside_plot(const Box& box) const {
  const double margin = 3.0 * look.gap;
  const double c = std::abs(std::cos(box.angle * std::numbers::pi / 180.0));
  const double s = std::abs(std::sin(box.angle * std::numbers::pi / 180.0));
  const double half_x = box.half_width * c + box.half_height * s + margin;
  const double half_y = box.half_width * s + box.half_height * c + margin;
  return box.x - half_x >= out.left && box.x + half_x <= out.right && box.y - half_y >= out.top &&
         box.y + half_y <= out.bottom;
}

bool Sheet::is_free(const Box& box) const {
  const auto hits_mark = [&](const PlacedMark& mark) { return overlap(box, box_of(mark)); };
  const auto hits_text = [&](const PlacedText& text) {
    return !text.text.empty() && overlap(box, box_of(text));
  };
  return inside_plot(box) && std::none_of(out.texts.begin(), out.texts.end(), hits_text) &&
         std::none_of(out.measured.begin(), out.measured.end(), hits_mark) &&
         std::none_of(out.specks.begin(), out.specks.end(), hits_mark) &&
         std::none_of(out.regions.begin(), out.regions.end(), [&](const PlacedRegion& region) {
           return std::any_of(region.marks.begin(), region.marks.end(), hits_mark) ||
                  hits_text(region.number);
         });
}

Box box_of(const PlacedLine& line, double thickness) {
  const double dx = line.x2 - line.x1;
  const double dy = line.y2 - line.y1;
  return {(line.x1 + line.x2) / 2.0, (line.y1 + line.y2) / 2.0, std::hypot(dx, dy) / 2.0,
          thickness / 2.0, std::atan2(dy, dx) * 180.0 / std::numbers::pi};
}

}  // namespace ridge::render
