#include "predict/compare/words.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/value/profile.hpp"

namespace ridge::predict {

std::string seconds_words(double seconds) {
  constexpr std::array<std::pair<double, std::string_view>, 4> kUnits{
      {{1.0, "s"}, {1e-3, "ms"}, {1e-6, "\u00B5s"}, {1e-9, "ns"}}};
  for (const auto& [unit, name] : kUnits) {
    const double value = seconds / unit;
    // What would be printed as 1000 belongs to the next unit.
    if (value >= 0.9995 || name == "ns") {
      const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
      return fmt::format("{:.{}f} {}", value, decimals, name);
    }
  }
  return {};
}

std::string factor_words(double factor) {
  const int decimals = factor < 1.195 ? 2 : factor < 9.95 ? 1 : 0;
  return fmt::format("{:.{}f}", factor, decimals);
}

std::string percent_words(double fraction) {
  const double percent = fraction * 100.0;
  if (percent < 0.01) {
    return "less than 0.01 %";
  }
  // Never "100 %" of something that is left.
  if (percent > 99.5 && percent < 100.0) {
    return "more than 99 %";
  }
  return fmt::format("{:.{}f} %", percent, percent < 0.095 ? 2 : percent < 9.95 ? 1 : 0);
}

std::optional<std::string> moved_words(const Change& change) {
  const double before = change.before ? change.before->value : 0.0;
  const double after = change.after ? change.after->value : 0.0;
  if (before == after) {
    return std::nullopt;
  }
  if (before == 0.0) {
    return "rose from 0";
  }
  if (after == 0.0) {
    return "fell to 0";
  }
  if (after < before) {
    return "fell by " + percent_words(1.0 - after / before);
  }
  const double factor = after / before;
  return factor < 2.0 ? "rose by " + percent_words(factor - 1.0)
                      : fmt::format("rose {}x", factor_words(factor));
}

void set_labels(Comparison& comparison) {
  using Named = std::pair<RegionKind, std::string>;
  std::map<Named, std::size_t> names;
  for (ComparedLoop& loop : comparison.loops) {
    loop.label = brief_name(loop.places.back().name);
    ++names[{loop.kind, loop.label}];
  }
  // In the order of the source, so that numbers do not hang on times.
  std::vector<std::pair<std::tuple<unsigned, std::size_t, std::uint32_t>, ComparedLoop*>> several;
  for (ComparedLoop& loop : comparison.loops) {
    const Place& last = loop.places.back();
    if (names[{loop.kind, loop.label}] > 1) {
      several.push_back({{last.line.value_or(0), last.result, last.region}, &loop});
    }
  }
  std::sort(several.begin(), several.end());
  std::map<Named, std::vector<ComparedLoop*>> places;
  for (const auto& [order, loop] : several) {
    if (const auto line = loop->places.back().line) {
      loop->label += fmt::format(":{}", *line);
    }
    places[{loop->kind, loop->label}].push_back(loop);
  }
  for (const auto& [place, loops] : places) {
    for (std::size_t i = 0; loops.size() > 1 && i < loops.size(); ++i) {
      loops[i]->label += fmt::format("#{}", i + 1);
    }
  }
  if (comparison.program) {
    comparison.program->label = "program";
  }
}

}  // namespace ridge::predict
