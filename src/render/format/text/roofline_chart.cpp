#include "render/format/text/roofline_chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "render/chart/chart.hpp"
#include "render/chart/chart_geometry.hpp"
#include "render/chart/heat.hpp"
#include "render/chart/level_style.hpp"
#include "render/chart/selection.hpp"
#include "render/chart/text.hpp"
#include "render/format/text/canvas.hpp"
#include "render/format/text/chart_cells.hpp"
#include "render/format/text/chart_margins.hpp"

namespace ridge::render {
namespace {

constexpr Paint kNumber = "1;38;5;202";
constexpr std::string_view kArrow = "\u25BA";

/// One chart being drawn: the data, the cells and how values become cells.
class Plot {
 public:
  Plot(const Chart& chart, std::size_t width, std::size_t height, const TextStyle& style)
      : chart_(chart),
        grid_{chart.x, chart.y, width, height},
        canvas_(width, height, style),
        style_(style),
        cells_(lay_out_cells(chart, grid_)) {}

  [[nodiscard]] const Canvas& canvas() const { return canvas_; }

  [[nodiscard]] int column(double intensity) const { return grid_.column(intensity); }
  [[nodiscard]] int row(double rate) const { return grid_.row(rate); }
  [[nodiscard]] const ChartGrid& grid() const { return grid_; }

  void draw() {
    for (const ComputeCeiling& ceiling : chart_.lower_ceilings) {
      horizontal(ceiling.flops_per_second, kDim, true);
    }
    if (chart_.roof) {
      horizontal(chart_.roof->flops_per_second, kBold, false);
    }
    for (const BandwidthRoof& roof : chart_.roofs) {
      diagonal(roof);
    }
    // Beside dots they could be taken for them.
    for (std::size_t i = 0; chart_.regions.empty() && i < chart_.measured.size(); ++i) {
      measured(chart_.measured[i]);
    }
    for (const ChartRegion& region : chart_.regions) {
      join(region);
    }
    for (const DotCell& dot : cells_.dots) {
      canvas_.text(dot.x, dot.y, glyph_of(dot), paint_of(dot));
    }
    for (const NumberCells& number : cells_.numbers) {
      canvas_.text(number.x, number.y, number.text, chart_.heat ? kBold : kNumber);
    }
    specks();
    for (const BandwidthRoof& roof : chart_.roofs) {
      name(roof);
    }
    for (const Zone& zone : zones_of(chart_)) {
      name(zone);
    }
  }

  /// Numbers that found no free cell near their dot.
  [[nodiscard]] const std::vector<unsigned>& lost() const { return cells_.without_room; }

 private:
  [[nodiscard]] static int cell(double position, std::size_t cells) {
    const double count = static_cast<double>(cells);
    return static_cast<int>(std::clamp(std::floor(position * count), 0.0, count - 1.0));
  }
  [[nodiscard]] int point_columns() const {
    return static_cast<int>(canvas_.width()) * canvas_.points_x();
  }
  [[nodiscard]] int point_rows() const {
    return static_cast<int>(canvas_.height()) * canvas_.points_y();
  }
  [[nodiscard]] double value_at_column(int x) const {
    return chart_.x.value_at((x + 0.5) / point_columns());
  }
  [[nodiscard]] double value_at_row(int y) const {
    return chart_.y.value_at(1.0 - (y + 0.5) / point_rows());
  }
  [[nodiscard]] int point_row(double rate) const {
    return static_cast<int>(std::floor((1.0 - chart_.y.position(rate)) * point_rows()));
  }
  [[nodiscard]] Paint level_paint(std::size_t level) const {
    return level_style(chart_.levels[level], level).sgr;
  }
  [[nodiscard]] Paint paint_of(const BandwidthRoof& roof) const {
    return roof.neutral ? kPlain : level_paint(roof.level);
  }
  [[nodiscard]] Paint paint_of(const DotCell& dot) const {
    return chart_.heat ? heat_style(heat_step(chart_.regions[dot.region].share)).sgr
                       : level_paint(dot.level);
  }
  [[nodiscard]] std::string_view glyph_of(const DotCell& dot) const {
    return !dot.arrow ? level_glyph(dot.level) : style_.unicode ? kArrow : ">";
  }
  [[nodiscard]] std::string_view level_glyph(std::size_t level) const {
    const LevelStyle& look = level_style(chart_.levels[level], level);
    return style_.unicode ? look.glyph : std::string_view(&look.ascii, 1);
  }

  /// From the steepest roof to the right edge.
  void horizontal(double rate, Paint how, bool dashed) {
    double fastest = 0.0;
    for (const BandwidthRoof& roof : chart_.roofs) {
      fastest = std::max(fastest, roof.bytes_per_second);
    }
    const double start = fastest > 0.0 ? rate / fastest : chart_.x.low;
    for (int x = 0; x < point_columns(); ++x) {
      const int period = 3 * canvas_.points_x();
      const bool gap = dashed && x % period >= period - canvas_.points_x();
      if (value_at_column(x) >= start && !gap) {
        canvas_.point(x, point_row(rate), how, dashed ? '-' : '=');
      }
    }
  }

  /// One point per column where the line is flat, one per row where it is steep: no gaps, no
  /// stairs.
  void diagonal(const BandwidthRoof& roof) {
    const double decades_x = std::log10(chart_.x.high / chart_.x.low);
    const double decades_y = std::log10(chart_.y.high / chart_.y.low);
    const Paint how = paint_of(roof);
    const double peak = roof.peak     ? *roof.peak
                        : chart_.roof ? chart_.roof->flops_per_second
                                      : chart_.y.high;
    if (point_rows() / decades_y <= point_columns() / decades_x) {
      for (int x = 0; x < point_columns(); ++x) {
        const double rate = value_at_column(x) * roof.bytes_per_second;
        if (rate <= peak) {
          canvas_.point(x, point_row(rate), how, '/');
        }
      }
      return;
    }
    for (int y = 0; y < point_rows(); ++y) {
      const double rate = value_at_row(y);
      if (rate <= peak) {
        const double position = chart_.x.position(rate / roof.bytes_per_second);
        canvas_.point(static_cast<int>(std::floor(position * point_columns())), y, how, '/');
      }
    }
  }

  /// The level's mark at each point. Levels are drawn from L1 outwards: where they meet at the
  /// compute roof, the innermost one stays.
  void measured(const MeasuredCurve& curve) {
    for (const auto& point : curve.points) {
      const int x = column(point.intensity);
      const int y = row(point.flops_per_second);
      if (canvas_.free_of_text(x, y, 1)) {
        canvas_.text(x, y, level_glyph(curve.level), level_paint(curve.level));
      }
    }
  }

  /// A sparse line through the dots of one region.
  void join(const ChartRegion& region) {
    const bool level = std::none_of(region.dots.begin(), region.dots.end(),
                                    [](const ChartDot& dot) { return dot.flops_per_second; });
    if (!level || !region.expanded) {
      return;
    }
    const int y = row(region.flops_per_second);
    int left = static_cast<int>(canvas_.width());
    int right = 0;
    for (const ChartDot& dot : region.dots) {
      const int x = dot.intensity ? column(*dot.intensity) : static_cast<int>(canvas_.width()) - 1;
      left = std::min(left, x);
      right = std::max(right, x);
    }
    for (int x = left; x < right; ++x) {
      if (canvas_.empty(x, y, 1)) {
        canvas_.point(x * canvas_.points_x(), y * canvas_.points_y() + canvas_.points_y() / 2, kDim,
                      '.');
      }
    }
  }

  /// Where nothing else stands: they say where the rest is, no more.
  void specks() {
    for (const ChartSpeck& speck : chart_.specks) {
      const int x = column(speck.intensity);
      const int y = row(speck.flops_per_second);
      if (canvas_.empty(x, y, 1)) {
        canvas_.text(x, y, style_.unicode ? "\u00B7" : ".", kDim);
      }
    }
  }

  /// In the lowest row that has room for it.
  void name(const Zone& zone) {
    const std::string_view words = zone.memory_bound ? "memory-bound" : "compute-bound";
    const int length = static_cast<int>(words.size());
    const int end = column(zone.high);
    for (int y = static_cast<int>(canvas_.height()) - 1; y + 3 > static_cast<int>(canvas_.height());
         --y) {
      for (int x = column(zone.low) + 1; x + length < end; ++x) {
        if (canvas_.empty(x - 1, y, length + 2)) {
          canvas_.text(x, y, words, kDim);
          return;
        }
      }
    }
  }

  /// The level's name beside the lowest stretch of its roof that has room for it: right of a steep
  /// line, below a flat one. Without room the legend alone names the roof.
  void name(const BandwidthRoof& roof) {
    const std::string level = roof.neutral || !chart_.legend.empty()
                                  ? roof.label.substr(0, roof.label.find(' '))
                                  : chart_.levels[roof.level];
    const int length = static_cast<int>(display_width(level));
    const int top = chart_.roof ? row(chart_.roof->flops_per_second) + 1 : 0;
    for (int y = static_cast<int>(canvas_.height()) - 1; y >= top; --y) {
      const double rate = value_at_row(y * canvas_.points_y() + canvas_.points_y() - 1);
      const double position = chart_.x.position(rate / roof.bytes_per_second);
      if (position < 0.0) {
        continue;
      }
      for (int x = cell(position, canvas_.width()) + 1;
           canvas_.passes(x, y) && canvas_.free_of_text(x, y, 1); ++x) {
        if (name_fits(level, length, x + 1, y, paint_of(roof))) {
          return;
        }
      }
      if (name_fits(level, length, cell(position, canvas_.width()) + 1, y, paint_of(roof))) {
        return;
      }
    }
    for (int x = 0; x < static_cast<int>(canvas_.width()); ++x) {
      const double rate = value_at_column(x * canvas_.points_x()) * roof.bytes_per_second;
      const int y = row(rate) + 1;
      if (chart_.y.position(rate) >= 0.0 && y > top &&
          name_fits(level, length, x + 1, y, paint_of(roof))) {
        return;
      }
    }
  }

  bool name_fits(const std::string& level, int length, int x, int y, Paint how) {
    // Beside a number it would read as one with it.
    const bool apart =
        (x == 0 || canvas_.free_of_text(x - 1, y, 1)) &&
        (x + length >= static_cast<int>(canvas_.width()) || canvas_.free_of_text(x + length, y, 1));
    if (!apart || !canvas_.empty(x, y, length)) {
      return false;
    }
    canvas_.text(x, y, level, how);
    return true;
  }

  const Chart& chart_;
  ChartGrid grid_;
  Canvas canvas_;
  TextStyle style_;
  ChartCells cells_;
};

/// Names of levels may hold anything; each foreign character becomes one "?".
std::string without_other_than_ascii(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      out += c;
    } else if (byte >= 0xC0) {
      out += '?';
    }
  }
  return out;
}

std::string drawn(const Chart& chart, const TextStyle& style) {
  if (!chart.roof && chart.roofs.empty() && chart.regions.empty()) {
    std::string out;
    for (const std::string& part :
         wrap("no chart: no ceilings and no loops with both work and time are known",
              usable_columns(style) - 2)) {
      out += fmt::format("  {}\n", part);
    }
    return out;
  }
  const std::size_t columns = usable_columns(style);
  std::size_t right = chart.roof ? chart.roof->words.size() + 6 : 0;
  for (const ComputeCeiling& ceiling : chart.lower_ceilings) {
    right = std::max(right, ceiling.words.size() + 6);
  }
  constexpr std::size_t kLeft = 8;
  right = std::min(right, columns / 3);
  const std::size_t height = std::clamp<std::size_t>(columns / 5, 15, 26);
  Plot plot(chart, columns - kLeft - 1 - right, height, style);
  plot.draw();
  const auto left_text = left_labels(chart, plot.grid());
  const auto right_text = right_labels(chart, plot.grid());
  std::string out =
      fmt::format("  {}\n", paint(shorten_middle(chart.y_title(), columns), kDim, style));
  for (std::size_t y = 0; y < height; ++y) {
    const bool tick = !left_text[y].empty();
    const std::string_view bar =
        tick ? (style.unicode ? "\u2524" : "+") : (style.unicode ? "\u2502" : "|");
    std::string line = pad_left(left_text[y], kLeft - 1) + std::string(bar) + plot.canvas().row(y);
    if (!right_text[y].empty()) {
      line += " ";
      line += shorten_middle(clean(right_text[y], style.unicode), right, style.unicode);
    } else if (!style.colour) {
      line.erase(line.find_last_not_of(' ') + 1);
    }
    out += line + "\n";
  }
  const auto [axis, labels] = x_axis(chart, plot.grid(), style, columns - kLeft);
  out += std::string(kLeft - 1, ' ') + axis + "\n" + std::string(kLeft, ' ') + labels + "\n";
  out += std::string(kLeft, ' ') +
         paint(shorten_middle(chart.x_title(), columns - kLeft, style.unicode), kDim, style) + "\n";
  out += chart_legend(chart, style, columns) + chart_footnotes(chart, plot.lost(), style, columns);
  return style.unicode ? out : without_other_than_ascii(out);
}

}  // namespace

std::string roofline_chart(const Profile& profile, const Prediction& prediction,
                           const TextStyle& style, const std::vector<std::uint32_t>& only,
                           CountedWork work) {
  Chart chart = chart_of(profile, prediction, only, work);
  // A number is a row of the table below it.
  const Selection table = select_regions(profile, prediction, kMostTableRows, only);
  for (ChartRegion& region : chart.regions) {
    const bool is_row =
        std::any_of(table.shown.begin(), table.shown.end(),
                    [&](const ShownRegion& row) { return row.rank == region.rank; });
    region.rank = is_row ? region.rank : 0;
  }
  return drawn(chart, style);
}

std::string chart_text(const Chart& chart, const TextStyle& style) {
  return drawn(chart, style);
}

std::string roofs_chart(const Machine& machine, const TextStyle& style, CountedWork work) {
  return drawn(chart_of(machine, work), style);
}

}  // namespace ridge::render
