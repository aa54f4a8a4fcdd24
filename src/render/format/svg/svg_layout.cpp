#include "render/format/svg/svg_layout.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/identity/level.hpp"
#include "render/chart/heat.hpp"
#include "render/chart/names.hpp"
#include "render/chart/text.hpp"
#include "render/format/svg/svg_sheet.hpp"

namespace ridge::render {
namespace {

constexpr double kTitleLine = 1.25;  // of its size
constexpr std::size_t kMostTitleLines = 3;

/// Columns of text that `room` holds.
std::size_t columns_in(double room, double size) {
  return static_cast<std::size_t>(std::max(room, 0.0) / text_width("m", size));
}

/// Of a slide the title is a sentence, and may take several lines.
std::vector<std::string> title_lines(const Sheet& sheet) {
  const SvgLook& look = sheet.look;
  const std::size_t columns = columns_in(look.width - look.left - 10.0, kBold * look.title);
  if (sheet.chart.title.empty()) {
    return {};
  }
  if (!look.slide) {
    return {shorten_end(sheet.chart.title, columns)};
  }
  std::vector<std::string> lines = wrap(sheet.chart.title, columns);
  if (lines.size() > kMostTitleLines) {
    lines.resize(kMostTitleLines);
    lines.back() = shorten_end(lines.back() + " ...", columns);
  }
  return lines;
}

void set_frame(Sheet& sheet) {
  const SvgLook& look = sheet.look;
  double label = 24.0;
  const auto include = [&](const ComputeCeiling& ceiling) {
    label = std::max(label, kBold * text_width(ceiling.label, look.text) + 26.0);
  };
  if (sheet.chart.roof) {
    include(*sheet.chart.roof);
  }
  std::for_each(sheet.chart.lower_ceilings.begin(), sheet.chart.lower_ceilings.end(), include);
  SvgLayout& out = sheet.out;
  out.width = look.width;
  out.left = look.left;
  out.top = sheet.chart.title.empty() ? look.top : look.top_with_title;
  if (look.slide) {
    out.top += kTitleLine * look.title * static_cast<double>(title_lines(sheet).size());
  }
  out.right = look.paper   ? look.width - 6.0
              : look.slide ? look.width - 30.0
                           : look.width - std::min(label, look.width * 0.3);
  // A slide has a height, and three rows of a legend below the axis.
  out.bottom = look.slide
                   ? look.height - look.axis_gap - look.legend_gap - 2.0 * look.row_gap - look.below
                   : out.top + look.plot_height;
}

void place_titles(Sheet& sheet) {
  const SvgLook& look = sheet.look;
  SvgLayout& out = sheet.out;
  double y = look.title_at;
  for (const std::string& line : title_lines(sheet)) {
    sheet.add_text(out.left, y, Anchor::start, look.title, "title", line);
    y += kTitleLine * look.title;
  }
  if (!sheet.chart.title.empty() && !look.names_inside()) {
    sheet.add_text(
        out.left, 53.0, Anchor::start, look.text, "quiet",
        shorten_end(sheet.chart.subtitle, columns_in(look.width - out.left - 10.0, look.text)));
  }
  sheet.add_text((out.left + out.right) / 2.0, out.bottom + look.axis_gap, Anchor::middle,
                 look.text, "",
                 look.names_inside() ? sheet.chart.short_x_title() : sheet.chart.x_title());
  sheet.add_text(look.y_title_at, (out.top + out.bottom) / 2.0, Anchor::middle, look.text, "",
                 sheet.chart.y_title(), -90.0);
}

void place_ticks(Sheet& sheet) {
  const SvgLook& look = sheet.look;
  SvgLayout& out = sheet.out;
  const auto css = [&](const Tick& tick) { return tick.decade || look.paper ? "" : "quiet"; };
  const auto ticks_on = [&](const LogScale& scale, double unit) {
    return sheet.chart.powers_of_two ? ticks_of_two(scale, unit)
                                     : ticks(scale, unit, look.labelled_decades);
  };
  double last = -1e9;
  for (const Tick& tick : ticks_on(sheet.chart.x, 1.0)) {
    const double x = sheet.x_of(tick.value);
    out.grid.push_back({x, out.top, x, out.bottom, tick.decade ? "major" : "minor"});
    const double half = text_width(tick.label, look.text) / 2.0;
    if (!tick.label.empty() && x - half > last + 6.0 * look.gap && x + half < look.width) {
      sheet.add_text(x, out.bottom + look.tick_gap, Anchor::middle,
                     tick.decade ? look.text : look.small, css(tick), tick.label);
      last = x + half;
    }
  }
  double lowest = 1e9;
  for (const Tick& tick : ticks_on(sheet.chart.y, sheet.chart.y_prefix.factor)) {
    const double y = sheet.y_of(tick.value);
    out.grid.push_back({out.left, y, out.right, y, tick.decade ? "major" : "minor"});
    if (!tick.label.empty() && y + look.text < lowest) {
      sheet.add_text(out.left - look.tick_gap_left, y + look.text * 0.35, Anchor::end,
                     tick.decade ? look.text : look.small, css(tick), tick.label);
      lowest = y;
    }
  }
}

/// What stands before a text of the legend.
struct Sample {
  std::optional<std::string> line;  ///< class of a roof
  std::optional<PlacedMark> mark;   ///< style, colour and shape; its place and size follow
};

/// Rows of texts and samples below the axis, wrapped at the right edge.
class LegendRows {
 public:
  LegendRows(Sheet& sheet, double y) : sheet_(sheet), x_(sheet.out.left), y_(y) {}

  void add(const std::string& text, const Sample& sample) {
    const SvgLook& look = sheet_.look;
    const double size = look.text;
    const double radius = 6.0 * look.mark;
    const double line = sample.line ? 26.0 * look.gap : 2.0 * radius;
    const double before = line + 6.0 * look.gap;
    make_room(before + text_width(text, size));
    const double y = y_ - 0.35 * size;
    PlacedLegend entry{{}, {}, {x_ + before, y_, Anchor::start, 0.0, size, "", text}};
    if (sample.line) {
      entry.line = PlacedLine{x_, y, x_ + line, y, *sample.line};
    }
    if (sample.mark) {
      entry.mark = *sample.mark;
      entry.mark->x = x_ + line / 2.0;
      entry.mark->y = y;
      entry.mark->radius = radius;
    }
    x_ += before + text_width(text, size) + 18.0 * look.gap;
    sheet_.out.legend.push_back(std::move(entry));
  }

  /// A sentence, in as many rows as it needs.
  void say(const std::string& text) {
    const SvgLook& look = sheet_.look;
    const double room = look.width - 10.0 * look.gap - sheet_.out.left;
    for (const std::string& line : wrap(text, columns_in(room, look.small))) {
      const double width = text_width(line, look.small);
      make_room(width);
      sheet_.add_text(x_, y_, Anchor::start, look.small, "quiet", line);
      x_ += width + 18.0 * look.gap;
    }
  }

  void begin_row() {
    if (x_ > sheet_.out.left) {
      x_ = sheet_.out.left;
      y_ += sheet_.look.row_gap;
    }
  }
  /// Baseline of the last row that holds something.
  [[nodiscard]] double y() const { return last_; }

 private:
  void make_room(double width) {
    if (x_ + width > sheet_.look.width - 10.0 * sheet_.look.gap) {
      begin_row();
    }
    last_ = y_;
  }

  Sheet& sheet_;
  double x_;
  double y_;
  double last_ = y_;
};

bool is_drawn(const SvgLayout& out, std::size_t style) {
  const auto has_style = [style](const PlacedMark& mark) { return mark.style == style; };
  return std::any_of(out.measured.begin(), out.measured.end(), has_style) ||
         std::any_of(out.regions.begin(), out.regions.end(), [&](const PlacedRegion& region) {
           return std::any_of(region.marks.begin(), region.marks.end(), has_style) ||
                  std::any_of(region.hover_marks.begin(), region.hover_marks.end(), has_style);
         });
}

/// Of marks that no dot has there is none. Where colours are those of heat the shape alone belongs
/// to the roof, whose colour is that of its line.
Sample sample_of_roof(const Sheet& sheet, const BandwidthRoof& roof) {
  const std::size_t style = sheet.style_of(roof.level);
  const bool drawn = is_drawn(sheet.out, style);
  Sample sample;
  if (sheet.chart.heat || !drawn) {
    sample.line = fmt::format("bandwidth stroke{}", style);
  }
  if (drawn) {
    sample.mark = PlacedMark{.style = style, .hollow = sheet.chart.heat};
  }
  return sample;
}

/// On paper a roof that is named along its line keeps only the name of its level here.
void add_roofs(LegendRows& rows, const Sheet& sheet, const std::vector<bool>& named) {
  const Chart& chart = sheet.chart;
  for (std::size_t i = 0; i < chart.roofs.size() && chart.legend.empty(); ++i) {
    const BandwidthRoof& roof = chart.roofs[i];
    rows.add(sheet.look.paper && named[i] && !roof.peak ? chart.levels[roof.level] : roof.label,
             sample_of_roof(sheet, roof));
  }
  for (const LegendEntry& entry : chart.legend) {
    rows.add(entry.text, {{}, PlacedMark{.style = sheet.style_of(entry.level)}});
  }
  for (std::size_t i = 0; i < chart.roofs.size() && !chart.legend.empty(); ++i) {
    if (!named[i] && chart.roofs[i].neutral) {
      rows.say("unnamed slope: " + chart.roofs[i].label);
    }
  }
}

void add_heat(LegendRows& rows, const Sheet& sheet) {
  if (!sheet.chart.heat || sheet.chart.regions.empty()) {
    return;
  }
  rows.begin_row();
  rows.say("share of the time:");
  for (std::size_t step = 0; step < kHeatSteps; ++step) {
    rows.add(std::string(heat_style(step).words),
             {{}, PlacedMark{.style = level_style_index(to_string(Level::DRAM), 0), .heat = step}});
  }
}

/// What no mark tells: a label that found no place, and a region beyond the scales.
void add_missing(LegendRows& rows, const Sheet& sheet) {
  if (!sheet.out.without_room.empty()) {
    rows.say(fmt::format("without room: {}", fmt::join(sheet.out.without_room, ", ")));
  }
  if (!sheet.chart.outside.empty()) {
    rows.say(fmt::format("outside of the picture: {}", fmt::join(sheet.chart.outside, ", ")));
  }
}

/// Gives the baseline of its last row.
double place_legend(Sheet& sheet, const std::vector<bool>& named) {
  const Chart& chart = sheet.chart;
  const double top = place_spectrum(sheet, sheet.out.bottom + sheet.look.axis_gap);
  LegendRows rows(sheet, top + sheet.look.legend_gap);
  add_roofs(rows, sheet, named);
  add_heat(rows, sheet);
  if (sheet.look.slide) {
    add_missing(rows, sheet);
    return rows.y();
  }
  rows.begin_row();
  if (!chart.measured.empty() && !sheet.look.paper) {
    rows.say(chart.regions.empty() ? "lines: ceilings; marks: measured loops of loads and fma"
                                   : "thin lines: the roofs as loops of loads and fma reach them");
  }
  if (!chart.regions.empty() && (!sheet.look.paper || chart.explains_marks_on_paper)) {
    rows.say(chart.marks_mean);
  }
  add_missing(rows, sheet);
  for (const std::string& sentence : chart.above_roofs) {
    if (!sheet.look.paper) {
      rows.say(sentence);
    }
  }
  return rows.y();
}

/// "3  name file:line"; where that is too long without the file, then without namespaces, never
/// with a gap in the middle.
std::string key_entry(const ChartRegion& region, bool brief, std::size_t columns) {
  const std::string number = fmt::format("{}  ", region.rank);
  const std::string& name = brief ? region.short_name : region.name;
  const std::size_t room = columns > number.size() ? columns - number.size() : 0;
  return number + (display_width(name) <= room ? name : fitted_name(region.short_name, room));
}

/// What the numbers stand for, in as many columns as there is room for. Gives the last baseline.
double place_key(Sheet& sheet, double y) {
  const SvgLook& look = sheet.look;
  std::vector<std::string> entries;
  double widest = 0.0;
  const double room = look.width - sheet.out.left - 10.0 * look.gap;
  for (const ChartRegion& region : sheet.chart.regions) {
    if (!region.name.empty()) {
      entries.push_back(
          key_entry(region, look.paper, columns_in(look.paper ? room : room / 2, look.small)));
      widest = std::max(widest, text_width(entries.back(), look.small));
    }
  }
  if (entries.empty()) {
    return y;
  }
  const double column = widest + 14.0 * look.gap;
  const auto columns = static_cast<std::size_t>(std::max(1.0, (room + 14.0 * look.gap) / column));
  const std::size_t rows = (entries.size() + columns - 1) / columns;
  const double step = look.small * 1.45;
  const double first = y + step + 3.0 * look.gap;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    sheet.add_text(sheet.out.left + static_cast<double>(i / rows) * column,
                   first + static_cast<double>(i % rows) * step, Anchor::start, look.small, "",
                   entries[i]);
  }
  return first + static_cast<double>(rows - 1) * step;
}

}  // namespace

SvgLayout layout_svg(const Chart& chart, const SvgLook& look) {
  Sheet sheet{chart, look, {}};
  set_frame(sheet);
  if (!look.paper) {
    place_zones(sheet);
  }
  place_titles(sheet);
  place_ticks(sheet);
  if (!look.names_inside()) {
    place_ceilings(sheet);
  }
  place_measured(sheet);
  place_regions(sheet);
  const std::vector<bool> named = place_roofs(sheet);
  if (look.names_inside()) {
    place_ceilings(sheet);
  }
  place_guides(sheet);
  name_zones(sheet);
  const double legend = place_legend(sheet, named);
  const double last = look.slide ? legend : place_key(sheet, legend);
  sheet.out.height = look.height > 0.0 ? look.height : last + look.below;
  return std::move(sheet.out);
}

}  // namespace ridge::render
