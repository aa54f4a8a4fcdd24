// Bandwidth roofs and compute ceilings with their names.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "render/chart/chart_geometry.hpp"
#include "render/chart/format_si.hpp"
#include "render/chart/spread.hpp"
#include "render/format/svg/svg_sheet.hpp"

namespace ridge::render {
namespace {

std::string stroke_of(const Sheet& sheet, const BandwidthRoof& roof, bool lower) {
  return (roof.neutral ? std::string("neutral")
                       : fmt::format("stroke{}", sheet.style_of(roof.level))) +
         (lower ? " lower" : "");
}

/// Text along a line from `start` on, on its upper or its lower side.
PlacedText along(const Sheet& sheet, const PlacedLine& line, double start, bool above,
                 const std::string& label, std::string css) {
  const double dx = line.x2 - line.x1;
  const double dy = line.y2 - line.y1;
  const double length = std::hypot(dx, dy);
  const double size = sheet.look.text;
  const double away = above ? 6.0 * sheet.look.gap : -(0.78 * size + 4.0 * sheet.look.gap);
  return {line.x1 + dx / length * start + dy / length * away,
          line.y1 + dy / length * start - dx / length * away,
          Anchor::start,
          std::atan2(dy, dx) * 180.0 / std::numbers::pi,
          size,
          std::move(css),
          label};
}

bool crosses_measured(const Sheet& sheet, const Box& box) {
  for (const PlacedPolyline& line : sheet.out.measured_lines) {
    for (std::size_t i = 1; i < line.points.size(); ++i) {
      const auto [x1, y1] = line.points[i - 1];
      const auto [x2, y2] = line.points[i];
      if (overlap(box, box_of(PlacedLine{x1, y1, x2, y2, {}}, 1.0))) {
        return true;
      }
    }
  }
  return false;
}

/// As low as possible, where it touches no other label, no dot and no other roof. Without such
/// a place the legend alone names the roof.
bool name_roof(Sheet& sheet, const PlacedLine& line, const BandwidthRoof& roof) {
  const double length = std::hypot(line.x2 - line.x1, line.y2 - line.y1);
  const double needed = kBold * text_width(roof.label, sheet.look.text);
  const std::string css =
      roof.neutral ? "halo" : fmt::format("halo fill{}", sheet.style_of(roof.level));
  for (double start = 8.0 * sheet.look.gap; start + needed < length; start += 3.0) {
    for (const bool above : {true, false}) {
      const PlacedText text = along(sheet, line, start, above, roof.label, css);
      const Box box = box_of(text);
      const bool crossed =
          std::any_of(sheet.out.roofs.begin(), sheet.out.roofs.end(), [&](const PlacedLine& other) {
            return overlap(box, box_of(other, 3.0 * sheet.look.gap));
          });
      if (!crossed && !crosses_measured(sheet, box) && sheet.is_free(box)) {
        sheet.out.texts.push_back(text);
        return true;
      }
    }
  }
  return false;
}

struct CeilingLine {
  const ComputeCeiling* ceiling = nullptr;
  double start = 0.0;  ///< x
  double y = 0.0;
  std::string css;
  bool roof = false;
};

/// Lowest last: the roof keeps its place when room is short. A ceiling starts where it meets the
/// steepest bandwidth roof.
std::vector<CeilingLine> ceiling_lines(const Sheet& sheet) {
  const Chart& chart = sheet.chart;
  double fastest = 0.0;
  for (const BandwidthRoof& roof : chart.roofs) {
    fastest = std::max(fastest, roof.bytes_per_second);
  }
  std::vector<CeilingLine> lines;
  const auto add = [&](const ComputeCeiling& ceiling, bool roof) {
    const double bandwidth = ceiling.at ? chart.roofs[*ceiling.at].bytes_per_second : fastest;
    const double start =
        bandwidth > 0.0 ? std::max(sheet.x_of(ceiling.flops_per_second / bandwidth), sheet.out.left)
                        : sheet.out.left;
    const std::string css =
        ceiling.at ? stroke_of(sheet, chart.roofs[*ceiling.at], ceiling.lower) + " bandwidth"
        : roof     ? "roof"
                   : "dashed";
    lines.push_back({&ceiling, start, sheet.y_of(ceiling.flops_per_second), css, roof});
  };
  if (chart.roof) {
    add(*chart.roof, true);
  }
  for (const ComputeCeiling& ceiling : chart.lower_ceilings) {
    add(ceiling, false);
  }
  return lines;
}

/// Labels stand apart, tied to their line when they had to move.
void name_at_the_right(Sheet& sheet, const std::vector<CeilingLine>& lines) {
  std::vector<double> wanted;
  for (const CeilingLine& line : lines) {
    wanted.push_back(line.y);
  }
  const auto placed = spread_apart(wanted, sheet.look.label_gap, sheet.out.top, sheet.out.bottom);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const CeilingLine& line = lines[i];
    sheet.out.ceilings.push_back({line.start, line.y, sheet.out.right, line.y, line.css});
    sheet.out.ceilings.push_back(
        {sheet.out.right, line.y, sheet.out.right + 12.0, placed[i], "leader"});
    sheet.add_text(sheet.out.right + 17.0, placed[i] + sheet.look.text * 0.35, Anchor::start,
                   sheet.look.text, line.roof ? "strong" : "", line.ceiling->label);
  }
}

bool touches(const std::vector<PlacedLine>& lines, const Box& box) {
  return std::any_of(lines.begin(), lines.end(),
                     [&](const PlacedLine& line) { return overlap(box, box_of(line, 1.0)); });
}

/// Above the line as far to the right as there is room, else below it, else across a bandwidth
/// roof, which its halo then interrupts.
bool name_inside(Sheet& sheet, const CeilingLine& line) {
  const double size = sheet.look.small;
  const std::string label =
      fmt::format("{} {}", line.ceiling->words,
                  number(line.ceiling->flops_per_second / sheet.chart.y_prefix.factor));
  const double width = kBold * text_width(label, size);
  for (const bool across : {false, true}) {
    const double gap = 4.0 * sheet.look.gap;
    for (const double away : {-gap, 0.78 * size + gap}) {
      for (double end = sheet.out.right - 2.5; end - width > line.start; end -= 4.0) {
        const PlacedText text{
            end, line.y + away, Anchor::end, 0.0, size, line.roof ? "halo strong" : "halo", label};
        const Box box = box_of(text);
        if (!touches(sheet.out.ceilings, box) && (across || !touches(sheet.out.roofs, box)) &&
            sheet.is_free(box)) {
          sheet.out.texts.push_back(text);
          return true;
        }
      }
    }
  }
  return false;
}

/// Between the lines of both ends of the interval. An end that is outside of the plot runs along
/// its edge.
void place_band(Sheet& sheet, const BandwidthRoof& roof) {
  if (!roof.spread || !(roof.spread->low > 0.0) || roof.spread->high <= roof.spread->low) {
    return;
  }
  const Chart& chart = sheet.chart;
  const auto edge = [&](double rate) {
    std::vector<std::pair<double, double>> points;
    for (const double intensity :
         {chart.x.low, chart.y.low / rate, chart.y.high / rate, chart.x.high}) {
      if (intensity >= chart.x.low && intensity <= chart.x.high) {
        points.emplace_back(sheet.x_of(intensity),
                            sheet.y_of(std::clamp(intensity * rate, chart.y.low, chart.y.high)));
      }
    }
    return points;
  };
  PlacedBand band{sheet.style_of(roof.level), edge(roof.spread->high)};
  const auto lower = edge(roof.spread->low);
  band.points.insert(band.points.end(), lower.rbegin(), lower.rend());
  sheet.out.bands.push_back(std::move(band));
}

}  // namespace

std::vector<bool> place_roofs(Sheet& sheet) {
  const Chart& chart = sheet.chart;
  std::vector<std::optional<PlacedLine>> lines;
  for (const BandwidthRoof& roof : chart.roofs) {
    const auto line = segment_of(chart, roof);
    lines.emplace_back();
    if (line) {
      lines.back() = PlacedLine{sheet.x_of(line->x1), sheet.y_of(line->y1), sheet.x_of(line->x2),
                                sheet.y_of(line->y2), stroke_of(sheet, roof, roof.lower)};
      sheet.out.roofs.push_back(*lines.back());
    }
    place_band(sheet, roof);
  }
  std::vector<bool> named;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    named.push_back(lines[i] && name_roof(sheet, *lines[i], chart.roofs[i]));
  }
  return named;
}

void place_ceilings(Sheet& sheet) {
  const std::vector<CeilingLine> lines = ceiling_lines(sheet);
  if (!sheet.look.names_inside()) {
    name_at_the_right(sheet, lines);
    return;
  }
  for (const CeilingLine& line : lines) {
    if (name_inside(sheet, line) || line.roof || (line.ceiling->at && !line.ceiling->lower)) {
      sheet.out.ceilings.push_back({line.start, line.y, sheet.out.right, line.y, line.css});
    }
  }
}

void place_guides(Sheet& sheet) {
  for (const ChartGuide& guide : sheet.chart.guides) {
    const double x = sheet.x_of(guide.intensity);
    sheet.out.ceilings.push_back({x, sheet.out.bottom, x, sheet.out.top, "dashed"});
    const double needed = kBold * text_width(guide.label, sheet.look.text);
    const double length = sheet.out.bottom - sheet.out.top;
    bool named = false;
    for (double start = 8.0 * sheet.look.gap; !named && start + needed < length; start += 3.0) {
      for (const bool left : {true, false}) {
        const PlacedText text =
            along(sheet, sheet.out.ceilings.back(), start, left, guide.label, "halo");
        const Box box = box_of(text);
        const bool crossed =
            std::any_of(sheet.out.regions.begin(), sheet.out.regions.end(),
                        [&](const PlacedRegion& region) { return touches(region.lines, box); });
        if (!named && !crossed && !touches(sheet.out.roofs, box) && sheet.is_free(box)) {
          sheet.out.texts.push_back(text);
          named = true;
        }
      }
    }
  }
}

}  // namespace ridge::render
