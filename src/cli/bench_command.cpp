// `ridge bench`: measure, keep, print.
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "bench/characterise.hpp"
#include "cli/command.hpp"
#include "cli/help_texts.hpp"
#include "cli/machine_file.hpp"
#include "cli/option_parser.hpp"
#include "cli/terminal.hpp"
#include "render/terminal/machine_table.hpp"
#include "serialize/machine.hpp"

namespace ridge::cli {
namespace {

struct BenchOptions {
  bool quick = false;
  bool full = false;
  bool force = false;
  bool json = false;
  std::vector<unsigned> threads;
  std::optional<std::string> output;
};

Result<ParseOutcome> parse(const std::vector<std::string>& arguments, BenchOptions& options) {
  OptionParser parser("bench", embedded::bench_help);
  parser.flag("--quick", options.quick);
  parser.flag("--full", options.full);
  parser.flag("--force", options.force);
  parser.flag("--json", options.json);
  parser.option("--threads", options.threads);
  parser.option("-o,--output", options.output);
  return parser.parse(arguments);
}

/// Everything that can be refused before a minute is spent.
Result<void> check(const BenchOptions& options) {
  if (options.quick && options.full) {
    return fail(ErrorCode::usage, "--quick and --full exclude each other");
  }
  if (options.output && !options.force && std::filesystem::exists(*options.output)) {
    return fail(ErrorCode::usage, fmt::format("{} exists", *options.output),
                "--force overwrites it");
  }
  return {};
}

/// The cached file serves `ridge run`, which needs one thread and all.
void keep(const Machine& machine, const BenchOptions& options) {
  const auto cache = cached_machine_path();
  if (!options.threads.empty()) {
    fmt::print(stderr, "ridge: not kept for `ridge run`, since --threads was given\n");
  } else if (!cache) {
    fmt::print(stderr, "ridge: not kept for `ridge run`: neither XDG_CACHE_HOME nor HOME is set\n");
  } else if (const auto written = write_machine_file(machine, *cache); !written) {
    fmt::print(stderr, "ridge: not kept for `ridge run`: {}\n", written.error().message);
  } else {
    fmt::print(stderr, "ridge: kept for `ridge run` in {}\n", cache->string());
  }
}

}  // namespace

Result<int> run_bench(const std::vector<std::string>& arguments) {
  BenchOptions options;
  const auto outcome = parse(arguments, options);
  if (!outcome) {
    return tl::make_unexpected(outcome.error());
  }
  if (*outcome == ParseOutcome::help_shown) {
    return 0;
  }
  if (auto fine = check(options); !fine) {
    return tl::make_unexpected(fine.error());
  }
  const auto machine = measure_machine({.quick = !options.full, .thread_counts = options.threads});
  if (!machine) {
    return tl::make_unexpected(machine.error());
  }
  fmt::print("{}", options.json ? serialize::write_machine(*machine)
                                : render::machine_table(*machine, text_style(stdout)));
  keep(*machine, options);
  if (options.output) {
    if (auto written = write_machine_file(*machine, *options.output); !written) {
      return tl::make_unexpected(written.error());
    }
  }
  return 0;
}

}  // namespace ridge::cli
