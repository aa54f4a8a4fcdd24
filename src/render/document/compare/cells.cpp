#include "render/document/compare/cells.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "render/chart/format_si.hpp"
#include "render/chart/names.hpp"
#include "render/chart/text.hpp"

namespace ridge::render {
namespace {

constexpr double kNotable = 0.01;

/// "+12 %", "-0.3 %"; three digits at most, never a rounded 0 or -100 of something that is not.
std::string signed_percent(double relative) {
  const double percent = relative * 100.0;
  const double size = std::fabs(percent);
  const char sign = percent < 0.0 ? '-' : '+';
  if (size < 0.01) {
    return fmt::format("{}<0.01 %", sign);
  }
  if (percent < -99.5 && percent > -100.0) {
    return fmt::format("{:.2f} %", std::max(percent, -99.99));
  }
  return fmt::format("{}{:.{}f} %", sign, size, size < 0.095 ? 2 : size < 9.95 ? 1 : 0);
}

std::string relative_text(double ratio, bool unicode) {
  if (ratio < 2.0) {
    return signed_percent(ratio - 1.0);
  }
  return fmt::format("{:.{}f}{}", ratio, ratio < 9.95 ? 1 : 0, unicode ? "\u00D7" : "x");
}

double value_of(const Place& place, std::string_view quantity) {
  const RegionFigure* figure = find_figure(place, quantity);
  return figure != nullptr ? figure->value : 0.0;
}

double most(const ComparedLoop& loop, std::string_view quantity) {
  double value = 0.0;
  for (const Place& place : loop.places) {
    value = std::max(value, value_of(place, quantity));
  }
  return value;
}

/// Of the program in the results; 0 when unknown.
double whole(const Comparison& comparison, std::string_view quantity) {
  double value = comparison.program ? most(*comparison.program, quantity) : 0.0;
  if (value == 0.0) {
    for (const ComparedLoop& loop : comparison.loops) {
      value += most(loop, quantity);
    }
  }
  return value;
}

}  // namespace

std::string figure_text(const RegionFigure* figure) {
  if (figure == nullptr) {
    return std::string(kUnknown);
  }
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kShort{
      {{"s", "s"},
       {"flop", "Flop"},
       {"op", "op"},
       {"byte", "B"},
       {"flop/s", "Flop/s"},
       {"byte/s", "B/s"}}};
  for (const auto& [unit, shown] : kShort) {
    if (figure->unit == unit) {
      return si(figure->value, shown);
    }
  }
  return figure->unit == "flop/byte" ? number(figure->value) : si(figure->value, "");
}

std::string change_text(const Change* change, bool unicode) {
  if (change == nullptr) {
    return std::string(kUnknown);
  }
  switch (change->verdict) {
    case Verdict::same:
      return "=";
    case Verdict::unknown:
      return "?";
    case Verdict::not_comparable:
      return "n/c";
    default:
      break;
  }
  const std::string text =
      change->ratio ? relative_text(*change->ratio, unicode) : std::string("from 0");
  return change->verdict == Verdict::within_spread ? "~" + text
         : change->verdict == Verdict::one_run     ? "(" + text + ")"
         : change->verdict == Verdict::doubtful    ? text + "?"
                                                   : text;
}

std::vector<std::string> mark_explanations(const std::vector<std::string>& texts) {
  const auto any = [&](auto test) { return std::any_of(texts.begin(), texts.end(), test); };
  std::vector<std::string> lines;
  if (any([](const std::string& t) { return t.starts_with("~"); })) {
    lines.emplace_back("~ within the spread: the intervals overlap");
  }
  if (any([](const std::string& t) { return t.starts_with("("); })) {
    lines.emplace_back("( ) one run each: how far runs differ is not known");
  }
  if (any([](const std::string& t) { return t.size() > 1 && t.ends_with("?"); })) {
    lines.emplace_back(
        "? doubtful: the run was cut short, or the simulation does not vouch for this traffic");
  }
  if (any([](const std::string& t) { return t == "?"; })) {
    lines.emplace_back("? alone: known on one side only");
  }
  if (any([](const std::string& t) { return t == "n/c"; })) {
    lines.emplace_back("n/c not comparable: another machine or other caches");
  }
  return lines;
}

std::string limit_text(const Place& place) {
  return place.limit ? clean(*place.limit) : std::string(kUnknown);
}

std::string place_text(const Place& place, std::size_t width, bool unicode) {
  Region region;
  region.kind = RegionKind::loop;
  region.name = place.name;
  region.function = place.function;
  region.file = place.file;
  region.line = place.line;
  return where(region, width, unicode);
}

std::string loop_text(const ComparedLoop& loop, const Place& place, std::size_t width,
                      bool unicode) {
  const std::size_t mark = loop.label.rfind('#');
  const bool numbered = mark != std::string::npos && mark + 1 < loop.label.size() &&
                        loop.label.find_first_not_of("0123456789", mark + 1) == std::string::npos;
  const std::string number = numbered ? " " + loop.label.substr(mark) : "";
  return place_text(place, width - std::min(width, number.size()), unicode) + number;
}

std::vector<Level> compared_levels(const Comparison& comparison) {
  std::vector<Level> levels;
  for (const ComparedResult& result : comparison.results) {
    for (const Level level : result.levels) {
      if (level != Level::L1 && std::find(levels.begin(), levels.end(), level) == levels.end()) {
        levels.push_back(level);
      }
    }
  }
  return levels;
}

std::vector<const ComparedLoop*> notable_loops(const Comparison& comparison,
                                               std::size_t most_loops) {
  const double seconds = whole(comparison, "time");
  const char* by = seconds > 0.0 ? "time" : "flops";
  const double least = whole(comparison, by) * kNotable;
  std::vector<const ComparedLoop*> loops;
  for (const ComparedLoop& loop : comparison.loops) {
    if (most(loop, by) > 0.0 && most(loop, by) >= least && loops.size() < most_loops) {
      loops.push_back(&loop);
    }
  }
  return loops;
}

bool counts_changed(const ComparedLoop& loop) {
  return std::any_of(loop.steps.begin(), loop.steps.end(), [](const LoopStep& step) {
    return std::any_of(step.changes.begin(), step.changes.end(), [](const Change& change) {
      return change.verdict == Verdict::changed && change.before && change.before->count;
    });
  });
}

std::size_t steps_one_by_one(const Comparison& comparison) {
  return comparison.results.size() - 1;
}

}  // namespace ridge::render
