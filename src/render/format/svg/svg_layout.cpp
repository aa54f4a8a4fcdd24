#include "render/format/svg/svg_layout.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "render/chart/text.hpp"
#include "render/format/svg/svg_sheet.hpp"

namespace ridge::render {
namespace {

/// At most `room` wide.
std::string fitting(const std::string& text, double size, double room) {
  return shorten_middle(text,
                        static_cast<std::size_t>(std::max(room, 0.0) / text_width("m", size)));
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
  out.right = look.paper ? look.width - 6.0 : look.width - std::min(label, look.width * 0.3);
  out.bottom = out.top + look.plot_height;
  out.height = out.bottom + 96.0;
}

void place_titles(Sheet& sheet) {
  const SvgLook& look = sheet.look;
  SvgLayout& out = sheet.out;
  const double room = look.width - out.left - 10.0;
  if (!sheet.chart.title.empty()) {
    sheet.add_text(out.left, look.paper ? 11.0 : 30.0, Anchor::start, look.title, "title",
                   fitting(sheet.chart.title, look.title, room));
  }
  if (!sheet.chart.title.empty() && !look.paper) {
    sheet.add_text(out.left, 53.0, Anchor::start, look.text, "quiet",
                   fitting(sheet.chart.subtitle, look.text, room));
  }
  sheet.add_text((out.left + out.right) / 2.0, out.bottom + (look.paper ? 19.0 : 44.0),
                 Anchor::middle, look.text, "",
                 look.paper ? "Intensity [flop/byte]" : sheet.chart.x_title());
  sheet.add_text(look.paper ? 8.0 : 22.0, (out.top + out.bottom) / 2.0, Anchor::middle, look.text,
                 "", sheet.chart.y_title(), -90.0);
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
      sheet.add_text(x, out.bottom + (look.paper ? 9.0 : 20.0), Anchor::middle,
                     tick.decade ? look.text : look.small, css(tick), tick.label);
      last = x + half;
    }
  }
  double lowest = 1e9;
  for (const Tick& tick : ticks_on(sheet.chart.y, sheet.chart.y_prefix.factor)) {
    const double y = sheet.y_of(tick.value);
    out.grid.push_back({out.left, y, out.right, y, tick.decade ? "major" : "minor"});
    if (!tick.label.empty() && y + look.text < lowest) {
      sheet.add_text(out.left - (look.paper ? 3.0 : 8.0), y + look.text * 0.35, Anchor::end,
                     tick.decade ? look.text : look.small, css(tick), tick.label);
      lowest = y;
    }
  }
}

/// Rows of texts and marks below the axis, wrapped at the right edge.
class LegendRows {
 public:
  LegendRows(Sheet& sheet, double y) : sheet_(sheet), x_(sheet.out.left), y_(y) {}

  void add(const std::string& text, std::optional<std::size_t> style) {
    const SvgLook& look = sheet_.look;
    const double size = style ? look.text : look.small;
    const double mark = style ? 18.0 * look.gap : 0.0;
    const double width = mark + text_width(text, size);
    if (x_ > sheet_.out.left && x_ + width > look.width - 10.0 * look.gap) {
      x_ = sheet_.out.left;
      y_ += look.paper ? 9.5 : 22.0;
    }
    if (style) {
      sheet_.out.legend.push_back(
          {{x_ + 6.0 * look.gap, y_ - 0.35 * size, 6.0 * look.mark, *style, false, false},
           {x_ + mark, y_, Anchor::start, 0.0, size, "", text}});
    } else {
      sheet_.add_text(x_, y_, Anchor::start, size, "quiet", text);
    }
    x_ += width + 18.0 * look.gap;
  }
  [[nodiscard]] double y() const { return y_; }

 private:
  Sheet& sheet_;
  double x_;
  double y_;
};

/// Gives the baseline of its last row. On paper a roof that is named along its line keeps only the
/// name of its level here.
double place_legend(Sheet& sheet, const std::vector<bool>& named) {
  const Chart& chart = sheet.chart;
  const double top = sheet.out.bottom + (sheet.look.paper ? 19.0 : 44.0);
  LegendRows rows(sheet, place_spectrum(sheet, top) + (sheet.look.paper ? 11.0 : 32.0));
  for (std::size_t i = 0; i < chart.roofs.size() && chart.legend.empty(); ++i) {
    const BandwidthRoof& roof = chart.roofs[i];
    rows.add(sheet.look.paper && named[i] && !roof.peak ? chart.levels[roof.level] : roof.label,
             sheet.style_of(roof.level));
  }
  for (const LegendEntry& entry : chart.legend) {
    rows.add(entry.text, sheet.style_of(entry.level));
  }
  for (std::size_t i = 0; i < chart.roofs.size() && !chart.legend.empty(); ++i) {
    if (!named[i] && chart.roofs[i].neutral) {
      rows.add("unnamed slope: " + chart.roofs[i].label, std::nullopt);
    }
  }
  if (sheet.look.paper) {
    if (chart.explains_marks_on_paper && !chart.regions.empty()) {
      rows.add(chart.marks_mean, std::nullopt);
    }
    return rows.y();
  }
  if (!chart.measured.empty()) {
    rows.add(chart.regions.empty() ? "lines: ceilings; marks: measured loops of loads and fma"
                                   : "thin lines: the roofs as loops of loads and fma reach them",
             std::nullopt);
  }
  if (!chart.regions.empty()) {
    rows.add(chart.marks_mean, std::nullopt);
  }
  for (const std::string& sentence : chart.above_roofs) {
    rows.add(sentence, std::nullopt);
  }
  return rows.y();
}

/// What the numbers stand for, in as many columns as there is room for. Gives the last baseline.
double place_key(Sheet& sheet, double y) {
  const SvgLook& look = sheet.look;
  std::vector<std::string> entries;
  double widest = 0.0;
  const double room = look.width - sheet.out.left - 10.0 * look.gap;
  for (const ChartRegion& region : sheet.chart.regions) {
    if (!region.name.empty()) {
      const std::string& name = look.paper ? region.short_name : region.name;
      entries.push_back(fitting(fmt::format("{}  {}", region.rank, name), look.small,
                                look.paper ? room : room / 2));
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
  place_titles(sheet);
  place_ticks(sheet);
  if (!look.paper) {
    place_ceilings(sheet);
  }
  place_measured(sheet);
  place_regions(sheet);
  const std::vector<bool> named = place_roofs(sheet);
  if (look.paper) {
    place_ceilings(sheet);
  }
  place_guides(sheet);
  const double last = place_key(sheet, place_legend(sheet, named));
  sheet.out.height = last + (look.paper ? 4.0 : 20.0);
  return std::move(sheet.out);
}

}  // namespace ridge::render
