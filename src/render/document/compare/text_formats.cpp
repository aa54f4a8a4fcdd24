#include "render/document/compare/text_formats.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "render/chart/format_si.hpp"
#include "render/chart/text.hpp"
#include "render/document/compare/cells.hpp"

namespace ridge::render {
namespace {

constexpr std::size_t kMostLoops = 20;

/// A quoted field where needed; never one that begins like a formula.
std::string field(std::string_view text) {
  std::string value = clean(text);
  if (!value.empty() && std::string_view("=+-@\t").find(value.front()) != std::string_view::npos) {
    value.insert(value.begin(), '\'');
  }
  if (value.find_first_of(",\"\n\r") == std::string::npos) {
    return value;
  }
  std::string quoted = "\"";
  for (const char c : value) {
    quoted += c == '"' ? "\"\"" : std::string(1, c);
  }
  return quoted + "\"";
}

std::string plain(std::optional<double> value) {
  return value ? fmt::format("{}", *value) : std::string();
}

std::string value_fields(const std::optional<FigureValue>& figure) {
  if (!figure) {
    return ",,";
  }
  const std::string value =
      figure->count ? fmt::format("{}", *figure->count) : fmt::format("{}", figure->value);
  return fmt::format("{},{},{}", value, plain(figure->low), plain(figure->high));
}

/// Kind, name and place, then the results of the step.
std::string row_begin(const Comparison& comparison, const ComparedLoop& loop, const Place& place,
                      const ComparedStep& step) {
  return fmt::format(
      "{},{},{},{},{},{},{}", to_string(loop.kind), field(place.name), field(place.function),
      field(place.file.value_or("")), place.line ? std::to_string(*place.line) : "",
      field(comparison.results[step.from].label), field(comparison.results[step.to].label));
}

std::string change_rows(const Comparison& comparison, const ComparedLoop& loop,
                        const LoopStep& step) {
  const ComparedStep& between = comparison.steps[step.step];
  const std::string begin = row_begin(comparison, loop, *find_place(loop, between.to), between);
  std::string out;
  for (const Change& change : step.changes) {
    out += fmt::format("{},{},{},{},{},{},{}\r\n", begin, field(change.quantity), change.unit,
                       value_fields(change.before), value_fields(change.after), plain(change.ratio),
                       to_string(change.verdict));
  }
  return out;
}

/// A loop that only one end of the step has.
std::string one_sided_rows(const Comparison& comparison, const ComparedLoop& loop,
                           const Place& place, const ComparedStep& step, bool ambiguous) {
  const bool before = place.result == step.from;
  const std::string begin = row_begin(comparison, loop, place, step);
  std::string out;
  for (const RegionFigure& figure : place.figures) {
    out += fmt::format("{},{},{},{},{},,{}\r\n", begin, field(figure.quantity), figure.unit,
                       value_fields(before ? std::optional(figure) : std::nullopt),
                       value_fields(before ? std::nullopt : std::optional(figure)),
                       ambiguous ? "ambiguous"
                       : before  ? "vanished"
                                 : "new");
  }
  return out;
}

std::string rows_of(const Comparison& comparison, const ComparedLoop& loop) {
  std::string out;
  for (std::size_t step = 0; step < comparison.steps.size(); ++step) {
    if (const LoopStep* changes = find_step(loop, step)) {
      out += change_rows(comparison, loop, *changes);
    }
  }
  return out;
}

std::string one_sided(const Comparison& comparison) {
  std::string out;
  for (std::size_t i = 0; i < comparison.steps.size(); ++i) {
    const ComparedStep& step = comparison.steps[i];
    const LoopLists lists = lists_of(comparison, i);
    const auto add = [&](const std::vector<const ComparedLoop*>& loops, bool ambiguous) {
      for (const ComparedLoop* loop : loops) {
        const Place* before = find_place(*loop, step.from);
        const Place* after = find_place(*loop, step.to);
        out += one_sided_rows(comparison, *loop, before != nullptr ? *before : *after, step,
                              ambiguous);
      }
    };
    add(lists.added, false);
    add(lists.vanished, false);
    add(lists.ambiguous, true);
  }
  return out;
}

/// Text in a table of Markdown: no markup, no cell ends.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : escape_markup(text)) {
    out += std::string_view("|`*_[]\\").find(c) != std::string_view::npos ? fmt::format("\\{}", c)
                                                                          : std::string(1, c);
  }
  return out;
}

std::string markdown_row(const std::vector<std::string>& cells) {
  std::string out = "|";
  for (const std::string& text : cells) {
    out += " " + text + " |";
  }
  return out + "\n";
}

std::string before_and_after(const ComparedLoop& loop, const ComparedStep& step,
                             const Change* change, std::string_view quantity) {
  const Place* before = find_place(loop, step.from);
  const Place* after = find_place(loop, step.to);
  const auto text = [&](const Place* place) {
    return place != nullptr ? figure_text(find_figure(*place, quantity)) : std::string(kUnknown);
  };
  return fmt::format("{} \u2192 {} **{}**", text(before), text(after), cell(change_text(change)));
}

std::string markdown_loop(const Comparison& comparison, const ComparedLoop& loop,
                          const std::vector<std::string>& quantities) {
  constexpr std::size_t kWidth = 60;
  const std::size_t last = comparison.steps.size() - 1;
  const ComparedStep& step = comparison.steps[last];
  const LoopStep* changes = find_step(loop, last);
  const Place* before = find_place(loop, step.from);
  const Place* after = find_place(loop, step.to);
  std::vector<std::string> cells{loop.kind == RegionKind::program
                                     ? "whole program"
                                     : cell(loop_text(loop, loop.places.back(), kWidth))};
  for (const std::string& quantity : quantities) {
    cells.push_back(before_and_after(
        loop, step, changes != nullptr ? find_change(*changes, quantity) : nullptr, quantity));
  }
  const auto limit = [](const Place* place) {
    return place != nullptr ? cell(limit_text(*place)) : std::string(kUnknown);
  };
  cells.push_back(limit(before) == limit(after)
                      ? limit(before)
                      : fmt::format("{} \u2192 {}", limit(before), limit(after)));
  return markdown_row(cells);
}

}  // namespace

std::string comparison_csv(const Comparison& comparison) {
  std::string out =
      "kind,name,function,file,line,from,to,quantity,unit,before,before_low,before_high,after,"
      "after_low,after_high,ratio,verdict\r\n";
  if (comparison.program) {
    out += rows_of(comparison, *comparison.program);
  }
  for (const ComparedLoop& loop : comparison.loops) {
    out += rows_of(comparison, loop);
  }
  return out + one_sided(comparison);
}

std::string machine_comparison_csv(const MachineComparison& comparison) {
  std::string out = "ceiling,unit,machine,value,low,high,samples,ratio,verdict\r\n";
  for (const ComparedCeiling& ceiling : comparison.ceilings) {
    for (const ComparedCeiling::Value& value : ceiling.values) {
      out += fmt::format("{},{},{},{},{},{},{},{},{}\r\n", field(ceiling.id), ceiling.unit,
                         field(comparison.machines[value.machine].label), value.p90, value.low,
                         value.high, value.samples, plain(value.ratio),
                         value.ratio ? to_string(value.verdict) : "");
    }
  }
  return out;
}

std::string comparison_markdown(const Comparison& comparison) {
  std::vector<std::string> quantities{"time", "performance", "flops"};
  std::vector<std::string> titles{"loop", "time", "flop/s", "work"};
  for (const Level level : compared_levels(comparison)) {
    quantities.push_back(fmt::format("traffic.{}", to_string(level)));
    titles.push_back(fmt::format("traffic {}", to_string(level)));
  }
  titles.emplace_back("bound");
  std::string out = fmt::format("**{}**\n\n", cell(comparison.summary)) + markdown_row(titles);
  out += markdown_row(std::vector<std::string>(titles.size(), "---"));
  if (comparison.program) {
    out += markdown_loop(comparison, *comparison.program, quantities);
  }
  for (const ComparedLoop* loop : notable_loops(comparison, kMostLoops)) {
    out += markdown_loop(comparison, *loop, quantities);
  }
  std::string notes;
  for (const Note& note : overall_step(comparison).notes) {
    notes += fmt::format("- {}\n", cell(note.text));
  }
  const auto list = [&](const std::vector<const ComparedLoop*>& loops, const char* what) {
    for (const ComparedLoop* loop : loops) {
      constexpr std::size_t kWidth = 80;
      notes += fmt::format("- {}: {}\n", what, cell(loop_text(*loop, loop->places.back(), kWidth)));
    }
  };
  const LoopLists lists = lists_of(comparison, comparison.steps.size() - 1);
  list(lists.added, "new");
  list(lists.vanished, "vanished");
  for (const AmbiguousMatch& match : overall_step(comparison).ambiguous) {
    notes += fmt::format("- {}\n", cell(match.text));
  }
  return out + (notes.empty() ? "" : "\n" + notes);
}

std::string machine_comparison_markdown(const MachineComparison& comparison) {
  std::vector<std::string> titles{"ceiling"};
  for (const MachineComparison::Entry& machine : comparison.machines) {
    titles.push_back(cell(machine.label));
  }
  std::string out = fmt::format("**{}**\n\n", cell(comparison.summary)) + markdown_row(titles) +
                    markdown_row(std::vector<std::string>(titles.size(), "---"));
  for (const ComparedCeiling& ceiling : comparison.ceilings) {
    std::vector<std::string> cells{cell(ceiling.id)};
    for (std::size_t i = 0; i < comparison.machines.size(); ++i) {
      const auto found =
          std::find_if(ceiling.values.begin(), ceiling.values.end(),
                       [&](const ComparedCeiling::Value& value) { return value.machine == i; });
      std::string text(kUnknown);
      if (found != ceiling.values.end()) {
        Change change;
        change.ratio = found->ratio;
        change.verdict = found->verdict;
        text = si(found->p90, ceiling.unit) +
               (found->ratio ? " **" + cell(change_text(&change)) + "**" : std::string());
      }
      cells.push_back(text);
    }
    out += markdown_row(cells);
  }
  std::string notes;
  for (const Note& note : comparison.notes) {
    notes += fmt::format("- {}\n", cell(note.text));
  }
  return out + (notes.empty() ? "" : "\n" + notes);
}

}  // namespace ridge::render
