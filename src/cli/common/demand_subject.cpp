#include "cli/common/demand_subject.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/common/nearest_names.hpp"
#include "predict/projection/kernel_on_machine.hpp"
#include "predict/projection/residency.hpp"

namespace ridge::cli {
namespace {

using predict::Assignment;
using predict::Kernel;

std::vector<std::string_view> words_of(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  std::vector<std::string_view> words;
  for (auto start = text.find_first_not_of(kBlanks); start != std::string_view::npos;
       start = text.find_first_not_of(kBlanks, start)) {
    const auto end = std::min(text.find_first_of(kBlanks, start), text.size());
    words.push_back(text.substr(start, end - start));
    start = end;
  }
  return words;
}

/// Keys of a kernel's text that are no parameters of it.
bool is_figure(std::string_view key) {
  return key == "name" || key == "precision" || key == "time" || key == "performance" ||
         key.starts_with("time.") || key.starts_with("performance.");
}

struct KernelWords {
  std::vector<Assignment> parameters;
  predict::ComputationFigures figures;
  MeasuredOn measured_on;
};

Result<KernelWords> parse_words(const std::vector<std::string_view>& words) {
  KernelWords parsed;
  for (const std::string_view word : words) {
    auto assignment = predict::parse_assignment(word);
    if (!assignment) {
      return tl::make_unexpected(std::move(assignment.error()));
    }
    if (!is_figure(assignment->name)) {
      parsed.parameters.push_back(std::move(*assignment));
      continue;
    }
    const PointFigure figure{assignment->name, assignment->value};
    auto set = is_measured_on(figure.key) ? set_measured_on(parsed.measured_on, figure)
                                          : set_figure(parsed.figures, figure);
    if (!set) {
      return tl::make_unexpected(std::move(set.error()));
    }
  }
  if (!element_bytes(parsed.figures.precision)) {
    return fail(ErrorCode::usage,
                fmt::format("there is no precision `{}`", parsed.figures.precision.substr(0, 60)),
                fmt::format("one of {}", fmt::join(known_precisions(), ", ")));
  }
  return parsed;
}

/// Seconds of a figure: a rate needs the work.
std::optional<double> seconds_of(const MeasuredFigure& figure, const Demand& demand) {
  const auto work = static_cast<double>(demand.work.flops());
  return figure.seconds ? figure.seconds
         : figure.performance && *figure.performance > 0.0 && work > 0.0
             ? std::optional(work / *figure.performance)
             : std::nullopt;
}

}  // namespace

std::optional<double> measured_seconds(const DemandSubject& subject, const std::string& machine) {
  const auto own = subject.measured_on.find(machine);
  return own != subject.measured_on.end() ? seconds_of(own->second, subject.prediction.demand)
                                          : subject.prediction.measured_seconds;
}

Result<DemandSubject> subject_of(const predict::ComputationFigures& figures,
                                 const std::string& source) {
  auto computation = predict::computation_from(figures);
  if (!computation) {
    return tl::make_unexpected(std::move(computation.error()));
  }
  DemandSubject subject;
  KernelPrediction& head = subject.prediction;
  head.kernel.name = figures.name;
  head.kernel.summary = "work and traffic as given";
  head.kernel.source = source;
  head.demand = computation->demand;
  head.measured_seconds = computation->seconds;
  if (computation->of_unit_work) {
    head.unit_work = predict::kUnitWork;
  }
  subject.on = [computation = std::move(*computation)](const TargetMachine& target,
                                                       const predict::PredictionChoices& choices) {
    predict::PredictionChoices own = choices;
    own.outermost_known = predict::outermost_known(computation);
    return predict::predict_figures(
        computation.demand, target, own,
        predict::traffic_on(computation, target, !choices.memory.empty()));
  };
  return subject;
}

DemandSubject subject_of(const predict::SizedKernel& kernel) {
  DemandSubject subject;
  KernelPrediction& head = subject.prediction;
  head.kernel = text_of(*kernel.kernel);
  for (const auto& [name, value] : kernel.parameters.all()) {
    head.parameters.push_back({std::string(name), static_cast<double>(value)});
  }
  head.demand = kernel.demand;
  for (const predict::BelowCache& below : predict::traffic_by_cache(kernel)) {
    head.by_cache.push_back({below.cache_bytes, below.traffic});
  }
  subject.on = [kernel](const TargetMachine& target, const predict::PredictionChoices& choices) {
    return predict::predict_kernel(kernel, target, choices);
  };
  return subject;
}

KernelText text_of(const Kernel& kernel) {
  KernelText text;
  text.name = kernel.name;
  text.summary = kernel.summary;
  for (const predict::KernelParameter& parameter : kernel.parameters) {
    text.parameters.push_back({std::string(parameter.name), std::string(parameter.meaning),
                               parameter.fallback.empty()
                                   ? std::nullopt
                                   : std::optional(std::string(parameter.fallback))});
  }
  text.work = kernel.work_formula;
  text.traffic = kernel.traffic_formula;
  if (!kernel.cache_formula.empty()) {
    text.cache = kernel.cache_formula;
  }
  text.source = kernel.source;
  return text;
}

Result<const Kernel*> kernel_named(const std::string& name) {
  if (const Kernel* kernel = predict::find_kernel(name)) {
    return kernel;
  }
  std::vector<std::string> names;
  for (const Kernel& kernel : predict::kernels()) {
    names.emplace_back(kernel.name);
  }
  const auto near = nearest_names(name, names);
  return fail(ErrorCode::bad_input, fmt::format("there is no kernel `{}`", name),
              near.empty() ? "`ridge predict --list` lists the kernels."
                           : fmt::format("did you mean {}? `ridge predict --list` lists all.",
                                         fmt::join(near, ", ")));
}

Error with_parameters(Error error, const Kernel& kernel, const std::vector<Assignment>& given) {
  if (!error.hint.empty()) {
    return error;
  }
  const std::vector<std::string> names = predict::parameter_names(kernel);
  std::vector<std::string> near;
  for (const Assignment& assignment : given) {
    if (std::find(names.begin(), names.end(), assignment.name) == names.end() && near.empty()) {
      near = nearest_names(assignment.name, names);
    }
  }
  error.hint = fmt::format("{}its parameters are {}",
                           near.empty() ? "" : fmt::format("did you mean {}? ", near.front()),
                           fmt::join(names, ", "));
  return error;
}

Result<DemandSubject> parse_kernel_subject(std::string_view text) {
  std::vector<std::string_view> words = words_of(text);
  if (words.empty()) {
    return fail(ErrorCode::usage, "--kernel: no kernel is named",
                "such as --kernel 'gemm n=5000 time=1.4'");
  }
  const auto kernel = kernel_named(std::string(words.front()));
  if (!kernel) {
    return tl::make_unexpected(kernel.error());
  }
  words.erase(words.begin());
  auto parsed = parse_words(words);
  if (!parsed) {
    Error error = std::move(parsed.error());
    error.code = ErrorCode::usage;
    error.message = fmt::format("--kernel {}: {}", (*kernel)->name, error.message);
    return tl::make_unexpected(std::move(error));
  }
  const auto sized = predict::size_kernel(**kernel, parsed->parameters, parsed->figures.precision);
  if (!sized) {
    return tl::make_unexpected(with_parameters(sized.error(), **kernel, parsed->parameters));
  }
  DemandSubject subject = subject_of(*sized);
  if (!parsed->figures.name.empty()) {
    subject.prediction.kernel.name = parsed->figures.name;
  }
  subject.prediction.measured_seconds =
      seconds_of({parsed->figures.seconds, parsed->figures.performance}, subject.prediction.demand);
  subject.measured_on = std::move(parsed->measured_on);
  return subject;
}

}  // namespace ridge::cli
