#include "cli/predict/demand_prediction.hpp"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/common/machine_file.hpp"
#include "cli/common/streams.hpp"
#include "cli/common/terminal.hpp"
#include "cli/output/output_format.hpp"
#include "cli/output/prediction_formats.hpp"
#include "cli/predict/predict_choices.hpp"
#include "core/identity/level.hpp"
#include "core/quantity/quantity_text.hpp"
#include "predict/roof/common_resources.hpp"
#include "predict/roof/measured_standing.hpp"
#include "render/chart/text.hpp"
#include "render/document/projection/prediction_table.hpp"

namespace ridge::cli {
namespace {

/// What --solve can ask of a machine's resources.
bool names_rate(std::string_view word) {
  return word == "bandwidth" || word == "peak" || word == "compute" ||
         parse_level(word).has_value();
}

/// Names of the expression of --overlap that no machine has and no --demand adds.
Result<void> check_names(const predict::OverlapExpression& overlap,
                         const std::vector<KernelPrediction>& predictions) {
  for (const std::string& name : overlap.names()) {
    std::vector<std::string> known{"memory"};
    for (const KernelPrediction& prediction : predictions) {
      for (const ResourcePrediction& machine : prediction.machines) {
        for (const ResourceTime& resource : machine.resources) {
          if (std::find(known.begin(), known.end(), resource.resource) == known.end()) {
            known.push_back(resource.resource);
          }
        }
      }
    }
    if (known.size() > 1 && std::find(known.begin(), known.end(), name) == known.end()) {
      return fail(ErrorCode::usage, fmt::format("--overlap: there is no resource `{}`", name),
                  fmt::format("one of {}", fmt::join(known, ", ")));
    }
  }
  return {};
}

Result<double> share_of(const PredictOptions& options) {
  const auto share = options.fraction ? parse_quantity(*options.fraction, {"%"}) : std::nullopt;
  if (!share || *share < 1e-12 || *share > 1e12) {
    return fail(ErrorCode::usage, "--solve time needs --fraction, the share of what is attainable",
                "such as --fraction 0.8 or 80%");
  }
  return options.fraction->ends_with('%') ? *share / 100.0 : *share;
}

Result<void> solve_on(ResourcePrediction& machine, const PredictOptions& options,
                      std::optional<double> seconds) {
  if (*options.solve == "time") {
    const auto share = share_of(options);
    if (!share) {
      return tl::make_unexpected(share.error());
    }
    machine.solved = predict::time_at_share(machine, *share);
    return {};
  }
  if (!seconds) {
    return fail(ErrorCode::usage, fmt::format("--solve {} needs a time", *options.solve),
                "add --time 1.2ms");
  }
  machine.solved = predict::needed_rate(machine, *options.solve, *seconds);
  return {};
}

/// Seconds that speak for a machine: measured where they are.
std::optional<double> time_of(const ResourcePrediction& machine) {
  return machine.measured ? std::optional(machine.measured->seconds) : machine.seconds;
}

/// The same beside other machines: by what all of them bound.
std::optional<double> comparable_time(const ResourcePrediction& machine) {
  return machine.measured || !machine.common_seconds ? time_of(machine) : machine.common_seconds;
}

void set_speedup(ResourcePrediction& machine, std::optional<double> own,
                 std::optional<double> reference) {
  machine.speedup = reference && own ? std::optional(*reference / *own) : std::nullopt;
}

/// Over the computation of this name on the same machine. False: there is none.
bool relate_to_computation(std::vector<KernelPrediction>& predictions, const std::string& name) {
  const auto reference =
      std::find_if(predictions.begin(), predictions.end(),
                   [&](const KernelPrediction& each) { return each.kernel.name == name; });
  if (reference == predictions.end()) {
    return false;
  }
  const std::vector<ResourcePrediction> base = reference->machines;
  for (KernelPrediction& prediction : predictions) {
    for (std::size_t i = 0; i < prediction.machines.size(); ++i) {
      set_speedup(prediction.machines[i], time_of(prediction.machines[i]), time_of(base[i]));
    }
  }
  return true;
}

/// Over the same computation on this machine. False: there is no such machine.
bool relate_to_machine(std::vector<KernelPrediction>& predictions, const std::string& name) {
  bool found = false;
  for (KernelPrediction& prediction : predictions) {
    const auto base =
        std::find_if(prediction.machines.begin(), prediction.machines.end(),
                     [&](const ResourcePrediction& machine) { return machine.machine == name; });
    if (base != prediction.machines.end()) {
      found = true;
      const auto reference = comparable_time(*base);
      for (ResourcePrediction& machine : prediction.machines) {
        set_speedup(machine, comparable_time(machine), reference);
      }
    }
  }
  return found;
}

Result<void> relate(std::vector<KernelPrediction>& predictions, const std::string& reference) {
  if (relate_to_machine(predictions, reference) || relate_to_computation(predictions, reference)) {
    return {};
  }
  return fail(
      ErrorCode::usage,
      fmt::format("--relative-to: `{}` is neither a machine nor a computation here", reference),
      "name a machine of --on or --machine, or a kernel or point");
}

Result<void> predict_on(KernelPrediction& prediction, const DemandSubject& subject,
                        const std::vector<TargetMachine>& targets, const PredictOptions& options,
                        const predict::PredictionChoices& choices) {
  for (const TargetMachine& target : targets) {
    ResourcePrediction machine = subject.on(target, choices);
    const auto seconds = measured_seconds(subject, target.figures.key);
    if (seconds) {
      predict::stand_against(machine, *seconds);
    }
    if (options.solve && solves_on_machines(options)) {
      if (auto solved = solve_on(machine, options, seconds); !solved) {
        return solved;
      }
    }
    prediction.machines.push_back(std::move(machine));
  }
  predict::rank_on_common_resources(prediction.machines);
  return {};
}

/// Whether the data cross a level with a bandwidth: a picture has a place for them.
bool has_place(const ResourcePrediction& machine) {
  return std::any_of(machine.resources.begin(), machine.resources.end(),
                     [](const ResourceTime& resource) {
                       return parse_level(resource.resource) && resource.intensity;
                     });
}

/// What a picture shows: where the data stay in a cache without a known bandwidth they come from
/// the memory, as `ridge chart` draws them, which the user is told.
std::vector<KernelPrediction> drawn_of(const std::vector<KernelPrediction>& predictions,
                                       const std::vector<DemandSubject>& subjects,
                                       const std::vector<TargetMachine>& targets,
                                       predict::PredictionChoices choices) {
  choices.cold = true;
  choices.working_set.reset();
  std::vector<KernelPrediction> drawn = predictions;
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    for (std::size_t m = 0; m < targets.size(); ++m) {
      const ResourcePrediction& known = predictions[i].machines[m];
      ResourcePrediction cold = subjects[i].on(targets[m], choices);
      if (has_place(known) || !has_place(cold)) {
        continue;
      }
      say_lines(
          fmt::format("note: {} on {}: no bandwidth of the cache that holds its data is known: the "
                      "picture shows its dot as of data that come from the memory\n",
                      render::clean(predictions[i].kernel.name), known.machine));
      drawn[i].machines[m] = std::move(cold);
    }
  }
  return drawn;
}

/// JSON under every ending that says no other format.
Result<void> write_file(const PredictionContent& content, const PredictOptions& options) {
  if (!options.output) {
    return {};
  }
  const OutputRequest request{.command = "predict", .file = options.output, .force = options.force};
  return check_output_file(request)
      .and_then(
          [&] { return writer_or_json(&OutputFormat::prediction, *options.output).make(content); })
      .and_then([&](const std::string& bytes) { return write_text_file(bytes, *options.output); });
}

Result<void> print_content(const PredictionContent& content, const PredictOptions& options) {
  if (options.json) {
    return to_json(content).and_then([](const std::string& text) { return print(text); });
  }
  const render::TextStyle style = text_style(stdout, options.ascii);
  return print_screen(content.predictions.size() == 1
                          ? render::kernel_prediction(content.predictions.front(), style)
                          : render::kernel_predictions(content.predictions, style));
}

}  // namespace

bool solves_on_machines(const PredictOptions& options) {
  return options.solve && (*options.solve == "time" || names_rate(*options.solve));
}

Result<std::optional<double>> measured_time(const PredictOptions& options) {
  if (!options.time) {
    return std::optional<double>{};
  }
  const auto seconds = parse_seconds(*options.time);
  if (!seconds || *seconds < 1e-30 || *seconds > 1e30) {
    return fail(ErrorCode::usage, fmt::format("--time: `{}` is no time", *options.time),
                "such as 1.2ms, 35us or 2.5 (seconds)");
  }
  return seconds;
}

Result<int> predict_demands(std::vector<DemandSubject> subjects, const PredictOptions& options) {
  const auto choices = prediction_choices(options);
  if (!choices) {
    return tl::make_unexpected(choices.error());
  }
  const auto targets = changed_targets(options);
  if (!targets) {
    return tl::make_unexpected(targets.error());
  }
  std::vector<KernelPrediction> predictions;
  for (const DemandSubject& subject : subjects) {
    KernelPrediction prediction = subject.prediction;
    if (auto done = predict_on(prediction, subject, *targets, options, *choices); !done) {
      return tl::make_unexpected(std::move(done.error()));
    }
    predictions.push_back(std::move(prediction));
  }
  if (choices->overlap) {
    if (auto fine = check_names(*choices->overlap, predictions); !fine) {
      return tl::make_unexpected(std::move(fine.error()));
    }
  }
  if (options.relative_to) {
    if (auto related = relate(predictions, *options.relative_to); !related) {
      return tl::make_unexpected(std::move(related.error()));
    }
  }
  PredictionContent content{std::move(predictions), {}};
  const OutputFormat* format = options.output ? format_of_ending(*options.output) : nullptr;
  if (format != nullptr && format->ending != ".json") {
    content.drawn = drawn_of(content.predictions, subjects, *targets, *choices);
  }
  if (auto written = write_file(content, options); !written) {
    return tl::make_unexpected(std::move(written.error()));
  }
  return print_content(content, options).map([] { return 0; });
}

}  // namespace ridge::cli
