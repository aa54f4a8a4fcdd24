#include "render/document/compare/comparison_svg.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "render/chart/extent.hpp"
#include "render/chart/format_si.hpp"
#include "render/chart/text.hpp"
#include "render/document/compare/cells.hpp"
#include "render/format/svg/roofline_svg.hpp"
#include "render/format/svg/svg_layout.hpp"

namespace ridge::render {
namespace {

constexpr std::size_t kMostLoops = 10;
constexpr double kKeySize = 13.0;
constexpr double kKeyLine = 21.0;
constexpr double kDot = 5.0;
constexpr double kSeat = 9.0;  ///< the dot of the last result holds the number

constexpr std::string_view kStyle = R"(
.ridge-change .line{stroke-width:2.2;fill:none}
.ridge-change .old{fill:#fff;stroke-width:2}
.ridge-change .seat{fill:#fff;stroke-width:2.4}
.ridge-change text{fill:#1d2328}
.ridge-change .rank{font-weight:700}
.ridge-change .quiet{fill:#5b6570}
.ridge-change .faster{stroke:#0072b2}.ridge-change .tip.faster{fill:#0072b2}
.ridge-change .slower{stroke:#d55e00}.ridge-change .tip.slower{fill:#d55e00}
.ridge-change .slower.line{stroke-dasharray:6 3}
.ridge-change .steady{stroke:#6b757d}.ridge-change .tip.steady{fill:#6b757d}
.ridge-change .steady.line{stroke-dasharray:2 3}
.ridge-change .page{fill:#fff}
@media screen and (prefers-color-scheme:dark){
.ridge-change text{fill:#e4e8eb}
.ridge-change .quiet{fill:#9aa4ad}
.ridge-change .old,.ridge-change .seat{fill:#15191d}
.ridge-change .page{fill:#15191d}
.ridge-change .faster{stroke:#56b4e9}.ridge-change .tip.faster{fill:#56b4e9}
.ridge-change .steady{stroke:#9aa4ad}.ridge-change .tip.steady{fill:#9aa4ad}
}
)";

struct Point {
  std::size_t result = 0;
  double intensity = 0.0;
  double flops_per_second = 0.0;
};

struct Path {
  unsigned rank = 0;
  const ComparedLoop* loop = nullptr;
  std::vector<Point> points;  ///< by result; empty: nothing to draw
  std::string_view css;       ///< "faster", "slower", "steady"
};

/// From the first to the last place: by time, within its spread.
std::string_view direction_of(const Comparison& comparison, const ComparedLoop& loop) {
  const LoopStep* step = find_step(loop, comparison.steps.size() - 1);
  const Change* time = step != nullptr ? find_change(*step, "time") : nullptr;
  if (time == nullptr || time->verdict != Verdict::changed || !time->ratio) {
    return "steady";
  }
  return *time->ratio < 1.0 ? "faster" : "slower";
}

std::vector<Path> paths_of(const Comparison& comparison, const std::string& level) {
  std::vector<Path> paths;
  for (const ComparedLoop* loop : notable_loops(comparison, kMostLoops)) {
    Path path;
    path.rank = static_cast<unsigned>(paths.size() + 1);
    path.loop = loop;
    path.css = direction_of(comparison, *loop);
    for (const Place& place : loop->places) {
      const RegionFigure* rate = find_figure(place, "performance");
      const RegionFigure* intensity = find_figure(place, "intensity." + level);
      const RegionFigure* bytes = find_figure(place, "bytes");
      const bool worth = rate != nullptr && intensity != nullptr && bytes != nullptr &&
                         rate->value * 1000.0 >=
                             bytes->value / std::max(1e-300, find_figure(place, "time")->value);
      if (worth && drawable(intensity->value) && drawable(rate->value)) {
        path.points.push_back({place.result, intensity->value, rate->value});
      }
    }
    paths.push_back(std::move(path));
  }
  return paths;
}

void widen(LogScale& scale, double low, double high) {
  constexpr double kMargin = 1.6;
  scale = scale_between(std::min(scale.low, low / kMargin), std::max(scale.high, high * kMargin));
}

Chart chart_for(const Comparison& comparison, const std::vector<const Profile*>& profiles,
                const std::vector<Path>& paths, const std::string& level) {
  Chart chart = chart_of(*profiles.back(), Prediction{});
  chart.regions.clear();
  chart.without_traffic.clear();
  chart.measured.clear();
  std::string names;
  for (const ComparedResult& result : comparison.results) {
    names += (names.empty() ? "" : " \u2192 ") + clean(result.label);
  }
  chart.title = names;
  chart.subtitle = fmt::format("roofs of {}; arrows from old to new at the traffic of {}",
                               clean(comparison.results.back().machine), clean(level));
  for (const Path& path : paths) {
    for (const Point& point : path.points) {
      widen(chart.x, point.intensity, point.intensity);
      widen(chart.y, point.flops_per_second, point.flops_per_second);
    }
  }
  return chart;
}

class Drawing {
 public:
  Drawing(const Chart& chart, const SvgLayout& layout) : chart_(chart), layout_(layout) {}

  std::string arrows(const std::vector<Path>& paths) {
    std::string lines;
    std::string seats;
    for (const Path& path : paths) {
      if (!path.points.empty()) {
        taken_.push_back(box_at(at(path.points.back()), kSeat));
      }
    }
    for (auto path = paths.rbegin(); path != paths.rend(); ++path) {
      lines += line_of(*path);
    }
    for (auto path = paths.rbegin(); path != paths.rend(); ++path) {
      seats += seat_of(*path);
    }
    return lines + seats;
  }

 private:
  struct Pixel {
    double x = 0.0;
    double y = 0.0;
  };

  [[nodiscard]] Pixel at(const Point& point) const {
    return {layout_.left + chart_.x.position(point.intensity) * (layout_.right - layout_.left),
            layout_.bottom -
                chart_.y.position(point.flops_per_second) * (layout_.bottom - layout_.top)};
  }

  static Box box_at(Pixel pixel, double radius) { return {pixel.x, pixel.y, radius, radius, 0.0}; }

  static std::string arrow(Pixel from, Pixel to, double end_gap, std::string_view css) {
    const double length = std::hypot(to.x - from.x, to.y - from.y);
    constexpr double kHead = 9.0;
    if (length < kDot + end_gap + kHead) {
      return {};  // the dots touch: no room, and nothing to show
    }
    const double ux = (to.x - from.x) / length;
    const double uy = (to.y - from.y) / length;
    const Pixel start{from.x + ux * kDot, from.y + uy * kDot};
    const Pixel tip{to.x - ux * end_gap, to.y - uy * end_gap};
    const Pixel base{tip.x - ux * kHead, tip.y - uy * kHead};
    constexpr double kHalf = 4.5;
    return fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" class=\"line {}\"/>"
        "<polygon points=\"{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f}\" class=\"tip {}\"/>\n",
        start.x, start.y, base.x, base.y, css, tip.x, tip.y, base.x - uy * kHalf,
        base.y + ux * kHalf, base.x + uy * kHalf, base.y - ux * kHalf, css);
  }

  std::string line_of(const Path& path) const {
    std::string out;
    for (std::size_t i = 0; i + 1 < path.points.size(); ++i) {
      const Pixel from = at(path.points[i]);
      const bool last = i + 2 == path.points.size();
      out += arrow(from, at(path.points[i + 1]), last ? kSeat + 1.0 : kDot + 1.0, path.css);
      out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" class=\"old {}\"/>\n",
                         from.x, from.y, kDot, path.css);
    }
    return out;
  }

  /// The number stands in the dot, or aside where another one stands there.
  std::string seat_of(const Path& path) {
    if (path.points.empty()) {
      return {};
    }
    const Pixel dot = at(path.points.back());
    const Pixel seat = free_place(dot, path.rank);
    std::string out;
    if (seat.x != dot.x || seat.y != dot.y) {
      out += fmt::format(
          "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" class=\"tip {}\"/>"
          "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" class=\"{}\"/>\n",
          dot.x, dot.y, kDot, path.css, dot.x, dot.y, seat.x, seat.y, path.css);
    }
    placed_.push_back(box_at(seat, kSeat));
    return out + fmt::format(
                     "<g><title>{}</title><circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" "
                     "class=\"seat {}\"/><text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"11\" "
                     "text-anchor=\"middle\" class=\"rank\">{}</text></g>\n",
                     escape_markup(loop_text(*path.loop, path.loop->places.back(), 120)), seat.x,
                     seat.y, kSeat, path.css, seat.x, seat.y + 4.0, path.rank);
  }

  [[nodiscard]] bool is_free(Pixel pixel) const {
    const Box box = box_at(pixel, kSeat);
    return std::none_of(placed_.begin(), placed_.end(),
                        [&](const Box& other) { return overlap(box, other); });
  }

  [[nodiscard]] Pixel free_place(Pixel dot, unsigned) const {
    if (is_free(dot)) {
      return dot;
    }
    constexpr std::array<Pixel, 8> kAround{
        {{1, 0}, {0.7, -0.7}, {0, -1}, {-0.7, -0.7}, {-1, 0}, {-0.7, 0.7}, {0, 1}, {0.7, 0.7}}};
    for (const double distance : {22.0, 36.0, 50.0, 64.0}) {
      for (const Pixel& way : kAround) {
        const Pixel place{dot.x + way.x * distance, dot.y + way.y * distance};
        const bool inside = place.x > layout_.left && place.x < layout_.right &&
                            place.y > layout_.top && place.y < layout_.bottom;
        if (inside && is_free(place) && is_clear_of_dots(place)) {
          return place;
        }
      }
    }
    return dot;
  }

  [[nodiscard]] bool is_clear_of_dots(Pixel pixel) const {
    const Box box = box_at(pixel, kSeat);
    return std::none_of(taken_.begin(), taken_.end(),
                        [&](const Box& other) { return overlap(box, other); });
  }

  const Chart& chart_;
  const SvgLayout& layout_;
  std::vector<Box> taken_;   ///< dots of the last result
  std::vector<Box> placed_;  ///< numbers
};

std::string key_text(const Comparison& comparison, const Path& path) {
  constexpr std::size_t kName = 44;
  const ComparedLoop& loop = *path.loop;
  std::string times;
  std::string bounds;
  std::string last_bound;
  for (const Place& place : loop.places) {
    times += (times.empty() ? "" : " \u2192 ") + figure_text(find_figure(place, "time"));
    const std::string bound = limit_text(place);
    if (place.limit && bound != last_bound) {
      bounds += (bounds.empty() ? "" : " \u2192 ") + bound;
      last_bound = bound;
    }
  }
  const LoopStep* step = find_step(loop, comparison.steps.size() - 1);
  const std::string change =
      step != nullptr ? " (" + change_text(find_change(*step, "time")) + ")" : " (not in both)";
  return fmt::format("{}: {}{}{}{}{}", loop_text(loop, loop.places.back(), kName), times, change,
                     bounds.empty() ? "" : "; bound: ", bounds,
                     path.points.empty() ? "; not drawn" : "");
}

std::string key(const Comparison& comparison, const std::vector<Path>& paths,
                const SvgLayout& layout) {
  std::string out;
  double y = layout.height + kKeyLine * 0.8;
  const auto most =
      static_cast<std::size_t>((layout.width - layout.left - 70.0) / (kKeySize * 0.6));
  for (const Path& path : paths) {
    out += fmt::format(
        "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{}\" text-anchor=\"end\" class=\"rank\">{}"
        "</text><line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" class=\"line {}\"/>"
        "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{}\">{}</text>\n",
        layout.left - 6.0, y, kKeySize, path.rank, layout.left, y - 4.5, layout.left + 26.0,
        y - 4.5, path.css, layout.left + 34.0, y, kKeySize,
        escape_markup(shorten_middle(key_text(comparison, path), most)));
    y += kKeyLine;
  }
  out += fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"12\" class=\"quiet\">solid: faster; dashed: "
      "slower; dotted: no change beyond the spread. Hollow: older results.</text>\n",
      layout.left, y);
  return out;
}

std::string_view without_declaration(std::string_view svg) {
  const std::size_t at = svg.find("<svg");
  return at == std::string_view::npos ? svg : svg.substr(at);
}

}  // namespace

std::string comparison_svg(const Comparison& comparison,
                           const std::vector<const Profile*>& profiles) {
  const auto levels = compared_levels(comparison);
  const std::string level = levels.empty() ? "DRAM" : levels.back();
  const std::vector<Path> paths = paths_of(comparison, level);
  const Chart chart = chart_for(comparison, profiles, paths, level);
  const SvgLayout layout = layout_svg(chart);
  const double height = layout.height + kKeyLine * (static_cast<double>(paths.size()) + 1.8);
  std::string out = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" role=\"img\" "
      "class=\"ridge-change\" font-family=\"system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica "
      "Neue',Arial,sans-serif\">\n<title>{2}</title>\n<style>{3}</style>\n<rect width=\"100%\" "
      "height=\"100%\" class=\"page\"/>\n",
      layout.width, height, escape_markup(comparison.summary), kStyle);
  out += without_declaration(chart_svg(chart));
  out += Drawing(chart, layout).arrows(paths);
  return out + key(comparison, paths, layout) + "</svg>\n";
}

}  // namespace ridge::render
