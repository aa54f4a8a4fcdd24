// Numbers and names beside dots, names of zones, and named spans of intensity below the axis.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "render/chart/chart_geometry.hpp"
#include "render/chart/names.hpp"
#include "render/format/svg/svg_sheet.hpp"

namespace ridge::render {
namespace {

struct Side {
  double x;  ///< of the mark's reach
  double y;
  Anchor anchor;
};
/// Where a label stands: right of its dot rather than elsewhere.
constexpr std::array kSides{Side{1.0, 0.0, Anchor::start},   Side{-1.0, 0.0, Anchor::end},
                            Side{0.0, -1.0, Anchor::middle}, Side{0.0, 1.0, Anchor::middle},
                            Side{0.7, 0.7, Anchor::start},   Side{0.7, -0.7, Anchor::start},
                            Side{-0.7, 0.7, Anchor::end},    Side{-0.7, -0.7, Anchor::end}};
constexpr int kRings = 8;
/// Further away a name would be taken for that of another dot.
constexpr int kNameRings = 2;
/// Names are written in capitals more often than labels of roofs are.
constexpr double kCapitals = 1.15;
/// Half of the stroke around letters, which hides what is below.
constexpr double kHalo = 2.0;
/// More names than this are read in the key.
constexpr std::size_t kMostNames = 14;
constexpr std::size_t kNameColumns = 26;

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

/// What may stand beside a dot: the first of them that finds a place.
struct LabelTexts {
  std::string name;    ///< near the dot alone; empty: none
  std::string number;  ///< or what stands in its place; empty: none
};

class Labels {
 public:
  explicit Labels(Sheet& sheet) : sheet_(sheet), roofs_(roof_lines(sheet)) {
    for (const PlacedRegion& region : sheet.out.regions) {
      lines_.insert(lines_.end(), region.lines.begin(), region.lines.end());
    }
  }

  void place() {
    for (std::size_t i = 0; i < sheet_.out.regions.size(); ++i) {
      const LabelTexts texts = texts_of(sheet_.chart.regions[i], i);
      if (!texts.number.empty() && !place(texts, sheet_.out.regions[i])) {
        sheet_.out.without_room.push_back(texts.number);
      }
    }
  }

 private:
  [[nodiscard]] LabelTexts texts_of(const ChartRegion& region, std::size_t at) const {
    if (!region.label.empty()) {
      return {{}, region.label};
    }
    if (sheet_.look.slide) {
      return {fitted_name(region.short_name, kNameColumns),
              fitted_name(region.short_name, kNameColumns / 2)};
    }
    if (region.rank == 0) {
      return {};
    }
    const std::string number = std::to_string(region.rank);
    const bool named = sheet_.chart.heat && !sheet_.look.paper && at < kMostNames;
    const std::string name = named ? fitted_name(region.short_name, kNameColumns) : std::string();
    return {name.empty() ? name : number + " " + name, number};
  }

  /// Off all lines if there is such a place nearby; else a halo interrupts the line.
  bool place(const LabelTexts& texts, PlacedRegion& region) const {
    constexpr int kNear = kRings / 2;
    return try_place(texts.name, kNameRings, false, region) ||
           try_place(texts.number, kNear, false, region) ||
           try_place(texts.name, kNameRings, true, region) ||
           try_place(texts.number, kRings, true, region);
  }

  bool try_place(const std::string& label, int rings, bool across, PlacedRegion& region) const {
    const PlacedMark& dot = region.marks[region.main];
    for (int ring = 0; ring < (label.empty() ? 0 : rings); ++ring) {
      const double away = reach_of(dot) + (kHalo + 2.0 + 7.0 * ring) * sheet_.look.gap;
      for (const Side& side : kSides) {
        const PlacedText text = text_beside(dot, side, away, label);
        const Box box = room_of(text);
        if (!sheet_.is_free(box) || (!across && crosses(box))) {
          continue;
        }
        region.number = text;
        if (ring > 1) {
          region.lines.push_back({dot.x, dot.y, box.x, box.y, "tie"});
        }
        return true;
      }
    }
    return false;
  }

  [[nodiscard]] PlacedText text_beside(const PlacedMark& dot, const Side& side, double away,
                                       const std::string& label) const {
    const double size = sheet_.look.text;
    // The middle of small letters stands 0.35 of the size above the baseline.
    return {dot.x + side.x * away,
            dot.y + side.y * (away + 0.4 * size) + 0.35 * size,
            side.anchor,
            0.0,
            size,
            "halo",
            label};
  }

  /// With room for capitals, away from the dot, and for the halo.
  [[nodiscard]] Box room_of(const PlacedText& text) const {
    Box box = box_of(text);
    const double capitals = (kCapitals - 1.0) * box.half_width;
    box.half_width += capitals + kHalo * sheet_.look.gap;
    box.half_height += kHalo * sheet_.look.gap;
    box.x += text.anchor == Anchor::start ? capitals : text.anchor == Anchor::end ? -capitals : 0.0;
    return box;
  }

  [[nodiscard]] bool crosses(const Box& box) const {
    return touches_any(roofs_, box, 8.0 * sheet_.look.gap) || touches_any(lines_, box, 2.0);
  }

  Sheet& sheet_;
  std::vector<PlacedLine> roofs_;
  std::vector<PlacedLine> lines_;  ///< joins and whiskers
};

}  // namespace

void place_labels(Sheet& sheet) {
  Labels(sheet).place();
}

void name_zones(Sheet& sheet) {
  const double size = sheet.look.small;
  for (const PlacedZone& zone : sheet.out.zones) {
    const std::string words = zone.memory_bound ? "memory-bound" : "compute-bound";
    const double width = text_width(words, size);
    const double room = 8.0 * sheet.look.gap;
    for (double x = zone.left + room; x + width < zone.right - room; x += 2.0 * room) {
      const PlacedText text{x, sheet.out.bottom - room, Anchor::start, 0.0, size, "quiet", words};
      if (sheet.is_free(box_of(text)) && !touches_any(sheet.out.roofs, box_of(text), 2.0)) {
        sheet.out.texts.push_back(text);
        break;
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
