// `ridge run`: measure a program, place its loops on the roof, write and print the result.
#include "cli/run/run_command.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/common/also_caches.hpp"
#include "cli/common/command.hpp"
#include "cli/common/machine_file.hpp"
#include "cli/common/result_file.hpp"
#include "cli/common/streams.hpp"
#include "cli/common/terminal.hpp"
#include "cli/output/explain.hpp"
#include "cli/output/report_page.hpp"
#include "cli/run/run_options.hpp"
#include "cli/run/run_output.hpp"
#include "cli/run/run_progress.hpp"
#include "cli/run/run_source.hpp"
#include "core/value/cache_geometry.hpp"
#include "measure/binary/binary.hpp"
#include "measure/sources.hpp"
#include "render/document/run/run_summary.hpp"
#include "render/format/svg/roofline_svg.hpp"
#include "serialize/profile.hpp"

namespace ridge::cli {
namespace {

struct Report {
  Profile profile;
  Prediction prediction;
  std::string json;
};

/// Without the caches of --also: they depend on the machine.
measure::Request request_for(const RunOptions& options) {
  measure::Request request;
  request.arguments = options.program;
  request.traffic = options.traffic;
  request.needs_simulation = options.cache || options.traffic == measure::TrafficRequest::exact ||
                             options.traffic == measure::TrafficRequest::sampled;
  request.launcher = options.launcher;
  request.detach = options.detach;
  request.wait_for_descendants = std::chrono::seconds(options.wait_descendants);
  request.output_to_error = options.json;
  request.budget = options.budget;
  request.exact_below = options.exact_below;
  request.engine = options.engine;
  request.same_code = options.same_code;
  return request;
}

Report make_report(Profile profile, bool redact) {
  StoredResult result =
      evaluate({}, redact ? serialize::redact(std::move(profile)) : std::move(profile));
  Report report{std::move(result.profile), std::move(result.prediction), {}};
  report.json = serialize::write_profile(report.profile, report.prediction);
  return report;
}

/// Snapshots of the run into its folder. `folder` must outlive what is returned.
measure::SnapshotSink snapshots_into(ResultFolder& folder, bool redact) {
  return {[&folder] { return folder.claim(); },
          [&folder, redact](const Profile& profile) {
            return folder.write_snapshot(make_report(profile, redact).json);
          }};
}

render::CountedWork work_of(const RunOptions& options) {
  return options.intops ? render::CountedWork::intops : render::CountedWork::flops;
}

std::vector<ResultFile> files_of(const RunOptions& options, const Report& report) {
  return {
      {"profile.json", report.json},
      {"roofline.svg", render::roofline_svg(report.profile, report.prediction, work_of(options))},
      {"report.html", report_page({{{}, report.profile, report.prediction}})}};
}

/// A reader that went away is no failure.
Result<void> show(const RunOptions& options, std::string_view text) {
  std::signal(SIGPIPE, SIG_IGN);
  auto printed = options.json ? print(text) : print_screen(text);
  return printed || errno == EPIPE ? Result<void>() : printed;
}

int exit_code_of(const Profile::Program& program) {
  return program.signal ? 128 + *program.signal : program.exit_code.value_or(0);
}

/// Which region was meant is known after the run only: then chart and table still stand, and the
/// candidates go to standard error. The exit code stays the program's.
std::string text_of(const RunOptions& options, const Report& report) {
  if (options.json) {
    return report.json;
  }
  const render::TextStyle style = text_style(stdout, options.ascii);
  if (options.explain) {
    const auto text = explain(report.profile, report.prediction, *options.explain, style);
    if (text) {
      return fmt::format("\n{}", *text);
    }
    (void)say_error(text.error());
  }
  return fmt::format(
      "\n{}", render::run_summary(report.profile, report.prediction, style, work_of(options)));
}

Result<int> finish(const RunOptions& options, std::optional<ResultFolder>& folder,
                   Profile measured) {
  const int code = exit_code_of(measured.program);
  const Report report = make_report(std::move(measured), options.redact);
  Result<void> written;
  if (folder) {
    written = folder->write(files_of(options, report));
  }
  auto printed = show(options, text_of(options, report));
  if (!written) {
    return tl::make_unexpected(written.error());
  }
  if (folder) {
    (void)show(options,
               options.json ? "" : fmt::format("\nResults: {}\n", folder->path().string()));
  }
  if (!printed) {
    return fail(ErrorCode::write_failed, printed.error().message,
                folder ? fmt::format("The results are in {}", folder->path().string())
                       : printed.error().hint);
  }
  return code;
}

/// The machine with the caches that `--cache` gives. Its ceilings stay those of the real one, and
/// what the file and the report say of the caches carries the note.
Result<Machine> machine_for(const RunOptions& options) {
  auto machine = load_or_measure_machine(options.machine);
  if (!machine || !options.cache) {
    return machine;
  }
  auto caches = parse_cache_geometry(*options.cache, *machine);
  if (!caches) {
    return tl::make_unexpected(caches.error());
  }
  machine->caches = std::move(*caches);
  machine->notes.push_back(
      {"caches-given", fmt::format("the caches are those of --cache {}, not the machine's: traffic "
                                   "is that of the given ones, bandwidths are the machine's",
                                   *options.cache)});
  return machine;
}

/// What a reader of the traffic has to know stands with the result too.
void copy_note_of_caches(Profile& profile) {
  for (const Note& note : profile.machine.notes) {
    if (note.code == "caches-given") {
      profile.notes.push_back(note);
    }
  }
}

/// --json alone is for programs that read it: they want no folder for each call.
Result<std::optional<ResultFolder>> folder_for(const RunOptions& options) {
  if (options.json && !options.output) {
    return std::nullopt;
  }
  return ResultFolder::prepare(options.output, options.force).map([](ResultFolder&& folder) {
    return std::optional(std::move(folder));
  });
}

Result<Profile> measure_with(const measure::Source& source, const RunOptions& options,
                             measure::Request request, std::optional<ResultFolder>& folder) {
  const auto machine = machine_for(options);
  if (!machine) {
    return tl::make_unexpected(machine.error());
  }
  auto also = also_caches(options.also, *machine);
  if (!also) {
    return tl::make_unexpected(also.error());
  }
  request.also = std::move(*also);
  if (folder) {
    request.snapshots = snapshots_into(*folder, options.redact);
  }
  RunProgress shown(is_terminal(stderr));
  if (!options.quiet) {
    request.progress = [&shown](const measure::Progress& progress) { shown.show(progress); };
    request.tell = [&shown](std::string_view line) { shown.tell(line); };
  }
  auto profile = source.measure(request, *machine);
  if (profile) {
    copy_note_of_caches(*profile);
  }
  return profile;
}

}  // namespace

Result<int> run_run(const std::vector<std::string>& arguments,
                    std::span<const measure::Source> sources) {
  const auto parsed = parse_run_options(arguments);
  if (!parsed) {
    return tl::make_unexpected(parsed.error());
  }
  if (!*parsed) {
    return 0;
  }
  const RunOptions& options = **parsed;
  if (options.list_sources) {
    return print_screen(source_list(sources)).map([] { return 0; });
  }
  if (options.list_engines) {
    return print_screen(measure::engine_list()).map([] { return 0; });
  }
  measure::Request request = request_for(options);
  const auto source = source_for(options.source, sources, request);
  if (!source) {
    return tl::make_unexpected(source.error());
  }
  auto folder = folder_for(options);
  if (!folder) {
    return tl::make_unexpected(folder.error());
  }
  auto profile = measure_with(**source, options, std::move(request), *folder);
  if (!profile) {
    return tl::make_unexpected(profile.error());
  }
  return finish(options, *folder, std::move(*profile));
}

Result<int> run_run(const std::vector<std::string>& arguments) {
  return run_run(arguments, measure::sources());
}

}  // namespace ridge::cli
