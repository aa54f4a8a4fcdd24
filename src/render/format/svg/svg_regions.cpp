// Dots of regions with their numbers, and measured roofs.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "render/format/svg/svg_sheet.hpp"

namespace ridge::render {
namespace {

double radius_of(double share) {
  constexpr double kLeast = 4.5;
  constexpr double kSpan = 11.0;
  return kLeast + kSpan * std::sqrt(std::clamp(share, 0.0, 1.0));
}

class Regions {
 public:
  explicit Regions(Sheet& sheet) : sheet_(sheet) {}

  void place() {
    const double scale = sheet_.look.mark;
    const auto& regions = sheet_.chart.regions;
    std::vector<PlacedRegion> all;
    for (const ChartRegion& region : regions) {
      PlacedRegion placed;
      placed.title = region.title;
      const double radius = scale * radius_of(region.share);
      for (const ChartDot& dot : region.dots) {
        const double y = sheet_.y_of(dot.flops_per_second.value_or(region.flops_per_second));
        const double x =
            dot.intensity ? sheet_.x_of(*dot.intensity) : sheet_.out.right - 10.0 * scale;
        placed.marks.push_back({x, y, radius, sheet_.style_of(dot.level), false, !dot.intensity,
                                10.0 * scale, dot.hollow});
      }
      join(placed, radius);
      add_whiskers(region, placed);
      if (sheet_.chart.dots_are_runs || !region.label.empty()) {
        taken_.insert(taken_.end(), placed.marks.begin(), placed.marks.end());
        lines_.insert(lines_.end(), placed.lines.begin(), placed.lines.end());
      }
      all.push_back(std::move(placed));
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!regions[i].label.empty()) {
        place_label(sheet_, regions[i].label, taken_, lines_, all[i]);
      } else if (regions[i].rank > 0) {
        place_number(regions[i], all[i]);
      }
      sheet_.out.regions.push_back(std::move(all[i]));
    }
  }

 private:
  /// One line through dots of one height, else from dot to dot.
  static void join(PlacedRegion& placed, double radius) {
    const auto& marks = placed.marks;
    const bool level = std::all_of(marks.begin(), marks.end(),
                                   [&](const auto& mark) { return mark.y == marks.front().y; });
    const auto [left, right] = std::minmax_element(
        marks.begin(), marks.end(), [](const auto& a, const auto& b) { return a.x < b.x; });
    if (level && right->x > left->x + radius) {
      placed.lines.push_back({left->x, left->y, right->x, left->y, "join"});
    }
    for (std::size_t i = 1; !level && i < marks.size(); ++i) {
      placed.lines.push_back({marks[i - 1].x, marks[i - 1].y, marks[i].x, marks[i].y, "join"});
    }
  }

  /// The 80 % interval of the rate, at the outermost dot that has an intensity or at all, where it
  /// reaches beyond the mark.
  void add_whiskers(const ChartRegion& region, PlacedRegion& placed) const {
    for (std::size_t i = region.dots.size(); i-- > 0;) {
      const auto& spread = region.dots[i].spread ? region.dots[i].spread : region.spread;
      const PlacedMark& mark = placed.marks[i];
      if (mark.arrow || !spread) {
        continue;
      }
      const double high = std::max(sheet_.y_of(spread->high), sheet_.out.top);
      const double low = std::min(sheet_.y_of(spread->low), sheet_.out.bottom);
      const double cap = 3.0 * sheet_.look.mark;
      const double x = mark.x + aside(i, region.dots.size());
      const std::string css =
          sheet_.chart.dots_are_runs ? fmt::format("whisker stroke{}", mark.style) : "whisker";
      if (mark.y - high > mark.radius || low - mark.y > mark.radius) {
        placed.lines.push_back({x, high, x, low, css});
        placed.lines.push_back({x - cap, high, x + cap, high, css});
        placed.lines.push_back({x - cap, low, x + cap, low, css});
      }
      if (!sheet_.chart.dots_are_runs) {
        return;
      }
    }
  }

  /// Runs of one region stand above one another: their whiskers stand side by side.
  [[nodiscard]] double aside(std::size_t i, std::size_t count) const {
    constexpr double kStep = 4.0;
    return sheet_.chart.dots_are_runs
               ? (static_cast<double>(i) - (static_cast<double>(count) - 1.0) / 2.0) * kStep *
                     sheet_.look.mark
               : 0.0;
  }

  /// The outermost dot becomes the number's seat; where another number sits already, the nearest
  /// free place does, tied to the dot.
  void place_number(const ChartRegion& region, PlacedRegion& placed) {
    const double small = sheet_.look.small;
    if (sheet_.chart.dots_are_runs) {
      place_beside(region, placed);
      return;
    }
    PlacedMark& dot = placed.marks.back();
    const std::string text = std::to_string(region.rank);
    const double least = (text.size() > 2 ? 13.0 : 10.0) / 11.5 * small;
    PlacedMark seat = dot;
    seat.radius = std::max(dot.radius, least);
    seat.numbered = true;
    if (seat.arrow) {
      seat.x -= seat.radius + 2.0;
    }
    const auto [x, y] = free_seat(seat);
    const bool moved = x != seat.x || y != seat.y;
    if (moved) {
      seat.radius = least;
      placed.lines.push_back({dot.x, dot.y, x, y, "tie"});
    }
    seat.x = x;
    seat.y = y;
    seat.arrow = false;
    if (moved || dot.arrow) {
      placed.marks.push_back(seat);
    } else {
      dot = seat;
    }
    seats_.push_back(seat);
    placed.number = {x, y + small * 0.36, Anchor::middle, 0.0, small, "rank", text};
  }

  /// Beside the last dot, on no dot and no other number.
  void place_beside(const ChartRegion& region, PlacedRegion& placed) {
    const double small = sheet_.look.small;
    const PlacedMark dot = placed.marks.back();
    const std::string text = std::to_string(region.rank);
    PlacedMark seat = dot;
    seat.radius = (text.size() > 1 ? 0.62 : 0.5) * small + 1.0;
    seat.numbered = seat.bare = true;
    const auto [x, y] = seat_off_lines(seat).value_or(free_seat(seat));
    placed.lines.push_back({dot.x, dot.y, x, y, "tie"});
    seat.x = x;
    seat.y = y;
    placed.marks.push_back(seat);
    seats_.push_back(seat);
    placed.number = {x, y + small * 0.36, Anchor::middle, 0.0, small, "rank", text};
  }

  [[nodiscard]] bool seat_is_free(const PlacedMark& seat, double x, double y) const {
    const SvgLayout& out = sheet_.out;
    const double room = seat.radius + 1.0;
    if (x - room < out.left || x + room > out.right || y - room < out.top ||
        y + room > out.bottom) {
      return false;
    }
    const auto touches = [&](const PlacedMark& other) {
      return std::hypot(other.x - x, other.y - y) < other.radius + seat.radius + 1.0;
    };
    return std::none_of(seats_.begin(), seats_.end(), touches) &&
           std::none_of(taken_.begin(), taken_.end(), touches);
  }

  /// Nearby, on no whisker and no line from dot to dot; nullopt where it is too crowded for that.
  [[nodiscard]] std::optional<std::pair<double, double>> seat_off_lines(
      const PlacedMark& seat) const {
    constexpr int kDirections = 16;
    constexpr int kRings = 6;
    for (int ring = 0; ring < kRings; ++ring) {
      for (int direction = 0; direction < kDirections; ++direction) {
        const double angle = 2.0 * std::numbers::pi * direction / kDirections;
        const double distance = seat.radius * 1.5 + ring * 6.0 * sheet_.look.mark;
        const double x = seat.x + distance * std::cos(angle);
        const double y = seat.y + distance * std::sin(angle);
        const Box box{x, y, seat.radius, seat.radius, 0.0};
        if (seat_is_free(seat, x, y) &&
            std::none_of(lines_.begin(), lines_.end(),
                         [&](const PlacedLine& line) { return overlap(box, box_of(line, 1.0)); })) {
          return std::pair(x, y);
        }
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] std::pair<double, double> free_seat(const PlacedMark& seat) const {
    constexpr int kDirections = 16;
    constexpr int kRings = 60;
    const double ring_step = 6.0 * sheet_.look.mark;
    for (int ring = 0; ring < kRings; ++ring) {
      for (int direction = 0; direction < (ring == 0 ? 1 : kDirections); ++direction) {
        const double angle = 2.0 * std::numbers::pi * direction / kDirections;
        const double distance = ring == 0 ? 0.0 : seat.radius * 1.5 + ring * ring_step;
        const double x = seat.x + distance * std::cos(angle);
        const double y = seat.y + distance * std::sin(angle);
        if (seat_is_free(seat, x, y)) {
          return {x, y};
        }
      }
    }
    return {seat.x, seat.y};
  }

  Sheet& sheet_;
  std::vector<PlacedMark> seats_;
  std::vector<PlacedMark> taken_;  ///< dots that no number may hide
  std::vector<PlacedLine> lines_;  ///< lines that it had better not hide
};

bool inside(const LogScale& scale, double value) {
  return value >= scale.low && value <= scale.high;
}

}  // namespace

void place_regions(Sheet& sheet) {
  Regions(sheet).place();
}

/// The innermost level last: where all meet at the compute roof, its marks are on top. Marks stand
/// only where there are no dots that they could be taken for.
void place_measured(Sheet& sheet) {
  const double radius = 4.5 * sheet.look.mark;
  const Chart& chart = sheet.chart;
  for (auto curve = chart.measured.rbegin(); curve != chart.measured.rend(); ++curve) {
    const std::size_t style = sheet.style_of(curve->level);
    PlacedPolyline line{style, {}};
    for (const auto& point : curve->points) {
      if (!inside(chart.x, point.intensity) || !inside(chart.y, point.flops_per_second)) {
        continue;
      }
      const double x = sheet.x_of(point.intensity);
      const double y = sheet.y_of(point.flops_per_second);
      line.points.emplace_back(x, y);
      if (chart.regions.empty()) {
        sheet.out.measured.push_back({x, y, radius, style, false, false});
      }
    }
    if (line.points.size() > 1) {
      sheet.out.measured_lines.push_back(std::move(line));
    }
  }
}

}  // namespace ridge::render
