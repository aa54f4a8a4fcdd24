#include "render/document/bench/machine_table.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "render/chart/ceiling_figures.hpp"
#include "render/chart/format_si.hpp"
#include "render/chart/text.hpp"
#include "render/format/text/text_table.hpp"

namespace ridge::render {
namespace {

using Rows = std::vector<std::pair<const Ceiling*, CeilingFigures>>;

/// "98.7%": columns are dear.
std::string tight(std::string percentage) {
  std::erase(percentage, ' ');
  return percentage;
}

template <class Cell>
TextColumn column(std::string title, bool left, int importance, const Rows& rows, Cell cell) {
  TextColumn result;
  result.title = std::move(title);
  result.left = left;
  result.importance = importance;
  for (const auto& [ceiling, figures] : rows) {
    result.cells.push_back(cell(*ceiling, figures));
  }
  return result;
}

/// A column that prints one member of CeilingFigures.
template <class Member>
TextColumn figure_column(std::string title, bool left, int importance, const Rows& rows,
                         Member member) {
  return column(std::move(title), left, importance, rows,
                [member](const Ceiling&, const CeilingFigures& figures) {
                  return std::string(figures.*member);
                });
}

TextColumn what_column(const Rows& rows, std::string_view title, bool unicode) {
  constexpr std::size_t kLeast = 20;
  TextColumn result = figure_column(std::string(title), true, 0, rows, &CeilingFigures::what);
  result.least_width = kLeast;
  result.fit = [&rows, unicode](std::size_t row, std::size_t width) {
    return shorten_middle(rows[row].second.what, width, unicode);
  };
  return result;
}

std::string section(CeilingKind kind, const Rows& rows, const TextStyle& style) {
  constexpr std::array<std::string_view, 3> kTitles = {"compute", "bandwidth", "latency"};
  std::vector<TextColumn> columns;
  columns.push_back(what_column(rows, kTitles.at(static_cast<std::size_t>(kind)), style.unicode));
  columns.push_back(column("thr.", false, 0, rows, [](const Ceiling& ceiling, const auto&) {
    return std::to_string(ceiling.threads);
  }));
  columns.push_back(figure_column(kind == CeilingKind::latency ? "p10" : "p90", false, 0, rows,
                                  &CeilingFigures::quoted));
  if (kind == CeilingKind::bandwidth) {
    columns.push_back(figure_column("traffic", false, 4, rows, &CeilingFigures::traffic));
  }
  columns.push_back(figure_column("median", false, 3, rows, &CeilingFigures::median));
  columns.push_back(
      column("spread", false, 2, rows, [](const Ceiling&, const CeilingFigures& figures) {
        return tight(percent(figures.spread, 1));
      }));
  columns.push_back(column("limit", false, 0, rows, [](const Ceiling& ceiling, const auto&) {
    return limit_words(ceiling);
  }));
  columns.push_back(figure_column("origin", true, 1, rows, &CeilingFigures::origin));
  if (std::any_of(rows.begin(), rows.end(),
                  [](const auto& row) { return !row.second.flags.empty(); })) {
    columns.push_back(figure_column("flags", true, 0, rows, &CeilingFigures::flags));
    columns.back().paints.assign(rows.size(), kWarning);
  }
  return render_table(std::move(columns), usable_columns(style), style);
}

}  // namespace

std::string machine_header(const Machine& machine, const TextStyle& style) {
  const std::size_t columns = usable_columns(style);
  const std::string name = machine.name.empty() && machine.cpu ? machine.cpu->name : machine.name;
  std::string out =
      "  " +
      paint(shorten_middle(clean(name, style.unicode), columns - 2, style.unicode), kBold, style) +
      "\n";
  std::vector<std::string> lines = {topology_line(machine, style.unicode)};
  if (const std::string clock = clock_line(machine); !clock.empty()) {
    lines.push_back("clock: " + clock);
  }
  for (const std::string& line : lines) {
    for (const std::string& part : wrap(line, columns - 2)) {
      out += fmt::format("  {}\n", part);
    }
  }
  return out;
}

std::string machine_table(const Machine& machine, const TextStyle& style) {
  std::string out = machine_header(machine, style);
  for (const CeilingKind kind :
       {CeilingKind::compute, CeilingKind::bandwidth, CeilingKind::latency}) {
    Rows rows;
    for (const Ceiling& ceiling : machine.ceilings) {
      if (ceiling.kind == kind) {
        rows.emplace_back(&ceiling, figures_of(ceiling, style.unicode));
      }
    }
    if (!rows.empty()) {
      out += "\n";
      out += section(kind, rows, style);
    }
  }
  return machine.ceilings.empty() ? out + "\n  no ceilings were measured\n" : out;
}

}  // namespace ridge::render
