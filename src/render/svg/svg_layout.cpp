#include "render/svg/svg_layout.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "render/spread.hpp"
#include "render/text.hpp"

namespace ridge::render {
namespace {

constexpr double kWidth = 1120.0;
constexpr double kPlotHeight = 540.0;
constexpr double kLeft = 84.0;
constexpr double kTop = 76.0;
constexpr double kTextSize = 13.0;
constexpr double kSmall = 11.5;
constexpr double kBold = 1.12;      // how much wider bold text is
constexpr double kLabelGap = 17.0;  // between the baselines of labels at the right
constexpr double kLabelledDecades = 4.0;

class Layout {
 public:
  explicit Layout(const Chart& chart) : chart_(chart) {}

  SvgLayout build() {
    set_frame();
    place_titles();
    place_ticks();
    place_ceilings();
    place_legend();
    place_measured();
    place_regions();
    place_roofs();
    return std::move(out_);
  }

 private:
  [[nodiscard]] double x_of(double intensity) const {
    return out_.left + chart_.x.position(intensity) * (out_.right - out_.left);
  }
  [[nodiscard]] double y_of(double rate) const {
    return out_.bottom - chart_.y.position(rate) * (out_.bottom - out_.top);
  }

  void add_text(double x, double y, Anchor anchor, double size, std::string css, std::string text,
                double angle = 0.0) {
    out_.texts.push_back({x, y, anchor, angle, size, std::move(css), std::move(text)});
  }

  void set_frame() {
    double label = 24.0;
    const auto include = [&label](const ComputeCeiling& ceiling) {
      label = std::max(label, kBold * text_width(ceiling.label, kTextSize) + 26.0);
    };
    if (chart_.roof) {
      include(*chart_.roof);
    }
    std::for_each(chart_.lower_ceilings.begin(), chart_.lower_ceilings.end(), include);
    out_.width = kWidth;
    out_.left = kLeft;
    out_.top = kTop;
    out_.right = kWidth - std::min(label, kWidth * 0.3);
    out_.bottom = kTop + kPlotHeight;
    out_.height = out_.bottom + 96.0;
  }

  void place_titles() {
    const auto fitting = [](const std::string& text, double size, double room) {
      return shorten_middle(text, static_cast<std::size_t>(room / text_width("m", size)));
    };
    add_text(out_.left, 30.0, Anchor::start, 19.0, "title",
             fitting(chart_.title, 19.0, kWidth - out_.left - 10.0));
    add_text(out_.left, 53.0, Anchor::start, kTextSize, "quiet",
             fitting(chart_.subtitle, kTextSize, kWidth - out_.left - 10.0));
    add_text((out_.left + out_.right) / 2.0, out_.bottom + 44.0, Anchor::middle, kTextSize, "",
             chart_.x_title());
    add_text(22.0, (out_.top + out_.bottom) / 2.0, Anchor::middle, kTextSize, "", chart_.y_title(),
             -90.0);
  }

  void place_ticks() {
    double last = -1e9;
    for (const Tick& tick : ticks(chart_.x, 1.0, kLabelledDecades)) {
      const double x = x_of(tick.value);
      out_.grid.push_back({x, out_.top, x, out_.bottom, tick.decade ? "major" : "minor"});
      const double half = text_width(tick.label, kTextSize) / 2.0;
      if (!tick.label.empty() && x - half > last + 6.0) {
        add_text(x, out_.bottom + 20.0, Anchor::middle, tick.decade ? kTextSize : kSmall,
                 tick.decade ? "" : "quiet", tick.label);
        last = x + half;
      }
    }
    double lowest = 1e9;
    for (const Tick& tick : ticks(chart_.y, chart_.y_prefix.factor, kLabelledDecades)) {
      const double y = y_of(tick.value);
      out_.grid.push_back({out_.left, y, out_.right, y, tick.decade ? "major" : "minor"});
      if (!tick.label.empty() && y + kTextSize < lowest) {
        add_text(out_.left - 8.0, y + kTextSize * 0.35, Anchor::end,
                 tick.decade ? kTextSize : kSmall, tick.decade ? "" : "quiet", tick.label);
        lowest = y;
      }
    }
  }

  /// Compute ceilings start where they meet the steepest bandwidth roof; labels stand apart, tied
  /// to their line when they had to move.
  void place_ceilings() {
    double fastest = 0.0;
    for (const BandwidthRoof& roof : chart_.roofs) {
      fastest = std::max(fastest, roof.bytes_per_second);
    }
    std::vector<const ComputeCeiling*> all;
    for (const ComputeCeiling& ceiling : chart_.lower_ceilings) {
      all.push_back(&ceiling);
    }
    if (chart_.roof) {
      all.push_back(&*chart_.roof);
    }
    std::vector<double> wanted;
    for (const ComputeCeiling* ceiling : all) {
      wanted.push_back(y_of(ceiling->flops_per_second));
    }
    const auto placed = spread_apart(wanted, kLabelGap, out_.top, out_.bottom);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool roof = chart_.roof && all[i] == &*chart_.roof;
      const double bandwidth = all[i]->at ? chart_.roofs[*all[i]->at].bytes_per_second : fastest;
      const double start = bandwidth > 0.0
                               ? std::max(x_of(all[i]->flops_per_second / bandwidth), out_.left)
                               : out_.left;
      out_.ceilings.push_back(
          {start, wanted[i], out_.right, wanted[i],
           all[i]->at ? own_line(chart_.roofs[*all[i]->at]) : (roof ? "roof" : "dashed")});
      out_.ceilings.push_back({out_.right, wanted[i], out_.right + 12.0, placed[i], "leader"});
      add_text(out_.right + 17.0, placed[i] + kTextSize * 0.35, Anchor::start, kTextSize,
               roof ? "strong" : "", all[i]->label);
    }
  }

  [[nodiscard]] std::string own_line(const BandwidthRoof& roof) const {
    return fmt::format("stroke{} bandwidth",
                       level_style_index(chart_.levels[roof.level], roof.level));
  }

  void place_legend() {
    double x = out_.left;
    double y = out_.bottom + 76.0;
    const auto next_row_if = [&](double width) {
      if (x > out_.left && x + width > kWidth - 10.0) {
        x = out_.left;
        y += 22.0;
        out_.height += 22.0;
      }
    };
    for (const BandwidthRoof& roof : chart_.roofs) {
      const double width = 18.0 + text_width(roof.label, kTextSize);
      next_row_if(width);
      const std::size_t style = level_style_index(chart_.levels[roof.level], roof.level);
      out_.legend.push_back({{x + 6.0, y - 4.5, 6.0, style, false, false},
                             {x + 18.0, y, Anchor::start, 0.0, kTextSize, "", roof.label}});
      x += width + 18.0;
    }
    if (!chart_.measured.empty()) {
      const std::string text = "lines: ceilings; marks: measured loops of loads and fma";
      next_row_if(text_width(text, kSmall));
      add_text(x, y, Anchor::start, kSmall, "quiet", text);
    }
    if (!chart_.regions.empty()) {
      const std::string text =
          "number: rank by time; size: share of the time; arrow: intensity unbounded";
      next_row_if(text_width(text, kSmall));
      add_text(x, y, Anchor::start, kSmall, "quiet", text);
    }
  }

  /// The innermost level last: where all meet at the compute roof, its marks are on top.
  void place_measured() {
    constexpr double kRadius = 4.5;
    for (auto curve = chart_.measured.rbegin(); curve != chart_.measured.rend(); ++curve) {
      const std::size_t style = level_style_index(chart_.levels[curve->level], curve->level);
      for (const auto& point : curve->points) {
        out_.measured.push_back(
            {x_of(point.intensity), y_of(point.flops_per_second), kRadius, style, false, false});
      }
    }
  }

  [[nodiscard]] static double radius_of(double share) {
    constexpr double kLeast = 4.5;
    constexpr double kSpan = 11.0;
    return kLeast + kSpan * std::sqrt(std::clamp(share, 0.0, 1.0));
  }

  void place_regions() {
    for (const ChartRegion& region : chart_.regions) {
      PlacedRegion placed;
      placed.title = region.title;
      const double radius = radius_of(region.share);
      for (const ChartDot& dot : region.dots) {
        const double y = y_of(dot.flops_per_second.value_or(region.flops_per_second));
        const std::size_t style = level_style_index(chart_.levels[dot.level], dot.level);
        const double x = dot.intensity ? x_of(*dot.intensity) : out_.right - 10.0;
        placed.marks.push_back({x, y, radius, style, false, !dot.intensity});
      }
      join(placed, radius);
      place_number(region, placed);
      out_.regions.push_back(std::move(placed));
    }
  }

  /// One line through dots of one height, else from dot to dot.
  static void join(PlacedRegion& placed, double radius) {
    const auto& marks = placed.marks;
    const bool level = std::all_of(marks.begin(), marks.end(),
                                   [&](const auto& mark) { return mark.y == marks.front().y; });
    if (level && marks.back().x > marks.front().x + radius) {
      placed.lines.push_back(
          {marks.front().x, marks.front().y, marks.back().x, marks.front().y, "join"});
    }
    for (std::size_t i = 1; !level && i < marks.size(); ++i) {
      placed.lines.push_back({marks[i - 1].x, marks[i - 1].y, marks[i].x, marks[i].y, "join"});
    }
  }

  /// The outermost dot becomes the number's seat; where another number sits already, the nearest
  /// free place does, tied to the dot.
  void place_number(const ChartRegion& region, PlacedRegion& placed) {
    PlacedMark& dot = placed.marks.back();
    const std::string text = std::to_string(region.rank);
    const double seat_radius = std::max(dot.radius, text.size() > 2 ? 13.0 : 10.0);
    PlacedMark seat = dot;
    seat.radius = seat_radius;
    seat.numbered = true;
    if (seat.arrow) {
      seat.x -= seat_radius + 2.0;
    }
    const auto [x, y] = free_seat(seat);
    const bool moved = x != seat.x || y != seat.y;
    if (moved) {
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
    placed.number = {x, y + kSmall * 0.36, Anchor::middle, 0.0, kSmall, "rank", text};
  }

  [[nodiscard]] bool seat_is_free(const PlacedMark& seat, double x, double y) const {
    const double room = seat.radius + 1.0;
    if (x - room < out_.left || x + room > out_.right || y - room < out_.top ||
        y + room > out_.bottom) {
      return false;
    }
    return std::none_of(seats_.begin(), seats_.end(), [&](const PlacedMark& other) {
      return std::hypot(other.x - x, other.y - y) < other.radius + seat.radius + 1.0;
    });
  }

  [[nodiscard]] std::pair<double, double> free_seat(const PlacedMark& seat) const {
    constexpr int kDirections = 16;
    constexpr double kRingStep = 6.0;
    constexpr int kRings = 60;
    for (int ring = 0; ring < kRings; ++ring) {
      for (int direction = 0; direction < (ring == 0 ? 1 : kDirections); ++direction) {
        const double angle = 2.0 * std::numbers::pi * direction / kDirections;
        const double distance = ring == 0 ? 0.0 : seat.radius * 1.5 + ring * kRingStep;
        const double x = seat.x + distance * std::cos(angle);
        const double y = seat.y + distance * std::sin(angle);
        if (seat_is_free(seat, x, y)) {
          return {x, y};
        }
      }
    }
    return {seat.x, seat.y};
  }

  void place_roofs() {
    for (const BandwidthRoof& roof : chart_.roofs) {
      const double peak = roof.peak     ? *roof.peak
                          : chart_.roof ? chart_.roof->flops_per_second
                                        : chart_.y.high;
      const double top_rate = std::min(peak, chart_.y.high);
      const double right_rate = std::min(top_rate, chart_.x.high * roof.bytes_per_second);
      const double left_rate = std::max(chart_.y.low, chart_.x.low * roof.bytes_per_second);
      if (left_rate >= right_rate) {
        continue;
      }
      const std::size_t style = level_style_index(chart_.levels[roof.level], roof.level);
      const PlacedLine line{x_of(left_rate / roof.bytes_per_second), y_of(left_rate),
                            x_of(right_rate / roof.bytes_per_second), y_of(right_rate),
                            fmt::format("stroke{}", style)};
      out_.roofs.push_back(line);
      place_roof_label(line, roof.label, style);
    }
  }

  /// Along the line, as low as possible, where it touches no other label and no dot. Without such
  /// a place the legend alone names the roof.
  void place_roof_label(const PlacedLine& line, const std::string& label, std::size_t style) {
    const double dx = line.x2 - line.x1;
    const double dy = line.y2 - line.y1;
    const double length = std::hypot(dx, dy);
    const double angle = std::atan2(dy, dx) * 180.0 / std::numbers::pi;
    constexpr double kAbove = 6.0;
    constexpr double kStep = 6.0;
    const double needed = kBold * text_width(label, kTextSize);
    for (double start = 8.0; start + needed < length; start += kStep) {
      const PlacedText text{line.x1 + dx / length * start + dy / length * kAbove,
                            line.y1 + dy / length * start - dx / length * kAbove,
                            Anchor::start,
                            angle,
                            kTextSize,
                            fmt::format("halo fill{}", style),
                            label};
      if (is_free(box_of(text))) {
        out_.texts.push_back(text);
        return;
      }
    }
  }

  [[nodiscard]] bool inside_plot(const Box& box) const {
    constexpr double kMargin = 3.0;
    const double c = std::abs(std::cos(box.angle * std::numbers::pi / 180.0));
    const double s = std::abs(std::sin(box.angle * std::numbers::pi / 180.0));
    const double half_x = box.half_width * c + box.half_height * s + kMargin;
    const double half_y = box.half_width * s + box.half_height * c + kMargin;
    return box.x - half_x >= out_.left && box.x + half_x <= out_.right &&
           box.y - half_y >= out_.top && box.y + half_y <= out_.bottom;
  }

  [[nodiscard]] bool is_free(const Box& box) const {
    if (!inside_plot(box)) {
      return false;
    }
    const bool text_hit = std::any_of(out_.texts.begin(), out_.texts.end(), [&](const auto& other) {
      return overlap(box, box_of(other));
    });
    const bool mark_hit =
        std::any_of(out_.measured.begin(), out_.measured.end(), [&](const auto& mark) {
          return overlap(box, {mark.x, mark.y, mark.radius, mark.radius, 0.0});
        });
    return !text_hit && !mark_hit &&
           std::none_of(out_.regions.begin(), out_.regions.end(), [&](const PlacedRegion& region) {
             return std::any_of(region.marks.begin(), region.marks.end(), [&](const auto& mark) {
               return overlap(box, {mark.x, mark.y, mark.radius, mark.radius, 0.0});
             });
           });
  }

  const Chart& chart_;
  SvgLayout out_;
  std::vector<PlacedMark> seats_;
};

}  // namespace

SvgLayout layout_svg(const Chart& chart) {
  return Layout(chart).build();
}

}  // namespace ridge::render
