#include "render/terminal/roofline_chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "render/chart.hpp"
#include "render/level_style.hpp"
#include "render/spread.hpp"
#include "render/terminal/canvas.hpp"
#include "render/text.hpp"

namespace ridge::render {
namespace {

constexpr double kLabelledDecadesX = 3.5;
constexpr double kLabelledDecadesY = 4.5;
constexpr Paint kNumber = "1;38;5;202";

/// One chart being drawn: the data, the cells and how values become cells.
class Plot {
 public:
  Plot(const Chart& chart, std::size_t width, std::size_t height, const TextStyle& style)
      : chart_(chart), canvas_(width, height, style), style_(style) {}

  [[nodiscard]] const Canvas& canvas() const { return canvas_; }

  /// The cell that holds a value; curves use the same mapping, so that a dot on its roof lies on
  /// it.
  [[nodiscard]] int column(double intensity) const {
    return cell(chart_.x.position(intensity), canvas_.width());
  }
  [[nodiscard]] int row(double rate) const {
    return cell(1.0 - chart_.y.position(rate), canvas_.height());
  }

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
    for (const ChartRegion& region : chart_.regions) {
      number(region);
    }
    for (const ChartRegion& region : chart_.regions) {
      marks(region);
    }
    for (const BandwidthRoof& roof : chart_.roofs) {
      name(roof);
    }
  }

  /// Numbers that found no free cell near their dot.
  [[nodiscard]] const std::vector<unsigned>& lost() const { return lost_; }

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
  [[nodiscard]] static double rate_of(const ChartRegion& region, const ChartDot& dot) {
    return dot.flops_per_second.value_or(region.flops_per_second);
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

  /// The rank stands in the outermost dot, or beside an arrow at the edge when that level is never
  /// touched. Another number there pushes it to the nearest free cells.
  void number(const ChartRegion& region) {
    const ChartDot& dot = region.dots.back();
    std::string label = std::to_string(region.rank);
    const int length = static_cast<int>(label.size());
    int x = dot.intensity ? column(*dot.intensity) - (length - 1) / 2
                          : static_cast<int>(canvas_.width()) - length - 1;
    int y = row(rate_of(region, dot));
    x = std::clamp(x, 0, static_cast<int>(canvas_.width()) - length);
    const int needed = dot.intensity ? length : length + 1;
    const auto free = nearest_free(x, y, needed);
    if (!free) {
      lost_.push_back(region.rank);
      return;
    }
    std::tie(x, y) = *free;
    if (!dot.intensity) {
      label += style_.unicode ? "\u25BA" : ">";
    }
    canvas_.text(x, y, label, kNumber);
  }

  [[nodiscard]] std::optional<std::pair<int, int>> nearest_free(int x, int y, int length) const {
    constexpr int kReachX = 24;
    constexpr int kReachY = 8;
    constexpr int kRowCost = 3;  // a row is worth more than a column: it moves the number further
    std::optional<std::pair<int, int>> best;
    int best_cost = kReachX + kRowCost * kReachY + 1;
    for (int dy = -kReachY; dy <= kReachY; ++dy) {
      for (int dx = -kReachX; dx <= kReachX; ++dx) {
        const int cost = std::abs(dx) + kRowCost * std::abs(dy);
        // One cell more on either side where there is one: "1" and "2" must not read as "12".
        const int left = std::max(x + dx - 1, 0);
        const int right = std::min(x + dx + length + 1, static_cast<int>(canvas_.width()));
        if (cost < best_cost && x + dx >= 0 && x + dx + length <= right &&
            canvas_.free_of_text(left, y + dy, right - left)) {
          best = std::pair(x + dx, y + dy);
          best_cost = cost;
        }
      }
    }
    return best;
  }

  /// A sparse line through the dots of one region.
  void join(const ChartRegion& region) {
    const auto column_of = [this](const ChartDot& dot) {
      return dot.intensity ? column(*dot.intensity) : static_cast<int>(canvas_.width()) - 1;
    };
    const bool level = std::none_of(region.dots.begin(), region.dots.end(),
                                    [](const ChartDot& dot) { return dot.flops_per_second; });
    if (!level) {
      return;
    }
    const int y = row(region.flops_per_second);
    int left = static_cast<int>(canvas_.width());
    int right = 0;
    for (const ChartDot& dot : region.dots) {
      left = std::min(left, column_of(dot));
      right = std::max(right, column_of(dot));
    }
    for (int x = left; x < right; ++x) {
      if (canvas_.empty(x, y, 1)) {
        canvas_.point(x * canvas_.points_x(), y * canvas_.points_y() + canvas_.points_y() / 2, kDim,
                      '.');
      }
    }
  }

  void marks(const ChartRegion& region) {
    for (std::size_t i = 0; i + 1 < region.dots.size(); ++i) {
      const ChartDot& dot = region.dots[i];
      const int y = row(rate_of(region, dot));
      const int x = dot.intensity ? column(*dot.intensity) : static_cast<int>(canvas_.width()) - 1;
      if (canvas_.free_of_text(x, y, 1)) {
        canvas_.text(x, y, level_glyph(dot.level), level_paint(dot.level));
      }
    }
  }

  /// The level's name beside the lowest stretch of its roof that has room for it: right of a steep
  /// line, below a flat one. Without room the legend alone names the roof.
  void name(const BandwidthRoof& roof) {
    const std::string level =
        roof.neutral ? roof.label.substr(0, roof.label.find(' ')) : chart_.levels[roof.level];
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
    if (!canvas_.empty(x, y, length)) {
      return false;
    }
    canvas_.text(x, y, level, how);
    return true;
  }

  const Chart& chart_;
  Canvas canvas_;
  TextStyle style_;
  std::vector<unsigned> lost_;
};

/// Labels of compute ceilings by row, moved apart so that each has a row of its own.
std::vector<std::string> right_labels(const Chart& chart, const Plot& plot) {
  std::vector<std::string> rows(plot.canvas().height());
  std::vector<double> wanted;
  std::vector<std::string> texts;
  const auto add = [&](const ComputeCeiling& ceiling) {
    wanted.push_back(plot.row(ceiling.flops_per_second));
    texts.push_back(fmt::format("{} {}", ceiling.words,
                                number(ceiling.flops_per_second / chart.y_prefix.factor)));
  };
  if (chart.roof) {
    add(*chart.roof);
  }
  for (const ComputeCeiling& ceiling : chart.lower_ceilings) {
    add(ceiling);
  }
  const auto placed = spread_apart(wanted, 1.0, 0.0, static_cast<double>(rows.size() - 1));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    auto at =
        std::min(static_cast<std::size_t>(std::max(0.0, std::floor(placed[i]))), rows.size() - 1);
    while (at + 1 < rows.size() && !rows[at].empty()) {
      ++at;
    }
    rows[at] = clean(texts[i]);
  }
  return rows;
}

std::vector<std::string> left_labels(const Chart& chart, const Plot& plot) {
  std::vector<std::string> rows(plot.canvas().height());
  for (const bool decades : {true, false}) {
    for (const Tick& tick : ticks(chart.y, chart.y_prefix.factor, kLabelledDecadesY)) {
      const auto at = static_cast<std::size_t>(plot.row(tick.value));
      const bool neighbour = !rows[at].empty() || (at > 0 && !rows[at - 1].empty()) ||
                             (at + 1 < rows.size() && !rows[at + 1].empty());
      if (tick.decade == decades && !tick.label.empty() && !neighbour) {
        rows[at] = tick.label;
      }
    }
  }
  return rows;
}

/// The axis line with its tick marks, and the numbers below it.
std::pair<std::string, std::string> x_axis(const Chart& chart, const Plot& plot,
                                           const TextStyle& style, std::size_t room) {
  const std::size_t width = plot.canvas().width();
  std::vector<bool> marked(width, false);
  std::string labels(room, ' ');
  for (const bool decades : {true, false}) {
    for (const Tick& tick : ticks(chart.x, 1.0, kLabelledDecadesX)) {
      const int at = plot.column(tick.value);
      const int half = static_cast<int>(tick.label.size()) / 2;
      const auto start = static_cast<std::size_t>(std::max(at - half, 0));
      const auto from = start == 0 ? 0 : start - 1;
      const std::string around = labels.substr(from, tick.label.size() + 2);
      if (tick.decade == decades && !tick.label.empty() &&
          around.find_first_not_of(' ') == std::string::npos &&
          start + tick.label.size() <= labels.size()) {
        labels.replace(start, tick.label.size(), tick.label);
        marked[static_cast<std::size_t>(at)] = true;
      }
    }
  }
  std::string line = style.unicode ? "\u2514" : "+";
  for (std::size_t x = 0; x < width; ++x) {
    line += marked[x] ? (style.unicode ? "\u2534" : "+") : (style.unicode ? "\u2500" : "-");
  }
  labels.erase(labels.find_last_not_of(' ') + 1);
  return {line, labels};
}

/// "▲ L1 237 GB/s" for each level; then what the numbers are.
std::string legend(const Chart& chart, const TextStyle& style, std::size_t columns) {
  std::vector<std::pair<std::string, Paint>> items;
  for (const BandwidthRoof& roof : chart.roofs) {
    const LevelStyle& look = level_style(chart.levels[roof.level], roof.level);
    const std::string glyph = style.unicode ? std::string(look.glyph) : std::string(1, look.ascii);
    items.emplace_back(roof.neutral ? roof.label : fmt::format("{} {}", glyph, roof.label),
                       roof.neutral ? Paint(kPlain) : look.sgr);
  }
  for (const LegendEntry& entry : chart.legend) {
    const LevelStyle& look = level_style(chart.levels[entry.level], entry.level);
    const std::string glyph = style.unicode ? std::string(look.glyph) : std::string(1, look.ascii);
    items.emplace_back(fmt::format("{} {}", glyph, entry.text), look.sgr);
  }
  if (!chart.measured.empty() && chart.regions.empty()) {
    items.emplace_back("line: ceilings, mark: loops of loads and fma", kDim);
  }
  if (!chart.regions.empty()) {
    items.emplace_back(chart.legend.empty() ? "number: rank in the table, at the outermost level"
                                            : "number: a loop, at the last result that has it",
                       kDim);
  }
  std::string out;
  std::size_t used = 0;
  for (const auto& [whole, how] : items) {
    const std::string text = shorten_middle(whole, columns - 2, style.unicode);
    const std::size_t width = display_width(text);
    if (used != 0 && used + 3 + width > columns) {
      out += "\n";
      used = 0;
    }
    const std::string_view gap = used == 0 ? "  " : "   ";
    out += std::string(gap) + paint(text, how, style);
    used += gap.size() + width;
  }
  return out.empty() ? out : out + "\n";
}

std::string footnotes(const Chart& chart, const Plot& plot, const TextStyle& style,
                      std::size_t columns) {
  std::vector<std::string> notes;
  const bool clamped = std::any_of(
      chart.regions.begin(), chart.regions.end(),
      [](const ChartRegion& region) { return !region.dots.back().intensity.has_value(); });
  if (clamped) {
    notes.push_back(fmt::format("{} no traffic at that level: intensity unbounded",
                                style.unicode ? "\u25BA" : ">"));
  }
  if (!plot.lost().empty()) {
    notes.push_back(fmt::format("no room for the numbers of: {}", fmt::join(plot.lost(), ", ")));
  }
  if (!chart.without_traffic.empty()) {
    notes.push_back(fmt::format("traffic unknown, in the table alone: {}",
                                fmt::join(chart.without_traffic, ", ")));
  }
  std::string out;
  for (const std::string& note : notes) {
    for (const std::string& part : wrap(note, columns - 2)) {
      out += fmt::format("  {}\n", paint(part, kDim, style));
    }
  }
  return out;
}

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
    return "  no chart: no ceilings and no loops with both work and time are known\n";
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
  const auto left_text = left_labels(chart, plot);
  const auto right_text = right_labels(chart, plot);
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
  const auto [axis, labels] = x_axis(chart, plot, style, columns - kLeft);
  out += std::string(kLeft - 1, ' ') + axis + "\n" + std::string(kLeft, ' ') + labels + "\n";
  out += std::string(kLeft, ' ') +
         paint(shorten_middle(chart.x_title(), columns - kLeft, style.unicode), kDim, style) + "\n";
  out += legend(chart, style, columns) + footnotes(chart, plot, style, columns);
  return style.unicode ? out : without_other_than_ascii(out);
}

}  // namespace

std::string roofline_chart(const Profile& profile, const Prediction& prediction,
                           const TextStyle& style, const std::vector<std::uint32_t>& only) {
  return drawn(chart_of(profile, prediction, only), style);
}

std::string chart_text(const Chart& chart, const TextStyle& style) {
  return drawn(chart, style);
}

std::string roofs_chart(const Machine& machine, const TextStyle& style) {
  return drawn(chart_of(machine), style);
}

}  // namespace ridge::render
