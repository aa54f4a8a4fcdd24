#include "render/document/compare/comparison_table.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "render/chart/format_si.hpp"
#include "render/chart/names.hpp"
#include "render/chart/text.hpp"
#include "render/document/compare/cells.hpp"
#include "render/format/text/paint.hpp"
#include "render/format/text/text_table.hpp"

namespace ridge::render {
namespace {

constexpr std::size_t kMostLoops = 12;
constexpr std::size_t kMostListed = 8;

/// A line of a loop's block: a result, or the change to it.
struct Row {
  const ComparedLoop* loop = nullptr;
  const Place* place = nullptr;    ///< of a result
  const LoopStep* step = nullptr;  ///< of a change
  std::string label;
  bool first = false;  ///< of its loop
};

void add_rows(std::vector<Row>& rows, const Comparison& comparison, const ComparedLoop& loop) {
  const std::size_t steps = steps_one_by_one(comparison);
  bool first = true;
  for (const Place& place : loop.places) {
    rows.push_back({&loop, &place, nullptr, comparison.results[place.result].label,
                    std::exchange(first, false)});
    for (const LoopStep& step : loop.steps) {
      if (step.step < steps && comparison.steps[step.step].to == place.result) {
        rows.push_back({&loop, nullptr, &step, "change", false});
      }
    }
  }
  if (steps > 1) {
    for (const LoopStep& step : loop.steps) {
      if (step.step == steps) {
        rows.push_back({&loop, nullptr, &step, "in all", false});
      }
    }
  }
}

class LoopTable {
 public:
  LoopTable(const Comparison& comparison, std::vector<Row> rows, const TextStyle& style)
      : comparison_(comparison), rows_(std::move(rows)), style_(style) {}

  std::string text() {
    constexpr std::size_t kWhere = 30;
    constexpr std::size_t kLabel = 16;
    std::vector<TextColumn> columns;
    columns.push_back(column("loop", 0, [&](const Row& row) {
      return !row.first ? std::string()
             : row.loop->kind == RegionKind::program
                 ? std::string("whole program")
                 : loop_text(*row.loop, *row.place, kWhere, style_.unicode);
    }));
    columns.back().left = true;
    columns.push_back(column("result", 0, [&](const Row& row) {
      return shorten_middle(clean(row.label, style_.unicode), kLabel, style_.unicode);
    }));
    columns.back().left = true;
    columns.push_back(quantity("time", "time", 0));
    columns.push_back(quantity("rate", "performance", 5));
    columns.push_back(quantity("work", "flops", 8));
    const auto levels = compared_levels(comparison_);
    for (std::size_t i = 0; i < levels.size(); ++i) {
      const bool outermost = i + 1 == levels.size();
      const std::string level(to_string(levels[i]));
      columns.push_back(
          quantity(level, "traffic." + level, outermost ? 9 : 1 + static_cast<int>(i)));
      columns.back().group = "traffic";
    }
    if (!levels.empty()) {
      const auto outermost = to_string(levels.back());
      columns.push_back(
          quantity(fmt::format("I({})", outermost), fmt::format("intensity.{}", outermost), 4));
    }
    columns.push_back(column("bound", 6, [&](const Row& row) { return bound(row); }));
    columns.back().left = true;
    return render_table(std::move(columns), usable_columns(style_), style_);
  }

  [[nodiscard]] const std::vector<std::string>& changes() const { return changes_; }

 private:
  template <class Cell>
  TextColumn column(std::string title, int importance, Cell cell) {
    TextColumn result;
    result.title = std::move(title);
    result.importance = importance;
    for (const Row& row : rows_) {
      result.cells.push_back(cell(row));
      result.paints.push_back(row.step != nullptr ? kBold : kPlain);
    }
    return result;
  }

  TextColumn quantity(std::string title, const std::string& name, int importance) {
    return column(std::move(title), importance, [&](const Row& row) {
      if (row.place != nullptr) {
        return figure_text(find_figure(*row.place, name));
      }
      const Change* change = find_change(*row.step, name);
      std::string text = change_text(change, style_.unicode);
      changes_.push_back(text);
      return text;
    });
  }

  /// Of a change only what is another one.
  std::string bound(const Row& row) const {
    if (row.place != nullptr) {
      return limit_text(*row.place) +
             (row.place->fraction ? " " + percent(*row.place->fraction) : std::string());
    }
    const ComparedStep& step = comparison_.steps[row.step->step];
    const Place* before = find_place(*row.loop, step.from);
    const Place* after = find_place(*row.loop, step.to);
    return before->limit == after->limit
               ? std::string(before->limit ? "=" : kUnknown)
               : fmt::format("{} > {}", limit_text(*before), limit_text(*after));
  }

  const Comparison& comparison_;
  std::vector<Row> rows_;
  const TextStyle& style_;
  std::vector<std::string> changes_;
};

std::string lines(const std::string& text, const TextStyle& style, std::string indent = "  - ") {
  std::string out;
  for (const std::string& line :
       wrap(clean(text, style.unicode), usable_columns(style) - indent.size())) {
    out += indent + line + "\n";
    indent = std::string(indent.size(), ' ');
  }
  return out;
}

std::string listed(const std::vector<const ComparedLoop*>& loops, std::string_view title,
                   std::size_t result, std::size_t other, const TextStyle& style) {
  if (loops.empty()) {
    return {};
  }
  constexpr std::size_t kRest = 32;  // dash, time and work
  const std::size_t width = usable_columns(style) - kRest;
  std::string out = fmt::format("\n  {}\n", paint(title, kBold, style));
  for (std::size_t i = 0; i < loops.size() && i < kMostListed; ++i) {
    const Place* at = find_place(*loops[i], result);
    const Place& place = at != nullptr ? *at : *find_place(*loops[i], other);
    out += fmt::format("  - {} ({}, {})\n", place_text(place, width, style.unicode),
                       figure_text(find_figure(place, "time")),
                       figure_text(find_figure(place, "flops")));
  }
  if (loops.size() > kMostListed) {
    out += fmt::format("    and {} more\n", loops.size() - kMostListed);
  }
  return out;
}

std::string lists(const Comparison& comparison, const TextStyle& style) {
  std::string out;
  for (std::size_t i = 0; i < steps_one_by_one(comparison); ++i) {
    const ComparedStep& step = comparison.steps[i];
    const LoopLists found = lists_of(comparison, i);
    const std::string from = clean(comparison.results[step.from].label, style.unicode);
    const std::string to = clean(comparison.results[step.to].label, style.unicode);
    out += listed(found.added, fmt::format("New in {}", to), step.to, step.from, style);
    out +=
        listed(found.vanished, fmt::format("Vanished after {}", from), step.from, step.to, style);
    if (!step.ambiguous.empty()) {
      out += fmt::format("\n  {}\n", paint("Not compared", kBold, style));
      for (const AmbiguousMatch& match : step.ambiguous) {
        out += lines(match.text, style);
      }
    }
  }
  return out;
}

/// How a loop was found, where that was not by its function and position.
std::string finding_notes(const std::vector<const ComparedLoop*>& loops, const TextStyle& style) {
  constexpr std::size_t kWidth = 50;
  std::string out;
  for (const ComparedLoop* loop : loops) {
    const Place* last = nullptr;
    for (const Place& place : loop->places) {
      const bool plain =
          place.matched_by == MatchedBy::first || place.matched_by == MatchedBy::position;
      if (!plain && last != nullptr) {
        const char* how = place.matched_by == MatchedBy::moved ? "inlined elsewhere"
                          : place.matched_by == MatchedBy::renamed
                              ? "the same work in a function of another name"
                              : "another namespace, template arguments or parameters";
        out += lines(fmt::format("{} was {}: {}", place_text(place, kWidth, style.unicode),
                                 place_text(*last, kWidth, style.unicode), how),
                     style);
      }
      last = &place;
    }
  }
  return out;
}

std::string notes(const Comparison& comparison, const std::vector<const ComparedLoop*>& shown,
                  const std::vector<std::string>& changes, const TextStyle& style) {
  std::string out;
  for (std::size_t i = 0; i < steps_one_by_one(comparison); ++i) {
    for (const Note& note : comparison.steps[i].notes) {
      out += lines(note.text, style);
    }
  }
  out += finding_notes(shown, style);
  for (const std::string& line : mark_explanations(changes)) {
    out += lines(line, style);
  }
  return out.empty() ? out : fmt::format("\n  {}\n{}", paint("Notes", kBold, style), out);
}

std::string left_out(const Comparison& comparison, const std::vector<const ComparedLoop*>& shown) {
  std::size_t left = 0;
  std::size_t changed = 0;
  for (const ComparedLoop& loop : comparison.loops) {
    if (std::find(shown.begin(), shown.end(), &loop) == shown.end()) {
      ++left;
      changed += counts_changed(loop) ? 1 : 0;
    }
  }
  return left == 0
             ? std::string()
             : fmt::format("  {} more region{}, {} with other counts: -o FILE.csv lists all\n",
                           left, left == 1 ? "" : "s", changed);
}

}  // namespace

std::string comparison_table(const Comparison& comparison, const TextStyle& style) {
  std::string out;
  for (const std::string& line :
       wrap(clean(comparison.summary, style.unicode), usable_columns(style) - 2)) {
    out += fmt::format("  {}\n", paint(line, kBold, style));
  }
  if (steps_one_by_one(comparison) > 1) {
    for (std::size_t i = 0; i < steps_one_by_one(comparison); ++i) {
      const ComparedStep& step = comparison.steps[i];
      out += lines(fmt::format("{} to {}: {}", comparison.results[step.from].label,
                               comparison.results[step.to].label, step.summary),
                   style);
    }
  }
  std::vector<Row> rows;
  if (comparison.program) {
    add_rows(rows, comparison, *comparison.program);
  }
  const auto shown = notable_loops(comparison, kMostLoops);
  for (const ComparedLoop* loop : shown) {
    add_rows(rows, comparison, *loop);
  }
  LoopTable table(comparison, std::move(rows), style);
  out += "\n" + table.text() + left_out(comparison, shown);
  out += lists(comparison, style);
  return out + notes(comparison, shown, table.changes(), style);
}

}  // namespace ridge::render
