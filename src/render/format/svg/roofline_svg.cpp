#include "render/format/svg/roofline_svg.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>

#include <fmt/format.h>

#include "render/chart/heat.hpp"
#include "render/chart/names.hpp"
#include "render/chart/palette.hpp"
#include "render/format/svg/svg_elements.hpp"
#include "render/format/svg/svg_layout.hpp"
#include "render/format/svg/svg_writer.hpp"

namespace ridge::render {
namespace {

constexpr std::string_view kStyle = R"(
.ridge-roofline{font-family:$fonts}
.ridge-roofline text{fill:$ink}
.ridge-roofline .background{fill:$page}
.ridge-roofline .frame{fill:none;stroke:$frame;stroke-width:1.2}
.ridge-roofline .title{font-weight:600}
.ridge-roofline .strong{font-weight:600}
.ridge-roofline .quiet{fill:$quiet}
.ridge-roofline .minor{stroke:$minor}
.ridge-roofline .major{stroke:$major}
.ridge-roofline .roof{stroke:$ink;stroke-width:2.6}
.ridge-roofline .dashed{stroke:$ceiling;stroke-width:1.2;stroke-dasharray:7 5}
.ridge-roofline .leader{stroke:$leader;stroke-width:1}
.ridge-roofline .join{stroke:$join;stroke-width:1}
.ridge-roofline .tie{stroke:$join;stroke-width:1;stroke-dasharray:2 2}
.ridge-roofline .whisker{stroke:$quiet;stroke-width:1.1}
.ridge-roofline .neutral{stroke:$ink}
.ridge-roofline .bandwidth{stroke-width:2.6;fill:none}
.ridge-roofline .reached{fill:none;stroke-width:1.2;stroke-opacity:.75}
.ridge-roofline .halo{paint-order:stroke;stroke:$page;stroke-width:4px;stroke-linejoin:round;font-weight:600}
.ridge-roofline .dot{stroke:$ink;stroke-width:.8;fill-opacity:.72}
.ridge-roofline .seat{fill:$page;stroke-width:2.4}
.ridge-roofline .rank{font-weight:700}
.ridge-roofline .speck{fill:$quiet;fill-opacity:.6}
.ridge-roofline .memory{fill:$memoryzone}
.ridge-roofline .compute{fill:$computezone}
.ridge-roofline .more{display:none}
.ridge-roofline .region:hover .more{display:inline}
)";
/// Lines as thin as those of printed figures.
constexpr std::string_view kPaperStyle = R"(
.ridge-roofline{font-family:Helvetica,Arial,"Liberation Sans","DejaVu Sans",sans-serif}
.ridge-roofline .frame{stroke-width:.6}
.ridge-roofline .minor{stroke-width:.3}
.ridge-roofline .major{stroke-width:.4}
.ridge-roofline .roof,.ridge-roofline .bandwidth{stroke-width:1.1}
.ridge-roofline .dashed{stroke-width:.5;stroke-dasharray:3 2}
.ridge-roofline .leader,.ridge-roofline .join{stroke-width:.4}
.ridge-roofline .tie{stroke-width:.4;stroke-dasharray:1 1}
.ridge-roofline .whisker{stroke-width:.5}
.ridge-roofline .reached{stroke-width:.5}
.ridge-roofline .halo{stroke-width:1.6px}
.ridge-roofline .dot{stroke-width:.4}
.ridge-roofline .seat{stroke-width:1}
)";
constexpr std::string_view kDarkStyle = R"(
.ridge-roofline text{fill:$ink}
.ridge-roofline .background{fill:$page}
.ridge-roofline .frame{stroke:$frame}
.ridge-roofline .quiet{fill:$quiet}
.ridge-roofline .minor{stroke:$minor}
.ridge-roofline .major{stroke:$major}
.ridge-roofline .roof{stroke:$ink}
.ridge-roofline .dashed{stroke:$ceiling}
.ridge-roofline .leader,.ridge-roofline .join,.ridge-roofline .tie{stroke:$join}
.ridge-roofline .whisker{stroke:$quiet}
.ridge-roofline .neutral{stroke:$ink}
.ridge-roofline .halo{stroke:$page}
.ridge-roofline .dot{stroke:$ink}
.ridge-roofline .seat{fill:$page}
.ridge-roofline .speck{fill:$quiet}
.ridge-roofline .memory{fill:$memoryzone}
.ridge-roofline .compute{fill:$computezone}
)";

/// Of charts of several machines alone.
constexpr std::string_view kMachinesStyle = R"(
.ridge-roofline .lower{stroke-width:1.3;stroke-dasharray:7 5}
.ridge-roofline .spectrum{fill:$quiet;fill-opacity:.4}
)";
constexpr std::string_view kMachinesPaperStyle = R"(
.ridge-roofline .lower{stroke-width:.5;stroke-dasharray:3 2}
)";

std::string level_rules(Theme theme) {
  std::string out;
  for (std::size_t i = 0; i < kLevelStyles; ++i) {
    out += fmt::format(
        ".ridge-roofline .fill{0}{{fill:{1}}}.ridge-roofline .stroke{0}{{stroke:{1}}}\n", i,
        level_style_at(i).colour.in(theme));
  }
  return out;
}

std::string heat_rules(const Chart& chart, Theme theme) {
  std::string out;
  for (std::size_t step = 0; chart.heat && step < kHeatSteps; ++step) {
    out += fmt::format(".ridge-roofline .heat{}{{fill:{};fill-opacity:.9}}\n", step,
                       heat_style(step).colour.in(theme));
  }
  return out;
}

bool has_lower_lines(const Chart& chart) {
  const auto lower = [](const auto& line) { return line.lower; };
  return std::any_of(chart.roofs.begin(), chart.roofs.end(), lower) ||
         std::any_of(chart.lower_ceilings.begin(), chart.lower_ceilings.end(), lower);
}

std::string sheet_of(const Chart& chart, const SvgLook& look) {
  const bool of_machines = has_lower_lines(chart) || !chart.spectrum.empty();
  const std::string sheet =
      coloured(kStyle, Theme::light) + (of_machines ? coloured(kMachinesStyle, Theme::light) : "");
  if (look.paper) {
    return sheet + std::string(kPaperStyle) + std::string(of_machines ? kMachinesPaperStyle : "") +
           level_rules(Theme::light) + heat_rules(chart, Theme::light);
  }
  return sheet + level_rules(Theme::light) + heat_rules(chart, Theme::light) +
         on_dark_screens(coloured(kDarkStyle, Theme::dark) + level_rules(Theme::dark) +
                         heat_rules(chart, Theme::dark));
}

std::vector<svg::Pixel> pixels_of(const std::vector<std::pair<double, double>>& points) {
  std::vector<svg::Pixel> pixels;
  for (const auto& [x, y] : points) {
    pixels.push_back({x, y});
  }
  return pixels;
}

std::string polyline_element(const PlacedPolyline& line) {
  return svg::polyline(pixels_of(line.points), fmt::format("reached stroke{}", line.style)) + "\n";
}

std::string band_element(const PlacedBand& band) {
  return svg::polygon(pixels_of(band.points), fmt::format("fill{}", band.style), ".13") + "\n";
}

std::string lines_and_marks(const std::vector<PlacedLine>& lines,
                            const std::vector<PlacedMark>& marks) {
  std::string out;
  for (const PlacedLine& line : lines) {
    out += line_element(line);
  }
  for (const PlacedMark& mark : marks) {
    out += mark_element(mark);
  }
  return out;
}

/// Number and dots show one tooltip, and the dots of the other levels where a reader points at one
/// of them.
std::string region_group(const PlacedRegion& region) {
  assert(!region.marks.empty());
  std::string out = svg::title(region.title) + "\n";
  if (!region.number.text.empty()) {
    out += text_element(region.number);
  }
  if (!region.hover_marks.empty()) {
    out += svg::element("g", {{"class", "more"}},
                        "\n" + lines_and_marks(region.hover_lines, region.hover_marks)) +
           "\n";
  }
  std::vector<PlacedMark> marks = region.marks;
  std::rotate(marks.begin() + static_cast<std::ptrdiff_t>(region.main),
              marks.begin() + static_cast<std::ptrdiff_t>(region.main) + 1, marks.end());
  out += lines_and_marks({}, marks);  // the main one on top
  return svg::element("g", {{"class", "region"}}, out) + "\n";
}

double size_of(const PlacedRegion& region) {
  return region.marks[region.main].radius;
}

/// Specks below lines, lines below all dots; of the dots the largest first, so that small ones are
/// not hidden.
std::string region_layers(const SvgLayout& layout) {
  std::string out;
  for (const PlacedMark& speck : layout.specks) {
    out += svg::circle({speck.x, speck.y}, svg::tenths(speck.radius), "speck") + "\n";
  }
  std::vector<const PlacedRegion*> painted;
  for (const PlacedRegion& region : layout.regions) {
    out += lines_and_marks(region.lines, {});
    painted.push_back(&region);
  }
  std::stable_sort(
      painted.begin(), painted.end(),
      [](const PlacedRegion* a, const PlacedRegion* b) { return size_of(*a) > size_of(*b); });
  for (const PlacedRegion* region : painted) {
    out += region_group(*region);
  }
  return out;
}

std::string zone_element(const PlacedZone& zone, const SvgLayout& layout) {
  return svg::rectangle({zone.left, layout.top}, zone.right - zone.left, layout.bottom - layout.top,
                        zone.memory_bound ? "memory" : "compute") +
         "\n";
}

std::string legend_element(const PlacedLegend& entry) {
  std::string out;
  if (entry.line) {
    out += line_element(*entry.line);
  }
  if (entry.mark) {
    out += mark_element(*entry.mark);
  }
  return out + text_element(entry.text);
}

std::string description(const Chart& chart) {
  std::string text = "Log-log chart of performance over intensity.";
  for (const BandwidthRoof& roof : chart.roofs) {
    text += fmt::format(" Bandwidth roof {}.", roof.label);
  }
  if (chart.roof) {
    text += fmt::format(" Compute roof {}.", chart.roof->label);
  }
  for (const MeasuredCurve& curve : chart.measured) {
    text += fmt::format(" {} measured at {} intensities.", chart.levels[curve.level],
                        curve.points.size());
  }
  for (const ChartRegion& region : chart.regions) {
    text += fmt::format(" {}.", region.title);
  }
  return text;
}

std::string body(const SvgLayout& layout) {
  std::string out;
  for (const PlacedZone& zone : layout.zones) {
    out += zone_element(zone, layout);
  }
  for (const PlacedLine& line : layout.grid) {
    out += line_element(line);
  }
  for (const PlacedBand& band : layout.bands) {
    out += band_element(band);
  }
  for (const PlacedLine& line : layout.ceilings) {
    out += line_element(line);
  }
  for (const PlacedPolyline& line : layout.measured_lines) {
    out += polyline_element(line);
  }
  for (PlacedLine line : layout.roofs) {
    line.css += " bandwidth";
    out += line_element(line);
  }
  out += svg::rectangle({layout.left, layout.top}, layout.right - layout.left,
                        layout.bottom - layout.top, "frame") +
         "\n";
  for (const PlacedText& text : layout.texts) {
    out += text_element(text);
  }
  for (const PlacedSpan& bar : layout.spectrum) {
    out += svg::rectangle({bar.x, bar.y}, bar.width, bar.height, "spectrum") + "\n";
  }
  for (const PlacedLegend& entry : layout.legend) {
    out += legend_element(entry);
  }
  for (const PlacedMark& mark : layout.measured) {
    out += mark_element(mark);
  }
  out += region_layers(layout);
  return out;
}

/// "1120" in pixels, or "8.5cm".
std::string printed_size(double size, const SvgLook& look) {
  return look.unit.empty()
             ? fmt::format("{:.0f}", size)
             : fmt::format("{:.4g}{}", size / look.width * look.print_width, look.unit);
}

std::string element_of(const Chart& chart, const SvgLook& look) {
  const SvgLayout layout = layout_svg(chart, look);
  std::string out =
      svg::opening({.view_box = fmt::format("0 0 {:.4g} {:.4g}", layout.width, layout.height),
                    .width = printed_size(layout.width, look),
                    .height = printed_size(layout.height, look),
                    .css = "ridge-roofline",
                    .labelled = true,
                    .font = {}});
  out += svg::title_of_root(chart.title.empty() ? "Roofline" : chart.title) + "\n";
  out += svg::description_of_root(description(chart)) + "\n";
  out += svg::style(sheet_of(chart, look)) + "\n";
  out += svg::ground("background") + "\n";
  if (!chart.roof && chart.roofs.empty() && chart.regions.empty()) {
    out += text_element({layout.width / 2.0, layout.height / 2.0, Anchor::middle, 0.0, 15.0,
                         "quiet", "No ceilings, and no loops with both work and time, are known."});
    return out.append(svg::kEnd);
  }
  return (out + body(layout)).append(svg::kEnd);
}

}  // namespace

std::string roofline_svg(const Profile& profile, const Prediction& prediction, CountedWork work) {
  return std::string(svg::kDeclaration) +
         element_of(chart_of(profile, prediction, {}, work), screen_look());
}

std::string roofs_svg(const Machine& machine) {
  return chart_svg(chart_of(machine));
}

std::string chart_element(const Chart& chart, const SvgLook& look) {
  return element_of(chart, look);
}

std::string chart_svg(const Chart& chart, const SvgLook& look) {
  return std::string(svg::kDeclaration) + element_of(chart, look);
}

}  // namespace ridge::render
