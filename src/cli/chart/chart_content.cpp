#include "cli/chart/chart_content.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/common/points_file.hpp"
#include "cli/common/prediction_target.hpp"
#include "predict/catalogue/spectrum.hpp"
#include "predict/projection/roofline_dots.hpp"
#include "predict/projection/roofline_lines.hpp"
#include "render/document/chart/loop_dots.hpp"

namespace ridge::cli {
namespace {

constexpr std::size_t kLongestTitle = 60;

Error of_point(Error error, const std::string& place) {
  error.code = ErrorCode::bad_input;
  error.message = fmt::format("{}: {}", place, error.message);
  return error;
}

Result<void> add_points(const std::string& file, std::vector<DemandSubject>& subjects) {
  const auto points = read_points(file);
  if (!points) {
    return tl::make_unexpected(points.error());
  }
  for (const PointOfFile& point : *points) {
    auto subject = subject_of(point.figures, point.place);
    if (!subject) {
      return tl::make_unexpected(of_point(std::move(subject.error()), point.place));
    }
    subject->measured_on = point.measured_on;
    subjects.push_back(std::move(*subject));
  }
  return {};
}

/// Kernels, points and the computation of the command line, in this order.
Result<std::vector<DemandSubject>> subjects_of(const ChartOptions& options) {
  std::vector<DemandSubject> subjects;
  for (const std::string& text : options.kernels) {
    auto subject = parse_kernel_subject(text);
    if (!subject) {
      return tl::make_unexpected(std::move(subject.error()));
    }
    subjects.push_back(std::move(*subject));
  }
  for (const std::string& file : options.points) {
    if (auto added = add_points(file, subjects); !added) {
      return tl::make_unexpected(std::move(added.error()));
    }
  }
  if (has_figures(options.figures)) {
    FigureOptions figures = options.figures;
    if (!options.precisions.empty()) {
      figures.precision = options.precisions.front();
    }
    auto subject = figures_from(figures).and_then(
        [](const predict::ComputationFigures& found) { return subject_of(found, "command line"); });
    if (!subject) {
      return tl::make_unexpected(std::move(subject.error()));
    }
    subjects.push_back(std::move(*subject));
  }
  return subjects;
}

/// --on and --machine; else the machines of the results; else this one.
Result<std::vector<TargetMachine>> targets_of(const ChartOptions& options,
                                              const ChartResults& results) {
  if (options.on.empty() && options.own_machines.empty() && !options.results.empty()) {
    return results.machines;
  }
  const bool this_one = options.on.empty() && options.own_machines.empty();
  auto targets = this_one             ? find_targets({"this"})
                 : options.on.empty() ? Result<std::vector<TargetMachine>>()
                                      : find_targets(options.on);
  return std::move(targets).and_then([&](std::vector<TargetMachine> found) {
    return with_own_machines(std::move(found), options.own_machines);
  });
}

/// Dots and lines are told apart by the machines' keys.
Result<void> check_keys(const std::vector<TargetMachine>& targets,
                        const std::vector<DemandSubject>& subjects) {
  std::vector<std::string> keys;
  for (const TargetMachine& target : targets) {
    if (std::find(keys.begin(), keys.end(), target.figures.key) != keys.end()) {
      return fail(ErrorCode::usage,
                  fmt::format("chart: two machines are called {}", target.figures.key),
                  "name=TEXT in --machine gives one a name of its own");
    }
    keys.push_back(target.figures.key);
  }
  for (const DemandSubject& subject : subjects) {
    for (const auto& [machine, figure] : subject.measured_on) {
      if (std::find(keys.begin(), keys.end(), machine) == keys.end()) {
        return fail(ErrorCode::usage,
                    fmt::format("{}: it was measured on {}, and no such machine is drawn",
                                subject.prediction.kernel.name, machine.substr(0, 60)),
                    fmt::format("the machines are {}", fmt::join(keys, ", ")));
      }
    }
  }
  return {};
}

/// Of --precision; else of all that is drawn.
std::vector<std::string> precisions_of(const ChartOptions& options,
                                       const std::vector<DemandSubject>& subjects,
                                       const ChartResults& results) {
  std::vector<std::string> precisions = options.precisions;
  const auto add = [&](const std::string& precision) {
    if (std::find(precisions.begin(), precisions.end(), precision) == precisions.end()) {
      precisions.push_back(precision);
    }
  };
  if (precisions.empty()) {
    for (const DemandSubject& subject : subjects) {
      add(subject.prediction.demand.precision);
    }
    for (const StoredResult& result : results.results) {
      add(render::main_precision_of({result.label, &result.profile, &result.prediction}));
    }
  }
  if (precisions.empty()) {
    add("fp64");
  }
  return precisions;
}

predict::LineChoices line_choices(const ChartWords& words, std::vector<std::string> precisions,
                                  const std::vector<DemandSubject>& subjects, bool several) {
  predict::LineChoices choices;
  choices.precisions = std::move(precisions);
  choices.matrix_pipes =
      words.pipes ? *words.pipes == Pipes::matrix
                  : std::any_of(subjects.begin(), subjects.end(), [](const DemandSubject& each) {
                      return each.prediction.demand.matrix;
                    });
  choices.vector_pipes = words.pipes != Pipes::matrix;
  choices.basis = words.basis;
  choices.levels = words.levels;
  choices.memory_only = words.memory_only.value_or(several);
  choices.isas = words.isas;
  choices.no_fma = words.no_fma;
  choices.no_simd = words.no_simd;
  choices.one_core = words.one_core;
  return choices;
}

/// Whether a loop that repeats over these data moves nothing at the roofs that are drawn.
bool stays_in_cache(const DemandSubject& subject, const TargetMachine& target,
                    predict::PredictionChoices choices) {
  choices.cold = false;
  const ResourcePrediction repeated = subject.on(target, choices);
  return std::any_of(repeated.notes.begin(), repeated.notes.end(),
                     [](const Note& note) { return note.code == "resident"; });
}

/// Of one computation on every machine, its data coming from the memory: a dot belongs below the
/// roof at whose intensity it stands. A time of no machine in particular is drawn once, at the
/// intensity on the first one.
void add_dots(const DemandSubject& subject, const std::vector<TargetMachine>& targets,
              const ChartWords& words, RooflineChart& chart) {
  predict::PredictionChoices choices;
  choices.basis = words.basis;
  choices.pipes = words.pipes;
  choices.cold = true;
  const KernelPrediction& head = subject.prediction;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const TargetMachine& target = targets[i];
    const bool own = subject.measured_on.contains(target.figures.key);
    const ResourcePrediction prediction = subject.on(target, choices);
    predict::DotChoices at{words.levels, std::nullopt};
    if (own || i == 0) {
      at.seconds = own ? measured_seconds(subject, target.figures.key) : head.measured_seconds;
    }
    const auto dots = predict::roofline_dots(head, target, prediction, at);
    for (RooflineDot dot : dots) {
      if (dot.measured && !own && targets.size() > 1) {
        dot.machine.reset();
      }
      chart.dots.push_back(std::move(dot));
    }
    if (stays_in_cache(subject, target, choices)) {
      chart.notes.push_back(
          {"resident",
           fmt::format("{} on {}: its data fit into a cache, and its dot is of data that come from "
                       "the memory: a loop that repeats over them may be faster",
                       head.kernel.name, target.figures.key)});
    }
    if (dots.empty() || prediction.missing) {
      chart.notes.push_back(
          {"no-bound",
           fmt::format("{} on {}: {}", head.kernel.name, target.figures.key,
                       prediction.missing.value_or("no flop or no bytes, so no place here"))});
    }
  }
}

std::string title_of(const RooflineChart& chart) {
  std::vector<std::string> names;
  for (const RooflineDot& dot : chart.dots) {
    if (std::find(names.begin(), names.end(), dot.name) == names.end()) {
      names.push_back(dot.name);
    }
  }
  std::vector<std::string> keys;
  for (const RooflineMachine& machine : chart.machines) {
    keys.push_back(machine.key);
  }
  if (names.empty()) {
    return fmt::format("Roofs of {}", fmt::join(keys, ", "));
  }
  const std::string title = fmt::format("Roofline of {}", fmt::join(names, ", "));
  return title.size() <= kLongestTitle ? title
                                       : fmt::format("Roofline of {} computations", names.size());
}

}  // namespace

Result<RooflineChart> chart_content(const ChartOptions& options, const ChartWords& words) {
  const auto subjects = subjects_of(options);
  if (!subjects) {
    return tl::make_unexpected(subjects.error());
  }
  const auto results = read_chart_results(options);
  if (!results) {
    return tl::make_unexpected(results.error());
  }
  const auto targets = targets_of(options, *results);
  if (!targets) {
    return tl::make_unexpected(targets.error());
  }
  if (auto fine = check_keys(*targets, *subjects); !fine) {
    return tl::make_unexpected(std::move(fine.error()));
  }
  const predict::LineChoices choices = line_choices(
      words, precisions_of(options, *subjects, *results), *subjects, targets->size() > 1);
  RooflineChart chart;
  for (const TargetMachine& target : *targets) {
    chart.machines.push_back(predict::roofline_lines(target, choices));
  }
  for (const DemandSubject& subject : *subjects) {
    add_dots(subject, *targets, words, chart);
  }
  add_loops(*results, words.levels, chart);
  if (options.spectrum) {
    chart.spectrum = predict::intensity_spectrum();
  }
  const bool untitled = options.style == "paper" || (options.title && options.title->empty());
  chart.title = options.title ? *options.title : untitled ? "" : title_of(chart);
  return chart;
}

}  // namespace ridge::cli
