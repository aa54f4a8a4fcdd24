#include "render/format/text/chart_margins.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "render/chart/format_si.hpp"
#include "render/chart/heat.hpp"
#include "render/chart/level_style.hpp"
#include "render/chart/spread.hpp"
#include "render/chart/text.hpp"
#include "render/format/text/paint.hpp"

namespace ridge::render {
namespace {

constexpr double kLabelledDecadesX = 3.5;
constexpr double kLabelledDecadesY = 4.5;

int cell(double position, std::size_t cells) {
  const double count = static_cast<double>(cells);
  return static_cast<int>(std::clamp(std::floor(position * count), 0.0, count - 1.0));
}

using Items = std::vector<std::pair<std::string, Paint>>;

/// Side by side, in as many lines as they need. Ends with a line feed, or is empty.
std::string flowing(const Items& items, const TextStyle& style, std::size_t columns) {
  std::string out;
  std::size_t used = 0;
  for (const auto& [whole, how] : items) {
    const std::string text = shorten_end(whole, columns - 2, style.unicode);
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

/// Lines of their own; without colour the ranks alone tell the heat.
std::string heat_legend(const Chart& chart, const TextStyle& style, std::size_t columns) {
  if (!chart.heat || !style.colour || chart.regions.empty()) {
    return {};
  }
  Items items{{"time:", kDim}};
  for (std::size_t step = 0; step < kHeatSteps; ++step) {
    items.emplace_back(heat_style(step).words, heat_style(step).sgr);
  }
  return flowing(items, style, columns);
}

/// "number: ..."
std::string_view number_words(const Chart& chart) {
  return chart.heat                      ? "number: rank in the table, at the level that binds"
         : chart.explains_marks_on_paper ? "number: computation of the table"
         : chart.legend.empty()          ? "number: rank in the table, at the outermost level"
                                         : "number: a loop, at the last result that has it";
}

}  // namespace

int ChartGrid::column(double intensity) const {
  return cell(x.position(intensity), width);
}

int ChartGrid::row(double rate) const {
  return cell(1.0 - y.position(rate), height);
}

std::vector<std::string> right_labels(const Chart& chart, const ChartGrid& grid) {
  std::vector<std::string> rows(grid.height);
  std::vector<double> wanted;
  std::vector<std::string> texts;
  const auto add = [&](const ComputeCeiling& ceiling) {
    wanted.push_back(grid.row(ceiling.flops_per_second));
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

std::vector<std::string> left_labels(const Chart& chart, const ChartGrid& grid) {
  std::vector<std::string> rows(grid.height);
  for (const bool decades : {true, false}) {
    for (const Tick& tick : ticks(chart.y, chart.y_prefix.factor, kLabelledDecadesY)) {
      const auto at = static_cast<std::size_t>(grid.row(tick.value));
      const bool neighbour = !rows[at].empty() || (at > 0 && !rows[at - 1].empty()) ||
                             (at + 1 < rows.size() && !rows[at + 1].empty());
      if (tick.decade == decades && !tick.label.empty() && !neighbour) {
        rows[at] = tick.label;
      }
    }
  }
  return rows;
}

XAxis x_axis(const Chart& chart, const ChartGrid& grid, const TextStyle& style, std::size_t room) {
  const std::size_t width = grid.width;
  std::vector<bool> marked(width, false);
  std::string labels(room, ' ');
  for (const bool decades : {true, false}) {
    for (const Tick& tick : ticks(chart.x, 1.0, kLabelledDecadesX)) {
      const int at = grid.column(tick.value);
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

std::string chart_legend(const Chart& chart, const TextStyle& style, std::size_t columns) {
  Items items;
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
    items.emplace_back(number_words(chart), kDim);
  }
  if (!chart.specks.empty()) {
    items.emplace_back(style.unicode ? "\u00B7 less time" : ". less time", kDim);
  }
  return flowing(items, style, columns) + heat_legend(chart, style, columns);
}

std::string chart_footnotes(const Chart& chart, const std::vector<unsigned>& lost,
                            const TextStyle& style, std::size_t columns) {
  std::vector<std::string> notes;
  const bool clamped =
      std::any_of(chart.regions.begin(), chart.regions.end(), [](const ChartRegion& region) {
        return std::any_of(region.dots.begin(), region.dots.end(), [&](const ChartDot& dot) {
          return !dot.intensity &&
                 region.draws(static_cast<std::size_t>(&dot - region.dots.data()));
        });
      });
  if (clamped) {
    notes.push_back(fmt::format("{} beyond the picture: little or no traffic at that level",
                                style.unicode ? "\u25BA" : ">"));
  }
  if (!lost.empty()) {
    notes.push_back(fmt::format("without room: {}", fmt::join(lost, ", ")));
  }
  if (!chart.outside.empty()) {
    notes.push_back(fmt::format("outside of the picture: {}", fmt::join(chart.outside, ", ")));
  }
  if (!chart.without_traffic.empty()) {
    notes.push_back(fmt::format("traffic unknown, in the table alone: {}",
                                fmt::join(chart.without_traffic, ", ")));
  }
  notes.insert(notes.end(), chart.above_roofs.begin(), chart.above_roofs.end());
  std::string out;
  for (const std::string& note : notes) {
    for (const std::string& part : wrap(note, columns - 2)) {
      out += fmt::format("  {}\n", paint(part, kDim, style));
    }
  }
  return out;
}

}  // namespace ridge::render
