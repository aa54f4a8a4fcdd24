// Results of `ridge run` and `ridge import`, and machine files, on a chart.
#include <algorithm>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "cli/chart/chart_content.hpp"
#include "cli/common/chosen_regions.hpp"
#include "cli/common/prediction_target.hpp"
#include "render/document/chart/loop_dots.hpp"

namespace ridge::cli {
namespace {

bool has_roofs(const Machine& machine) {
  return !machine.ceilings.empty();
}

/// The key of the machine in `machines`, which it joins where it is new. The same measurement in
/// two results is one machine.
std::string key_of(const Machine& machine, const std::string& label, ChartResults& read) {
  for (const TargetMachine& known : read.machines) {
    if (known.measured && known.measured->name == machine.name &&
        known.measured->date == machine.date) {
      return known.figures.key;
    }
  }
  TargetMachine target = measured_target(machine);
  target.figures.key = label;
  read.machines.push_back(std::move(target));
  return label;
}

Result<void> add_result(StoredResult result, const ChartOptions& options, ChartResults& read) {
  auto only = chosen_regions(result, options.only);
  if (!only) {
    return tl::make_unexpected(std::move(only.error()));
  }
  read.machine_of.push_back(has_roofs(result.profile.machine)
                                ? key_of(result.profile.machine, result.label, read)
                                : std::string());
  read.only.push_back(std::move(*only));
  read.results.push_back(std::move(result));
  return {};
}

}  // namespace

Result<ChartResults> read_chart_results(const ChartOptions& options) {
  const std::vector<std::string> labels = labels_of(options.results);
  ChartResults read;
  for (std::size_t i = 0; i < options.results.size(); ++i) {
    auto stored = read_stored(options.results[i], labels[i]);
    if (!stored) {
      return tl::make_unexpected(std::move(stored.error()));
    }
    if (auto* machine = std::get_if<StoredMachine>(&*stored)) {
      (void)key_of(machine->machine, labels[i], read);
    } else if (auto* result = std::get_if<StoredResult>(&*stored)) {
      if (auto added = add_result(std::move(*result), options, read); !added) {
        return tl::make_unexpected(std::move(added.error()));
      }
    } else {
      return fail(ErrorCode::bad_input,
                  fmt::format("{} is a study of a matrix", options.results[i]),
                  "`ridge report` draws it.");
    }
  }
  return read;
}

void add_loops(const ChartResults& results, const std::vector<Level>& levels,
               RooflineChart& chart) {
  const bool memory_only = chart.machines.size() > 1;  // whose roofs alone are drawn then
  const auto drawn = [&](const std::string& key) {
    return std::any_of(chart.machines.begin(), chart.machines.end(),
                       [&](const RooflineMachine& machine) { return machine.key == key; });
  };
  for (std::size_t i = 0; i < results.results.size(); ++i) {
    const StoredResult& result = results.results[i];
    const std::string prefix = results.results.size() > 1 ? result.label + ": " : "";
    auto dots =
        render::loop_dots({result.label, &result.profile, &result.prediction, results.only[i]},
                          prefix, levels, memory_only);
    if (dots.empty()) {
      chart.notes.push_back(
          {"no-dots",
           fmt::format("{}: no loop has work, time and traffic at these levels", result.label)});
    }
    for (RooflineDot& dot : dots) {
      if (drawn(results.machine_of[i])) {
        dot.machine = results.machine_of[i];
      }
      chart.dots.push_back(std::move(dot));
    }
  }
}

}  // namespace ridge::cli
