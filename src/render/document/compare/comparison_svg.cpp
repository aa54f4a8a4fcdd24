#include "render/document/compare/comparison_svg.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "render/chart/extent.hpp"
#include "render/chart/palette.hpp"
#include "render/chart/text.hpp"
#include "render/document/compare/cells.hpp"
#include "render/document/compare/change_arrows.hpp"
#include "render/document/compare/change_key.hpp"
#include "render/document/compare/loop_paths.hpp"
#include "render/format/svg/roofline_svg.hpp"
#include "render/format/svg/svg_layout.hpp"
#include "render/format/svg/svg_writer.hpp"

namespace ridge::render {
namespace {

constexpr std::string_view kStyle = R"(
.ridge-change .line{stroke-width:2.2;fill:none}
.ridge-change .old{fill:$page;stroke-width:2}
.ridge-change .seat{fill:$page;stroke-width:2.4}
.ridge-change text{fill:$ink}
.ridge-change .rank{font-weight:700}
.ridge-change .quiet{fill:$quiet}
.ridge-change .faster{stroke:$faster}.ridge-change .tip.faster{fill:$faster}
.ridge-change .slower{stroke:$slower}.ridge-change .tip.slower{fill:$slower}
.ridge-change .slower.line{stroke-dasharray:6 3}
.ridge-change .steady{stroke:$steady}.ridge-change .tip.steady{fill:$steady}
.ridge-change .steady.line{stroke-dasharray:2 3}
.ridge-change .page{fill:$page}
)";
constexpr std::string_view kDarkStyle = R"(
.ridge-change text{fill:$ink}
.ridge-change .quiet{fill:$quiet}
.ridge-change .old,.ridge-change .seat{fill:$page}
.ridge-change .page{fill:$page}
.ridge-change .faster{stroke:$faster}.ridge-change .tip.faster{fill:$faster}
.ridge-change .steady{stroke:$steady}.ridge-change .tip.steady{fill:$steady}
)";

void widen(LogScale& scale, double low, double high) {
  constexpr double kMargin = 1.6;
  scale = scale_between(std::min(scale.low, low / kMargin), std::max(scale.high, high * kMargin));
}

Chart chart_for(const Comparison& comparison, const std::vector<const Profile*>& profiles,
                const std::vector<LoopPath>& paths, Level level) {
  Chart chart = chart_of(*profiles.back(), Prediction{});
  chart.regions.clear();
  chart.specks.clear();
  chart.outside.clear();
  chart.without_traffic.clear();
  chart.measured.clear();
  std::string names;
  for (const ComparedResult& result : comparison.results) {
    names += (names.empty() ? "" : " \u2192 ") + clean(result.label);
  }
  chart.title = names;
  chart.subtitle = fmt::format("roofs of {}; arrows from old to new at the traffic of {}",
                               clean(comparison.results.back().machine), to_string(level));
  for (const LoopPath& path : paths) {
    for (const PathPoint& point : path.points) {
      widen(chart.x, point.intensity, point.intensity);
      widen(chart.y, point.flops_per_second, point.flops_per_second);
    }
  }
  return chart;
}

/// kScreenFonts as an attribute holds them.
std::string fonts() {
  std::string out(kScreenFonts);
  std::replace(out.begin(), out.end(), '"', '\'');
  return out;
}

}  // namespace

std::string comparison_svg(const Comparison& comparison,
                           const std::vector<const Profile*>& profiles) {
  const auto levels = compared_levels(comparison);
  const Level level = levels.empty() ? Level::DRAM : levels.back();
  const std::vector<LoopPath> paths = loop_paths(comparison, level);
  const Chart chart = chart_for(comparison, profiles, paths, level);
  const SvgLayout layout = layout_svg(chart);
  const std::string width = fmt::format("{:.0f}", layout.width);
  const std::string height = fmt::format("{:.0f}", layout.height + height_of_key(paths));
  std::string out(svg::kDeclaration);
  out += svg::opening({.view_box = fmt::format("0 0 {} {}", width, height),
                       .width = width,
                       .height = height,
                       .css = "ridge-change",
                       .labelled = false,
                       .font = fonts()});
  out += svg::title(comparison.summary) + "\n";
  out += svg::style(coloured(kStyle, Theme::light) +
                    on_dark_screens(coloured(kDarkStyle, Theme::dark))) +
         "\n";
  out += svg::ground("page") + "\n";
  out += chart_element(chart, screen_look());
  out += arrows_element(layout_changes(paths, chart, layout));
  return (out + key_element(comparison, paths, layout)).append(svg::kEnd);
}

}  // namespace ridge::render
