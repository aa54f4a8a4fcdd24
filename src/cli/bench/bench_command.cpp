// `ridge bench`: measure, keep, print.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/characterise.hpp"
#include "bench/code_show.hpp"
#include "cli/bench/bench_mpi.hpp"
#include "cli/bench/bench_options.hpp"
#include "cli/common/command.hpp"
#include "cli/common/machine_file.hpp"
#include "cli/common/machine_keeping.hpp"
#include "cli/common/measuring_turn.hpp"
#include "cli/common/sample_file.hpp"
#include "cli/common/streams.hpp"
#include "cli/common/terminal.hpp"
#include "cli/output/output_format.hpp"
#include "platform/affinity.hpp"
#include "platform/stop_signals.hpp"
#include "render/document/bench/bench_summary.hpp"
#include "render/document/bench/machine_table.hpp"
#include "serialize/machine.hpp"

namespace ridge::cli {
namespace {

constexpr int kSignalBase = 128;

void announce(const bench::Outline& outline) {
  const auto some = [](std::size_t count, const char* one, const char* many) {
    return count == 0 ? std::string() : fmt::format(", {} {}", count, count == 1 ? one : many);
  };
  say(fmt::format("measuring {} ceilings{}{}: at most {:.0f} s; Ctrl-C keeps what is done",
                  outline.ceilings, some(outline.roofs, "measured roof", "measured roofs"),
                  some(outline.sustained, "sustained rate", "sustained rates"),
                  outline.wall.value()));
}

/// The cached file serves `ridge run`, which needs all ceilings with one thread and all CPUs.
std::optional<std::string> why_not_for_run(const Machine& machine, const BenchOptions& options) {
  if (!options.threads.empty() || !options.only.empty()) {
    return fmt::format("--{} was given", options.only.empty() ? "threads" : "only");
  }
  const std::size_t allowed = platform::allowed_cpus().size();
  const std::size_t all = platform::cpuset_cpus().size();
  if (allowed < all) {
    return fmt::format(
        "a binding mask leaves it {} of {} CPUs: measure without taskset, numactl "
        "or mpirun",
        allowed, all);
  }
  return why_unfit(machine);
}

std::optional<std::string> why_worse_than_file(const Machine& machine,
                                               const std::filesystem::path& file) {
  const auto kept = std::filesystem::exists(file) ? read_machine_file(file)
                                                  : fail(ErrorCode::bad_input, "there is none");
  return kept ? why_worse(*kept, machine) : std::nullopt;
}

/// The links between ranks of the file there, which this measurement does not renew.
Machine with_kept_links(Machine machine, const std::filesystem::path& file) {
  if (const auto kept = read_machine_file(file); kept && !machine.interconnect) {
    machine.interconnect = kept->interconnect;
  }
  return machine;
}

void keep(const Machine& machine, const BenchOptions& options) {
  const auto cache = cached_machine_path();
  const auto not_kept = [](const std::string& why) {
    say(fmt::format("not kept for `ridge run`{}", why));
  };
  const auto worse = cache && !options.force ? why_worse_than_file(machine, *cache) : std::nullopt;
  if (const auto why = why_not_for_run(machine, options)) {
    not_kept(", since " + *why);
  } else if (!cache) {
    not_kept(": neither XDG_CACHE_HOME nor HOME is set");
  } else if (worse) {
    not_kept(fmt::format(": {}; `--force` replaces {} all the same", *worse, cache->string()));
  } else if (const auto written = write_cached_machine(with_kept_links(machine, *cache), *cache);
             !written) {
    not_kept(": " + written.error().message);
  } else {
    say(fmt::format("kept for `ridge run` in {}", cache->string()));
  }
}

std::string printed(const Machine& machine, const BenchOptions& options) {
  if (options.json) {
    return serialize::write_machine(machine);
  }
  const render::TextStyle style = text_style(stdout);
  return options.table ? render::machine_table(machine, style)
                       : render::bench_summary(machine, style);
}

/// Everything is written that can be, even if one file cannot.
Result<void> write_files(const Machine& machine, const std::string& samples,
                         const BenchOptions& options) {
  Result<void> result;
  if (options.output) {
    result = writer_or_json(&OutputFormat::machine, *options.output)
                 .make(machine)
                 .and_then([&](const std::string& bytes) {
                   return write_text_file(bytes, *options.output);
                 });
  }
  if (const auto file = options.samples_file()) {
    const auto written = write_text_file(samples, *file);
    result = result ? written : result;
  }
  return result;
}

/// Not beside another measurement of this machine.
Result<Machine> measure_in_turn(const bench::Options& measuring) {
  const auto cache = cached_machine_path();
  if (!cache) {
    return measure_machine(measuring);
  }
  const auto turn =
      MeasuringTurn::take(lock_file_beside(*cache), waiting_on_terminal(measuring.stop));
  return turn ? measure_machine(measuring) : tl::make_unexpected(turn.error());
}

Result<int> measure_and_report(const BenchOptions& options) {
  const platform::StopSignals signals;
  std::string samples;
  bench::Options measuring{.effort = options.effort(),
                           .thread_counts = options.threads,
                           .only = options.only,
                           .quiet_limit = options.quiet_limit(),
                           .stop = [] { return platform::StopSignals::received() != 0; },
                           .on_outline = announce};
  if (options.raw) {
    measuring.on_samples = [&](const bench::RawSamples& raw) { samples += sample_line(raw); };
  }
  const auto machine = measure_in_turn(measuring);
  const int signal = platform::StopSignals::received();
  if (!machine && signal != 0) {
    say(machine.error().message);
    return kSignalBase + signal;
  }
  if (!machine) {
    return tl::make_unexpected(machine.error());
  }
  if (machine->incomplete) {
    say("stopped early: the result is incomplete");
  }
  const auto shown =
      options.json ? print(printed(*machine, options)) : print_screen(printed(*machine, options));
  keep(*machine, options);
  const auto written = write_files(*machine, samples, options);
  return (written ? shown : written).map([&] {
    return machine->incomplete ? kSignalBase + signal : 0;
  });
}

}  // namespace

Result<int> run_bench(const std::vector<std::string>& arguments) {
  BenchOptions options;
  const auto outcome = parse_bench_options(arguments, options);
  if (!outcome) {
    return tl::make_unexpected(outcome.error());
  }
  if (*outcome == ParseOutcome::help_shown) {
    return 0;
  }
  if (options.show) {
    return bench::show(*options.show).and_then([](const std::string& text) {
      return print(text).map([] { return 0; });
    });
  }
  if (auto fine = check_bench_options(options); !fine) {
    return tl::make_unexpected(fine.error());
  }
  return options.mpi ? bench_mpi(options) : measure_and_report(options);
}

}  // namespace ridge::cli
