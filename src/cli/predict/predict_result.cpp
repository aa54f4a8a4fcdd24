// `ridge predict RESULT`: a measured program on other machines.
#include <cstdio>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/common/also_caches.hpp"
#include "cli/common/machine_file.hpp"
#include "cli/common/result_file.hpp"
#include "cli/common/streams.hpp"
#include "cli/common/terminal.hpp"
#include "cli/output/output_format.hpp"
#include "cli/output/projection_formats.hpp"
#include "cli/predict/predict_choices.hpp"
#include "cli/predict/predict_subjects.hpp"
#include "predict/projection/project.hpp"
#include "render/document/projection/projection_table.hpp"
#include "serialize/known_caches.hpp"
#include "serialize/microarchitecture.hpp"

namespace ridge::cli {
namespace {

namespace fs = std::filesystem;

/// With the caches of a published machine, where the table of caches has its key.
predict::ProjectionTarget target_of(TargetMachine machine) {
  predict::ProjectionTarget target{std::move(machine), std::nullopt};
  const std::string& key = target.machine.figures.key;
  if (!target.machine.measured && find_caches(serialize::known_caches(), key) != nullptr) {
    if (const auto caches = find_caches_elsewhere(key)) {
      target.caches = *caches;
    }
  }
  return target;
}

Result<void> write_output(const PredictOptions& options, const ProjectionContent& content) {
  if (!options.output) {
    return {};
  }
  if (!options.force && fs::exists(*options.output)) {
    return fail(ErrorCode::usage, fmt::format("{} exists", *options.output),
                "--force overwrites it");
  }
  return writer_or_json(&OutputFormat::projection, *options.output)
      .make(content)
      .and_then([&](const std::string& bytes) { return write_text_file(bytes, *options.output); });
}

Result<void> print_projection(const PredictOptions& options, const ProjectionContent& content) {
  if (options.json) {
    return to_json(content).and_then([](const std::string& text) { return print(text); });
  }
  return print_screen(render::projection_table(content.profile, content.projection,
                                               text_style(stdout, options.ascii)));
}

/// Options that say nothing about a result.
Result<void> check_options(const PredictOptions& options) {
  const char* foreign = options.precision ? "--precision"
                        : options.pipes   ? "--pipes"
                        : options.data    ? "--data"
                        : options.batch   ? "--batch"
                        : options.fuse    ? "--fuse"
                                          : nullptr;
  if (foreign != nullptr) {
    return fail(ErrorCode::usage, fmt::format("predict: {} says nothing about a result", foreign),
                "Its loops bring their work, precision and traffic with them.");
  }
  if (options.cores == 0U) {
    return fail(ErrorCode::usage, "predict: --cores must be at least 1");
  }
  return {};
}

/// A resource that none of the machines has is a slip of the pen.
Result<void> check_latencies(const predict::PredictionChoices& choices,
                             const std::vector<TargetMachine>& machines) {
  std::set<std::string> keys;
  for (const TargetMachine& machine : machines) {
    for (std::string& key : predict::latency_keys(machine)) {
      keys.insert(std::move(key));
    }
  }
  for (const auto& [resource, seconds] : choices.latencies) {
    if (!keys.contains(resource)) {
      return fail(ErrorCode::usage, fmt::format("--latency: no machine of --on has `{}`", resource),
                  fmt::format("they have {}", fmt::join(keys, ", ")));
    }
  }
  return {};
}

}  // namespace

Result<int> predict_result(const PredictOptions& options) {
  if (const auto fine = check_options(options); !fine) {
    return tl::make_unexpected(fine.error());
  }
  auto profile = read_profile(options.subjects.front());
  if (!profile) {
    return tl::make_unexpected(profile.error());
  }
  const auto choices = prediction_choices(options);
  if (!choices) {
    return tl::make_unexpected(choices.error());
  }
  auto machines = changed_targets(options);
  if (!machines) {
    return tl::make_unexpected(machines.error());
  }
  if (const auto fine = check_latencies(*choices, *machines); !fine) {
    return tl::make_unexpected(fine.error());
  }
  std::vector<predict::ProjectionTarget> targets;
  for (TargetMachine& machine : *machines) {
    targets.push_back(target_of(std::move(machine)));
  }
  const Microarchitecture* here =
      find_microarchitecture(serialize::known_microarchitectures(), profile->machine.cpu);
  Projection projection =
      predict::project(*profile, here, targets,
                       {options.cores,
                        choices->basis.value_or(Basis::theoretical),
                        {choices->latencies.begin(), choices->latencies.end()}});
  const ProjectionContent content{std::move(*profile), std::move(projection)};
  return write_output(options, content)
      .and_then([&] { return print_projection(options, content); })
      .map([] { return 0; });
}

}  // namespace ridge::cli
