// Names beside dots, and named spans of intensity below the axis.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "render/chart/chart_geometry.hpp"
#include "render/format/svg/svg_sheet.hpp"

namespace ridge::render {
namespace {

struct Side {
  double x;  ///< of the mark's radius
  double y;
  Anchor anchor;
};
/// Where a label stands: right of its dot rather than elsewhere.
constexpr std::array kSides{Side{1.0, 0.0, Anchor::start},   Side{-1.0, 0.0, Anchor::end},
                            Side{0.0, -1.0, Anchor::middle}, Side{0.0, 1.0, Anchor::middle},
                            Side{0.7, 0.7, Anchor::start},   Side{0.7, -0.7, Anchor::start},
                            Side{-0.7, 0.7, Anchor::end},    Side{-0.7, -0.7, Anchor::end}};
constexpr int kRings = 8;
/// Names are written in capitals more often than labels of roofs are.
constexpr double kCapitals = 1.15;

/// The roofs and ceilings that are drawn.
std::vector<PlacedLine> roof_lines(const Sheet& sheet) {
  std::vector<PlacedLine> lines;
  const auto add = [&](const Segment& segment) {
    lines.push_back({sheet.x_of(segment.x1),
                     sheet.y_of(segment.y1),
                     sheet.x_of(segment.x2),
                     sheet.y_of(segment.y2),
                     {}});
  };
  for (const BandwidthRoof& roof : sheet.chart.roofs) {
    if (const auto segment = segment_of(sheet.chart, roof)) {
      add(*segment);
    }
  }
  if (sheet.chart.roof) {
    add(segment_of(sheet.chart, *sheet.chart.roof));
  }
  for (const ComputeCeiling& ceiling : sheet.chart.lower_ceilings) {
    add(segment_of(sheet.chart, ceiling));
  }
  return lines;
}

bool touches_any(const std::vector<PlacedLine>& lines, const Box& box, double clearance) {
  return std::any_of(lines.begin(), lines.end(),
                     [&](const PlacedLine& line) { return overlap(box, box_of(line, clearance)); });
}

}  // namespace

void place_label(const Sheet& sheet, const std::string& label, const std::vector<PlacedMark>& marks,
                 const std::vector<PlacedLine>& lines, PlacedRegion& region) {
  const PlacedMark& dot = region.marks.back();
  const std::vector<PlacedLine> roofs = roof_lines(sheet);
  const auto hits_mark = [&](const Box& box) {
    return std::any_of(marks.begin(), marks.end(), [&](const PlacedMark& mark) {
      return overlap(box, {mark.x, mark.y, mark.radius, mark.radius, 0.0});
    });
  };
  for (const bool across : {false, true}) {
    for (int ring = 0; ring < kRings; ++ring) {
      const double away = dot.radius * 1.4 + (4.0 + 7.0 * ring) * sheet.look.gap;
      for (const Side& side : kSides) {
        const double size = sheet.look.text;
        // The middle of small letters stands 0.35 of the size above the baseline.
        const PlacedText text{dot.x + side.x * away,
                              dot.y + side.y * (away + 0.3 * size) + 0.35 * size,
                              side.anchor,
                              0.0,
                              size,
                              "halo",
                              label};
        Box box = box_of(text);
        box.half_width *= kCapitals;
        const bool crosses =
            touches_any(roofs, box, 12.0 * sheet.look.gap) || touches_any(lines, box, 2.0);
        if (hits_mark(box) || !sheet.is_free(box) || (crosses && !across)) {
          continue;
        }
        region.number = text;
        region.labelled = true;
        if (ring > 1) {
          region.lines.push_back({dot.x, dot.y, box.x, box.y, "tie"});
        }
        return;
      }
    }
  }
}

double place_spectrum(Sheet& sheet, double top) {
  const SvgLook& look = sheet.look;
  const SvgLayout& out = sheet.out;
  const double row = look.small * 1.5;
  const double height = look.small * 0.7;
  double y = top + 4.0 * look.gap;
  for (const ChartBand& band : sheet.chart.spectrum) {
    y += row;
    const double left = std::clamp(sheet.x_of(band.low), out.left, out.right);
    const double right = std::clamp(sheet.x_of(band.high), out.left, out.right);
    const double width = std::max(right - left, 2.0 * look.mark);
    sheet.out.spectrum.push_back({left, y - height, width, height});
    const double after = left + width + 6.0 * look.gap;
    const bool fits = after + text_width(band.label, look.small) < look.width - 4.0 * look.gap;
    sheet.add_text(fits ? after : left - 6.0 * look.gap, y - height * 0.1,
                   fits ? Anchor::start : Anchor::end, look.small, "", band.label);
  }
  return sheet.chart.spectrum.empty() ? top : y;
}

}  // namespace ridge::render
