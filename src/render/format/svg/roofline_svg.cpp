#include "render/format/svg/roofline_svg.hpp"

#include <fmt/format.h>

#include "render/chart/names.hpp"
#include "render/chart/text.hpp"
#include "render/format/svg/svg_elements.hpp"
#include "render/format/svg/svg_layout.hpp"

namespace ridge::render {
namespace {

constexpr std::string_view kStyle = R"(
.ridge-roofline{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
.ridge-roofline text{fill:#1d2328}
.ridge-roofline .background{fill:#fff}
.ridge-roofline .frame{fill:none;stroke:#1d2328;stroke-width:1.2}
.ridge-roofline .title{font-weight:600}
.ridge-roofline .strong{font-weight:600}
.ridge-roofline .quiet{fill:#5b6570}
.ridge-roofline .minor{stroke:#eceff1}
.ridge-roofline .major{stroke:#d3d8dc}
.ridge-roofline .roof{stroke:#1d2328;stroke-width:2.6}
.ridge-roofline .dashed{stroke:#1d2328;stroke-width:1.2;stroke-dasharray:7 5}
.ridge-roofline .leader{stroke:#8a949d;stroke-width:1}
.ridge-roofline .join{stroke:#7a858e;stroke-width:1}
.ridge-roofline .tie{stroke:#7a858e;stroke-width:1;stroke-dasharray:2 2}
.ridge-roofline .whisker{stroke:#5b6570;stroke-width:1.1}
.ridge-roofline .neutral{stroke:#1d2328}
.ridge-roofline .bandwidth{stroke-width:2.6;fill:none}
.ridge-roofline .reached{fill:none;stroke-width:1.2;stroke-opacity:.75}
.ridge-roofline .halo{paint-order:stroke;stroke:#fff;stroke-width:4px;stroke-linejoin:round;font-weight:600}
.ridge-roofline .dot{stroke:#1d2328;stroke-width:.8;fill-opacity:.72}
.ridge-roofline .seat{fill:#fff;stroke-width:2.4}
.ridge-roofline .rank{font-weight:700}
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
.ridge-roofline text{fill:#e4e8eb}
.ridge-roofline .background{fill:#15191d}
.ridge-roofline .frame{stroke:#9aa4ad}
.ridge-roofline .quiet{fill:#9aa4ad}
.ridge-roofline .minor{stroke:#20262b}
.ridge-roofline .major{stroke:#343c43}
.ridge-roofline .roof{stroke:#e4e8eb}
.ridge-roofline .dashed{stroke:#c3cad0}
.ridge-roofline .leader,.ridge-roofline .join,.ridge-roofline .tie{stroke:#77828b}
.ridge-roofline .whisker{stroke:#9aa4ad}
.ridge-roofline .neutral{stroke:#e4e8eb}
.ridge-roofline .halo{stroke:#15191d}
.ridge-roofline .dot{stroke:#e4e8eb}
.ridge-roofline .seat{fill:#15191d}
)";

std::string level_rules(bool dark) {
  std::string out;
  for (std::size_t i = 0; i < kLevelStyles; ++i) {
    const LevelStyle& style = level_style_at(i);
    const std::string_view colour = dark ? style.dark : style.light;
    out += fmt::format(
        ".ridge-roofline .fill{0}{{fill:{1}}}.ridge-roofline .stroke{0}{{stroke:{1}}}\n", i,
        colour);
  }
  return out;
}

std::string style_element(const SvgLook& look) {
  if (look.paper) {
    return fmt::format("<style>{}{}{}</style>\n", kStyle, kPaperStyle, level_rules(false));
  }
  return fmt::format("<style>{}{}@media screen and (prefers-color-scheme:dark){{{}{}}}\n</style>\n",
                     kStyle, level_rules(false), kDarkStyle, level_rules(true));
}

std::string polyline_element(const PlacedPolyline& line) {
  std::string points;
  for (const auto& [x, y] : line.points) {
    points += fmt::format("{}{:.1f},{:.1f}", points.empty() ? "" : " ", x, y);
  }
  return fmt::format("<polyline points=\"{}\" class=\"reached stroke{}\"/>\n", points, line.style);
}

std::string band_element(const PlacedBand& band) {
  std::string points;
  for (const auto& [x, y] : band.points) {
    points += fmt::format("{}{:.1f},{:.1f}", points.empty() ? "" : " ", x, y);
  }
  return fmt::format("<polygon points=\"{}\" fill-opacity=\".13\" class=\"fill{}\"/>\n", points,
                     band.style);
}

/// The dots of a region, or its number with the seat; both show the same tooltip.
std::string region_group(const PlacedRegion& region, bool seats) {
  std::string out = "<g><title>" + escape_markup(region.title) + "</title>\n";
  for (const PlacedMark& mark : region.marks) {
    out += mark.numbered == seats ? mark_element(mark) : std::string();
  }
  return out + (seats ? text_element(region.number) : std::string()) + "</g>\n";
}

/// Lines below all dots, dots below all numbers; the region with most time on top of its layer.
std::string region_layers(const std::vector<PlacedRegion>& regions) {
  std::string out;
  for (const PlacedRegion& region : regions) {
    for (const PlacedLine& line : region.lines) {
      out += line_element(line);
    }
  }
  for (const bool seats : {false, true}) {
    for (auto region = regions.rbegin(); region != regions.rend(); ++region) {
      out += region_group(*region, seats);
    }
  }
  return out;
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
  return escape_markup(text);
}

std::string body(const SvgLayout& layout) {
  std::string out;
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
  out +=
      fmt::format(R"(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" class="frame"/>)",
                  layout.left, layout.top, layout.right - layout.left, layout.bottom - layout.top) +
      "\n";
  for (const PlacedText& text : layout.texts) {
    out += text_element(text);
  }
  for (const PlacedLegend& entry : layout.legend) {
    out += mark_element(entry.mark) + text_element(entry.text);
  }
  for (const PlacedMark& mark : layout.measured) {
    out += mark_element(mark);
  }
  out += region_layers(layout.regions);
  return out;
}

constexpr std::string_view kDeclaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

/// "1120" in pixels, or "8.5cm".
std::string printed_size(double size, const SvgLook& look) {
  return look.unit.empty()
             ? fmt::format("{:.0f}", size)
             : fmt::format("{:.4g}{}", size / look.width * look.print_width, look.unit);
}

std::string element_of(const Chart& chart, const SvgLook& look) {
  const SvgLayout layout = layout_svg(chart, look);
  std::string out = fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {:.4g} {:.4g}" width="{}" height="{}" role="img" aria-labelledby="ridge-title ridge-description" class="ridge-roofline">)",
      layout.width, layout.height, printed_size(layout.width, look),
      printed_size(layout.height, look));
  out += "\n<title id=\"ridge-title\">" +
         escape_markup(chart.title.empty() ? "Roofline" : chart.title) + "</title>\n";
  out += "<desc id=\"ridge-description\">" + description(chart) + "</desc>\n";
  out += style_element(look);
  out += "<rect width=\"100%\" height=\"100%\" class=\"background\"/>\n";
  if (!chart.roof && chart.roofs.empty() && chart.regions.empty()) {
    out += text_element({layout.width / 2.0, layout.height / 2.0, Anchor::middle, 0.0, 15.0,
                         "quiet", "No ceilings, and no loops with both work and time, are known."});
    return out + "</svg>\n";
  }
  return out + body(layout) + "</svg>\n";
}

}  // namespace

std::string roofline_svg(const Profile& profile, const Prediction& prediction) {
  return std::string(kDeclaration) + element_of(chart_of(profile, prediction), screen_look());
}

std::string roofs_svg(const Machine& machine) {
  return chart_svg(chart_of(machine));
}

std::string chart_element(const Chart& chart, const SvgLook& look) {
  return element_of(chart, look);
}

std::string chart_svg(const Chart& chart, const SvgLook& look) {
  return std::string(kDeclaration) + element_of(chart, look);
}

}  // namespace ridge::render
