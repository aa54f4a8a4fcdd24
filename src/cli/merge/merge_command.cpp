// `ridge merge`: the ranks of a parallel program joined into one result.
#include <cerrno>
#include <csignal>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/common/command.hpp"
#include "cli/common/help_texts.hpp"
#include "cli/common/machine_file.hpp"
#include "cli/common/option_parser.hpp"
#include "cli/common/result_folder.hpp"
#include "cli/common/streams.hpp"
#include "cli/common/terminal.hpp"
#include "cli/output/run_report.hpp"
#include "cli/ranks/join_result.hpp"
#include "render/document/run/run_summary.hpp"

namespace ridge::cli {
namespace {

struct MergeOptions {
  std::string folder;
  std::optional<std::string> output;
  std::optional<std::string> machine;
  bool force = false;
  bool json = false;
  bool ascii = false;
  bool redact = false;
};

/// nullopt when `--help` was asked for and printed.
Result<std::optional<MergeOptions>> parse_merge_options(const std::vector<std::string>& arguments) {
  MergeOptions options;
  std::vector<std::string> folders;
  OptionParser parser("merge", embedded::merge_help);
  parser.positional("RESULT", folders);
  parser.option("-o,--output", options.output);
  parser.option("--machine", options.machine);
  parser.flag("--force", options.force);
  parser.flag("--json", options.json);
  parser.flag("--ascii", options.ascii);
  parser.flag("--redact", options.redact);
  const auto outcome = parser.parse(arguments);
  if (!outcome) {
    return tl::make_unexpected(outcome.error());
  }
  if (*outcome == ParseOutcome::help_shown) {
    return std::nullopt;
  }
  if (folders.size() != 1) {
    return fail(ErrorCode::usage, "merge: name one result folder",
                "The form is: ridge merge [OPTIONS] RESULT");
  }
  options.folder = folders.front();
  return options;
}

Result<std::optional<Machine>> machine_of(const MergeOptions& options) {
  if (!options.machine) {
    return std::nullopt;
  }
  return read_machine_file(*options.machine).map([](Machine&& machine) {
    return std::optional(std::move(machine));
  });
}

Result<int> hand_out(const MergeOptions& options, const RunReport& report) {
  std::signal(SIGPIPE, SIG_IGN);
  const auto shown =
      options.json ? print(report.json)
                   : print_screen("\n" + render::run_summary(report.profile, report.prediction,
                                                             text_style(stdout, options.ascii)));
  if (!shown && errno != EPIPE) {
    return tl::make_unexpected(shown.error());
  }
  return 0;
}

}  // namespace

Result<int> run_merge(const std::vector<std::string>& arguments) {
  const auto parsed = parse_merge_options(arguments);
  if (!parsed) {
    return tl::make_unexpected(parsed.error());
  }
  if (!*parsed) {
    return 0;
  }
  const MergeOptions& options = **parsed;
  const auto folder = RankFolder::open(options.folder);
  if (!folder) {
    return tl::make_unexpected(folder.error());
  }
  const auto machine = machine_of(options);
  if (!machine) {
    return tl::make_unexpected(machine.error());
  }
  // Into the folder itself what is there is a join of the same ranks, if anything.
  auto result = ResultFolder::prepare(options.output.value_or(options.folder),
                                      options.force || !options.output);
  if (!result) {
    return tl::make_unexpected(result.error());
  }
  auto joined = join_result(*folder, *machine);
  if (!joined) {
    return tl::make_unexpected(joined.error());
  }
  const RunReport report = make_run_report(std::move(*joined), options.redact);
  if (auto written = result->write(files_of(report)); !written) {
    return tl::make_unexpected(written.error());
  }
  const auto shown = hand_out(options, report);
  if (shown && !options.json) {
    (void)print_screen(fmt::format("\nResults: {}\n", result->path().string()));
  }
  return shown;
}

}  // namespace ridge::cli
