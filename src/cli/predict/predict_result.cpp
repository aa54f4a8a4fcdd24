// `ridge predict RESULT`: a measured program on other machines.
#include <cstdio>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "cli/common/also_caches.hpp"
#include "cli/common/machine_file.hpp"
#include "cli/common/result_file.hpp"
#include "cli/common/streams.hpp"
#include "cli/common/terminal.hpp"
#include "cli/predict/predict_choices.hpp"
#include "cli/predict/predict_subjects.hpp"
#include "predict/projection/project.hpp"
#include "render/document/projection/projection_svg.hpp"
#include "render/document/projection/projection_table.hpp"
#include "serialize/known_caches.hpp"
#include "serialize/microarchitecture.hpp"
#include "serialize/projection.hpp"

namespace ridge::cli {
namespace {

namespace fs = std::filesystem;

/// Caches and pipes of a published machine, where the table of caches has its key.
predict::ProjectionTarget target_of(TargetMachine machine) {
  predict::ProjectionTarget target{std::move(machine), std::nullopt};
  const KnownCaches* row = find_caches(serialize::known_caches(), target.machine.figures.key);
  if (target.machine.measured || row == nullptr) {
    return target;
  }
  if (const auto caches = find_caches_elsewhere(target.machine.figures.key)) {
    target.caches = *caches;
  }
  for (const Microarchitecture& known : serialize::known_microarchitectures()) {
    if (row->microarchitecture == known.name) {
      target.machine.microarchitecture = known;
    }
  }
  return target;
}

bool is_svg(const std::optional<std::string>& output) {
  return output && output->ends_with(".svg");
}

Result<void> write_output(const PredictOptions& options, const std::string& json,
                          const Profile& profile, const Projection& projection) {
  if (!options.output) {
    return {};
  }
  if (!options.force && fs::exists(*options.output)) {
    return fail(ErrorCode::usage, fmt::format("{} exists", *options.output),
                "--force overwrites it");
  }
  return write_text_file(
      is_svg(options.output) ? render::projection_svg(profile, projection) : json, *options.output);
}

/// Options that say nothing about a result.
Result<void> check_options(const PredictOptions& options) {
  const char* foreign = options.precision            ? "--precision"
                        : options.pipes              ? "--pipes"
                        : options.data               ? "--data"
                        : !options.latencies.empty() ? "--latency"
                        : options.batch              ? "--batch"
                        : options.fuse               ? "--fuse"
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

}  // namespace

Result<int> predict_result(const PredictOptions& options) {
  if (const auto fine = check_options(options); !fine) {
    return tl::make_unexpected(fine.error());
  }
  const auto profile = read_profile(options.subjects.front());
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
  std::vector<predict::ProjectionTarget> targets;
  for (TargetMachine& machine : *machines) {
    targets.push_back(target_of(std::move(machine)));
  }
  const Microarchitecture* here =
      find_microarchitecture(serialize::known_microarchitectures(), profile->machine.cpu);
  const Projection projection = predict::project(
      *profile, here, targets, {options.cores, choices->basis.value_or(Basis::theoretical)});
  const std::string json = serialize::write_projection(*profile, projection);
  if (const auto written = write_output(options, json, *profile, projection); !written) {
    return tl::make_unexpected(written.error());
  }
  const auto printed = options.json ? print(json)
                                    : print_screen(render::projection_table(
                                          *profile, projection, text_style(stdout, options.ascii)));
  return printed.map([] { return 0; });
}

}  // namespace ridge::cli
