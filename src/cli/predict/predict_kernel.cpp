// `ridge predict --kernel` and `--list`: the catalogue.
#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/common/nearest_names.hpp"
#include "cli/common/terminal.hpp"
#include "cli/predict/predict_choices.hpp"
#include "cli/predict/predict_output.hpp"
#include "cli/predict/predict_subjects.hpp"
#include "predict/catalogue/kernels.hpp"
#include "predict/projection/kernel_on_machine.hpp"
#include "render/document/projection/prediction_table.hpp"
#include "serialize/kernel_prediction.hpp"

namespace ridge::cli {
namespace {

using predict::Assignment;
using predict::Kernel;
using predict::SizedKernel;

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

/// Names the parameters that exist, the nearest first, where an error has no hint of its own.
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

Result<SizedKernel> sized_kernel(const PredictOptions& options) {
  const auto kernel = kernel_named(*options.kernel);
  if (!kernel) {
    return tl::make_unexpected(kernel.error());
  }
  const std::string precision = options.precision.value_or("fp64");
  if (!predict::element_bytes(precision)) {
    return fail(ErrorCode::usage, fmt::format("--precision: there is no `{}`", precision),
                fmt::format("one of {}", fmt::join(predict::known_precisions(), ", ")));
  }
  std::vector<Assignment> given;
  for (const std::string& text : options.parameters) {
    auto assignment = predict::parse_assignment(text);
    if (!assignment) {
      return tl::make_unexpected(assignment.error());
    }
    given.push_back(std::move(*assignment));
  }
  auto sized = predict::size_kernel(**kernel, given, precision);
  if (!sized) {
    return tl::make_unexpected(with_parameters(std::move(sized.error()), **kernel, given));
  }
  return sized;
}

}  // namespace

Result<int> list_kernels(const PredictOptions& options) {
  std::vector<KernelText> texts;
  for (const Kernel& kernel : predict::kernels()) {
    texts.push_back(text_of(kernel));
  }
  return deliver(serialize::write_kernels(texts),
                 render::kernel_list(texts, text_style(stdout, options.ascii)), options);
}

Result<int> predict_kernel(const PredictOptions& options) {
  const auto sized = sized_kernel(options);
  if (!sized) {
    return tl::make_unexpected(sized.error());
  }
  const auto choices = prediction_choices(options);
  if (!choices) {
    return tl::make_unexpected(choices.error());
  }
  const auto targets = changed_targets(options);
  if (!targets) {
    return tl::make_unexpected(targets.error());
  }
  KernelPrediction prediction;
  prediction.kernel = text_of(*sized->kernel);
  for (const auto& [name, value] : sized->parameters.all()) {
    prediction.parameters.push_back({std::string(name), static_cast<double>(value)});
  }
  prediction.demand = sized->demand;
  for (const predict::BelowCache& below : predict::traffic_by_cache(*sized)) {
    prediction.by_cache.push_back({below.cache_bytes, below.traffic});
  }
  for (const TargetMachine& target : *targets) {
    prediction.machines.push_back(predict::predict_kernel(*sized, target, *choices));
  }
  return deliver(serialize::write_kernel_prediction(prediction),
                 render::kernel_prediction(prediction, text_style(stdout, options.ascii)), options);
}

}  // namespace ridge::cli
