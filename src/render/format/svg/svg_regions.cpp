// Dots of regions with their joins and whiskers, specks, zones, and measured roofs.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/identity/level.hpp"
#include "render/chart/chart_geometry.hpp"
#include "render/chart/heat.hpp"
#include "render/format/svg/svg_sheet.hpp"

namespace ridge::render {
namespace {

/// Specks are smaller than any mark, and circles, as the style of DRAM is.
constexpr double kSpeck = 1.5;
/// Of the dots at other levels, beside the one at the level that binds.
constexpr double kBeside = 0.55;

/// By the share of the whole time, not by that of the hottest: 0.1 % looks small wherever it
/// stands.
double radius_of(const Chart& chart, double share) {
  const double root = std::sqrt(std::clamp(share, 0.0, 1.0));
  return chart.heat ? 2.5 + 19.0 * root : 4.5 + 11.0 * root;
}

class Regions {
 public:
  explicit Regions(Sheet& sheet) : sheet_(sheet) {}

  void place() {
    for (const ChartSpeck& speck : sheet_.chart.specks) {
      sheet_.out.specks.push_back({sheet_.x_of(speck.intensity),
                                   sheet_.y_of(speck.flops_per_second), kSpeck * sheet_.look.mark,
                                   level_style_index(to_string(Level::DRAM), 0)});
    }
    for (const ChartRegion& region : sheet_.chart.regions) {
      place(region);
    }
  }

 private:
  void place(const ChartRegion& region) {
    PlacedRegion placed;
    placed.title = region.title;
    std::vector<PlacedMark> all;
    for (std::size_t i = 0; i < region.dots.size(); ++i) {
      all.push_back(mark_of(region, i));
      const bool is_main = i == region.main_index();
      placed.main = is_main ? placed.marks.size() : placed.main;
      (region.draws(i) ? placed.marks : placed.hover_marks).push_back(all.back());
    }
    join(placed.marks, placed.lines);
    if (!placed.hover_marks.empty()) {
      join(all, placed.hover_lines);
    }
    add_whiskers(region, all, placed);
    sheet_.out.regions.push_back(std::move(placed));
  }

  [[nodiscard]] PlacedMark mark_of(const ChartRegion& region, std::size_t i) const {
    const Chart& chart = sheet_.chart;
    const ChartDot& dot = region.dots[i];
    const double scale = sheet_.look.mark;
    const double beside = chart.heat && i != region.main_index() ? kBeside : 1.0;
    const double edge = 10.0 * scale;
    return {.x = dot.intensity ? sheet_.x_of(*dot.intensity) : sheet_.out.right - edge,
            .y = sheet_.y_of(region.rate_of(dot)),
            .radius = scale * std::max(2.5, beside * radius_of(chart, region.share)),
            .style = sheet_.style_of(dot.level),
            .arrow = !dot.intensity,
            .edge = edge,
            .hollow = dot.hollow,
            .heat = chart.heat ? std::optional(heat_step(region.share)) : std::nullopt};
  }

  /// One line through dots of one height, else from dot to dot.
  static void join(const std::vector<PlacedMark>& marks, std::vector<PlacedLine>& lines) {
    const bool level = std::all_of(marks.begin(), marks.end(),
                                   [&](const auto& mark) { return mark.y == marks.front().y; });
    const auto [left, right] = std::minmax_element(
        marks.begin(), marks.end(), [](const auto& a, const auto& b) { return a.x < b.x; });
    if (level && right->x > left->x + left->radius) {
      lines.push_back({left->x, left->y, right->x, left->y, "join"});
    }
    for (std::size_t i = 1; !level && i < marks.size(); ++i) {
      lines.push_back({marks[i - 1].x, marks[i - 1].y, marks[i].x, marks[i].y, "join"});
    }
  }

  /// The 80 % interval of the rate, where it reaches beyond the mark: at the main dot, or of runs
  /// at each.
  void add_whiskers(const ChartRegion& region, const std::vector<PlacedMark>& marks,
                    PlacedRegion& placed) const {
    for (std::size_t i = 0; i < region.dots.size(); ++i) {
      const auto& spread = region.dots[i].spread ? region.dots[i].spread : region.spread;
      const bool wanted = sheet_.chart.dots_are_runs || i == region.main_index();
      if (wanted && spread && !marks[i].arrow) {
        whisker(marks[i], *spread, aside(i, region.dots.size()), placed);
      }
    }
  }

  void whisker(const PlacedMark& mark, const RateSpread& spread, double aside,
               PlacedRegion& placed) const {
    const double high = std::max(sheet_.y_of(spread.high), sheet_.out.top);
    const double low = std::min(sheet_.y_of(spread.low), sheet_.out.bottom);
    if (mark.y - high <= mark.radius && low - mark.y <= mark.radius) {
      return;
    }
    const double cap = 3.0 * sheet_.look.mark;
    const double x = mark.x + aside;
    const std::string css =
        sheet_.chart.dots_are_runs ? fmt::format("whisker stroke{}", mark.style) : "whisker";
    placed.lines.push_back({x, high, x, low, css});
    placed.lines.push_back({x - cap, high, x + cap, high, css});
    placed.lines.push_back({x - cap, low, x + cap, low, css});
  }

  /// Runs of one region stand above one another: their whiskers stand side by side.
  [[nodiscard]] double aside(std::size_t i, std::size_t count) const {
    constexpr double kStep = 4.0;
    return sheet_.chart.dots_are_runs
               ? (static_cast<double>(i) - (static_cast<double>(count) - 1.0) / 2.0) * kStep *
                     sheet_.look.mark
               : 0.0;
  }

  Sheet& sheet_;
};

bool inside(const LogScale& scale, double value) {
  return value >= scale.low && value <= scale.high;
}

}  // namespace

void place_regions(Sheet& sheet) {
  Regions(sheet).place();
  place_labels(sheet);
}

void place_zones(Sheet& sheet) {
  for (const Zone& zone : zones_of(sheet.chart)) {
    sheet.out.zones.push_back({sheet.x_of(zone.low), sheet.x_of(zone.high), zone.memory_bound});
  }
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
        sheet.out.measured.push_back({x, y, radius, style});
      }
    }
    if (line.points.size() > 1) {
      sheet.out.measured_lines.push_back(std::move(line));
    }
  }
}

}  // namespace ridge::render
