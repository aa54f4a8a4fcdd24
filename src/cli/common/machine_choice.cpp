#include "cli/common/machine_choice.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include <fmt/core.h>

#include "core/quantity/quantity_text.hpp"

namespace ridge::cli {
namespace {

constexpr std::string_view kAll = "all";
constexpr std::array kKinds{MachineKind::cpu, MachineKind::gpu, MachineKind::accelerator};

struct Comparison {
  std::string_view text;
  bool (*holds)(double figure, double limit);
};
/// Two characters first: ">=" is not ">" and "=...".
constexpr std::array kComparisons{
    Comparison{">=", [](double figure, double limit) { return figure >= limit; }},
    Comparison{"<=", [](double figure, double limit) { return figure <= limit; }},
    Comparison{">", [](double figure, double limit) { return figure > limit; }},
    Comparison{"<", [](double figure, double limit) { return figure < limit; }}};

struct Condition {
  std::string figure;
  bool (*holds)(double, double) = nullptr;
  double limit = 0.0;
};

std::optional<double> value_of(const std::optional<Figure>& figure) {
  return figure ? std::optional(figure->value) : std::nullopt;
}

std::optional<double> figure_of(const Specification& machine, const std::string& name) {
  if (name == "cores") {
    return value_of(machine.cores);
  }
  if (name == "clock") {
    return value_of(machine.clock);
  }
  if (name == "year") {
    return machine.year ? std::optional<double>(*machine.year) : std::nullopt;
  }
  if (name == "bandwidth") {
    const auto* best = main_memory_bandwidth(machine, Basis::theoretical);
    return best != nullptr ? std::optional(best->figure.value) : std::nullopt;
  }
  const auto* peak = highest_peak(machine, name, Pipes::vector, Basis::theoretical);
  return peak != nullptr ? std::optional(peak->figure.value) : std::nullopt;
}

/// A peak is a figure where some machine has it.
bool is_figure(const std::vector<Specification>& known, const std::string& figure) {
  constexpr std::array<std::string_view, 4> kOfAll{"cores", "clock", "bandwidth", "year"};
  return std::find(kOfAll.begin(), kOfAll.end(), figure) != kOfAll.end() ||
         std::any_of(known.begin(), known.end(), [&](const Specification& machine) {
           return figure_of(machine, figure).has_value();
         });
}

bool is_condition(std::string_view word) {
  return word.find_first_of("<>") != std::string_view::npos;
}

Result<Condition> parse_condition(const std::string& word,
                                  const std::vector<Specification>& known) {
  for (const Comparison& comparison : kComparisons) {
    const auto at = word.find(comparison.text);
    if (at == std::string::npos) {
      continue;
    }
    const std::string figure = word.substr(0, at);
    const auto limit = parse_quantity(std::string_view(word).substr(at + comparison.text.size()),
                                      {"flop/s", "Flop/s", "op/s", "B/s", "byte/s", "Hz"});
    if (limit && is_figure(known, figure)) {
      return Condition{figure, comparison.holds, *limit};
    }
    break;
  }
  return fail(ErrorCode::usage, fmt::format("--on: `{}` is no condition", word.substr(0, 60)),
              "such as fp64>=10T, bandwidth>=2TB/s, cores>=64, clock>3G or year>=2022");
}

bool in_set(const Specification& machine, std::string_view set) {
  return set == kAll || set == to_string(machine.kind);
}

bool names_set(std::string_view word) {
  return word == kAll || std::any_of(kKinds.begin(), kKinds.end(),
                                     [&](MachineKind kind) { return word == to_string(kind); });
}

bool fulfils(const Specification& machine, const std::vector<Condition>& conditions) {
  return std::all_of(conditions.begin(), conditions.end(), [&](const Condition& condition) {
    const auto figure = figure_of(machine, condition.figure);
    return figure && condition.holds(*figure, condition.limit);
  });
}

}  // namespace

bool is_machine_set(const std::string& word) {
  return names_set(word) || is_condition(word);
}

Result<std::vector<std::string>> expand_machine_sets(const std::vector<std::string>& chosen,
                                                     const std::vector<Specification>& known) {
  std::vector<Condition> conditions;
  std::vector<std::string> sets;
  std::vector<std::string> names;
  for (const std::string& word : chosen) {
    if (is_condition(word)) {
      auto condition = parse_condition(word, known);
      if (!condition) {
        return tl::make_unexpected(std::move(condition.error()));
      }
      conditions.push_back(std::move(*condition));
    } else {
      (names_set(word) ? sets : names).push_back(word);
    }
  }
  if (!conditions.empty() && sets.empty()) {
    sets.emplace_back(kAll);
  }
  const std::size_t named = names.size();
  for (const Specification& machine : known) {
    const bool wanted = std::any_of(sets.begin(), sets.end(),
                                    [&](const std::string& set) { return in_set(machine, set); });
    const bool there = std::find(names.begin(), names.end(), machine.key) != names.end();
    if (wanted && !there && fulfils(machine, conditions)) {
      names.push_back(machine.key);
    }
  }
  if (!sets.empty() && names.size() == named) {
    return fail(ErrorCode::bad_input, "--on: no machine fulfils all conditions",
                "`ridge machines list` shows their figures; a machine whose figure is not known "
                "fulfils none");
  }
  return names;
}

}  // namespace ridge::cli
