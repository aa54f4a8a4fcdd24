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
#include "cli/common/result_folder.hpp"
#include "cli/common/streams.hpp"
#include "cli/common/terminal.hpp"
#include "cli/output/explain.hpp"
#include "cli/output/run_report.hpp"
#include "cli/run/given_caches.hpp"
#include "cli/run/rank_run.hpp"
#include "cli/run/run_options.hpp"
#include "cli/run/run_progress.hpp"
#include "cli/run/run_source.hpp"
#include "measure/binary/binary.hpp"
#include "measure/run/program_check.hpp"
#include "measure/sources.hpp"
#include "render/document/run/run_summary.hpp"
#include "serialize/profile.hpp"

namespace ridge::cli {
namespace {

/// Without the caches of --also: they depend on the machine.
measure::Request request_for(const RunOptions& options) {
  measure::Request request;
  request.arguments = options.program;
  request.traffic = options.traffic;
  request.needs_simulation = options.cache || options.traffic == measure::TrafficRequest::exact ||
                             options.traffic == measure::TrafficRequest::sampled;
  request.launcher =
      options.launcher || (!options.source && measure::launches_instrumented(options.program));
  request.detach = options.detach;
  request.wait_for_descendants = std::chrono::seconds(options.wait_descendants);
  request.output_to_error = options.json;
  request.budget = options.budget;
  request.exact_below = options.exact_below;
  request.engine = options.engine;
  request.same_code = options.same_code;
  request.runs = options.runs;
  request.mpi_calls = options.mpi;
  request.library_calls = options.libraries;
  return request;
}

/// Snapshots of the run into its folder. `folder` must outlive what is returned.
measure::SnapshotSink snapshots_into(ResultFolder& folder, bool redact) {
  return {[&folder] { return folder.claim(); },
          [&folder, redact](const Profile& profile) {
            return folder.write_snapshot(make_run_report(profile, redact).json);
          }};
}

render::CountedWork work_of(const RunOptions& options) {
  return options.intops ? render::CountedWork::intops : render::CountedWork::flops;
}

/// A reader that went away is no failure.
Result<void> show(const RunOptions& options, std::string_view text) {
  std::signal(SIGPIPE, SIG_IGN);
  auto printed = options.json ? print(text) : print_screen(text);
  return printed || errno == EPIPE ? Result<void>() : printed;
}

/// Which region was meant is known after the run only: then chart and table still stand, and the
/// candidates go to standard error. The exit code stays the program's.
std::string text_of(const RunOptions& options, const RunReport& report) {
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
  const RunReport report = make_run_report(std::move(measured), options.redact);
  Result<void> written;
  if (folder) {
    written = folder->write(files_of(report, work_of(options)));
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

/// --json alone is for programs that read it: they want no folder for each call.
Result<std::optional<ResultFolder>> folder_for(const RunOptions& options) {
  if (options.json && !options.output) {
    return std::nullopt;
  }
  return ResultFolder::prepare(options.output, options.force).map([](ResultFolder&& folder) {
    return std::optional(std::move(folder));
  });
}

Result<Profile> measure_on(const measure::Source& source, const RunOptions& options,
                           measure::Request request, const Machine& machine) {
  auto also = also_caches(options.also, machine);
  if (!also) {
    return tl::make_unexpected(also.error());
  }
  request.also = std::move(*also);
  RunProgress shown(is_terminal(stderr));
  if (!options.quiet) {
    request.progress = [&shown](const measure::Progress& progress) { shown.show(progress); };
    request.tell = [&shown](std::string_view line) { shown.tell(line); };
  }
  auto profile = source.measure(request, machine);
  if (profile) {
    copy_note_of_caches(*profile);
  }
  return profile;
}

Result<Profile> measure_with(const measure::Source& source, const RunOptions& options,
                             measure::Request request, std::optional<ResultFolder>& folder) {
  const auto machine = load_or_measure_machine(options.machine).and_then([&](Machine&& measured) {
    return with_given_caches(std::move(measured), options);
  });
  if (!machine) {
    return tl::make_unexpected(machine.error());
  }
  if (folder) {
    request.snapshots = snapshots_into(*folder, options.redact);
  }
  return measure_on(source, options, std::move(request), *machine);
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
  const auto place = own_rank_place(options);
  if (auto fine = check_rank_options(options, place.has_value()); !fine) {
    return tl::make_unexpected(fine.error());
  }
  measure::Request request = request_for(options);
  if (place && request.runs == measure::RunsWanted::all) {
    request.runs = measure::RunsWanted::first;  // a rank cannot start its program twice
  }
  const auto source = source_for(options.source, sources, request);
  if (!source) {
    return tl::make_unexpected(source.error());
  }
  if (place) {
    RunOptions shown = options;
    shown.quiet = options.quiet || place->rank != 0;  // one rank speaks for all
    return run_rank(options, *place, std::move(request),
                    [&](const measure::Request& asked, const Machine& machine) {
                      return measure_on(**source, shown, asked, machine);
                    });
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
