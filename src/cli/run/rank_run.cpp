#include "cli/run/rank_run.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/common/machine_file.hpp"
#include "cli/common/result_folder.hpp"
#include "cli/common/streams.hpp"
#include "cli/common/terminal.hpp"
#include "cli/output/run_report.hpp"
#include "cli/ranks/join_result.hpp"
#include "cli/ranks/rank_folder.hpp"
#include "cli/run/given_caches.hpp"
#include "measure/ranks/cache_share.hpp"
#include "platform/affinity.hpp"
#include "platform/process.hpp"
#include "platform/topology.hpp"
#include "render/chart/names.hpp"
#include "render/document/run/run_summary.hpp"
#include "serialize/machine.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): not every unistd.h has it

namespace ridge::cli {
namespace {

std::string host_name() {
  return platform::host_name().value_or("unknown");
}

std::string own_environment() {
  std::string text;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    text += *variable;
    text += '\0';
  }
  return text;
}

std::string contents(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

pid_t parent_of(pid_t process) {
  std::istringstream status(contents(fmt::format("/proc/{}/status", process)));
  constexpr std::string_view kKey = "PPid:";
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(kKey)) {
      return static_cast<pid_t>(std::strtol(line.c_str() + kKey.size(), nullptr, 10));
    }
  }
  return 0;
}

/// Launchers that name no start in the environment. Where none of the processes above us says it
/// either: ranks of one start on a host descend from one process, the nearest that is no rank
/// itself. Between it and a rank there may be a script.
std::string start_by_processes() {
  for (pid_t process = getppid(); process > 1; process = parent_of(process)) {
    if (auto start = measure::start_of_proxy(contents(fmt::format("/proc/{}/cmdline", process)))) {
      return *start;
    }
  }
  pid_t process = getppid();
  while (process > 1 &&
         measure::rank_in(contents(fmt::format("/proc/{}/environ", process))).has_value()) {
    process = parent_of(process);
  }
  return fmt::format("{}-{}", host_name(), process);
}

RankRun run_of(const RunOptions& options) {
  switch (options.runs) {
    case measure::RunsWanted::counts:
      return RankRun::counts;
    case measure::RunsWanted::traffic:
      return RankRun::traffic;
    default:
      return RankRun::first;
  }
}

/// As if Ridge were not there.
Result<int> become(const std::vector<std::string>& program) {
  std::vector<char*> arguments;
  for (const std::string& word : program) {
    arguments.push_back(const_cast<char*>(word.c_str()));
  }
  arguments.push_back(nullptr);
  execvp(arguments.front(), arguments.data());
  return fail(ErrorCode::bad_input,
              fmt::format("cannot start {}: {}", program.front(), std::strerror(errno)));
}

class Rank {
 public:
  Rank(const RunOptions& options, const measure::RankPlace& place, RankFolder folder)
      : options_(options), place_(place), folder_(std::move(folder)), run_(run_of(options)) {}

  Result<int> run(measure::Request request, const MeasureRank& measure) {
    announce();
    const auto machine = known_machine();
    if (!machine) {
      return tl::make_unexpected(machine.error());
    }
    if (auto kept = folder_.write_machine(host_, serialize::write_machine(*machine)); !kept) {
      return tl::make_unexpected(kept.error());
    }
    set_up(request);
    const auto profile = measure(request, caches_of_rank(*machine));
    if (!profile) {
      return tl::make_unexpected(profile.error());
    }
    const int code = exit_code_of(profile->program);
    if (auto written = folder_.write(run_, record_of(*profile, false)); !written) {
      return tl::make_unexpected(written.error());
    }
    say_why_nothing_counted(*profile, code);
    if (folder_.is_ours_to_join(run_, place_.rank)) {
      if (auto joined = join(); !joined) {
        return tl::make_unexpected(joined.error());
      }
    }
    return code;
  }

 private:
  /// Once for all ranks: if some do not come to their end, nobody says so.
  void announce() const {
    if (place_.rank == 0 && !options_.quiet) {
      say(
          fmt::format("{} ranks are measured into {}; the last one joins them, or, if some are "
                      "killed, `ridge merge {}`",
                      options_.ranks.all(place_.ranks).size(), folder_.result().string(),
                      folder_.result().string()));
    }
  }

  /// A launcher ends all ranks when one has failed, and then nobody joins and shows the notes.
  void say_why_nothing_counted(const Profile& profile, int code) const {
    if (run_ != RankRun::counts || code == 0) {
      return;
    }
    for (const Note& note : profile.notes) {
      if (note.code == "engine-unknown-instruction" || note.code == "no-counts") {
        say(fmt::format("rank {}: {}", place_.rank, note.text));
      }
    }
  }

  /// Nothing is written below the home folder, which the machines of a cluster share.
  Result<Machine> known_machine() const {
    std::error_code error;
    auto cache = cached_machine_path();
    if (!cache || !std::filesystem::exists(*cache, error)) {
      cache = folder_.result() / "ranks" / fmt::format("machine-{}.json", file_name_of(host_));
    }
    return load_or_measure_machine(options_.machine, cache).and_then([&](Machine&& machine) {
      return with_given_caches(std::move(machine), options_);
    });
  }

  /// Caches that --cache gives are those of the rank.
  Machine caches_of_rank(const Machine& machine) const {
    return options_.cache ? machine
                          : measure::share_of_caches(machine, place_.local_ranks.value_or(1));
  }

  void set_up(measure::Request& request) {
    request.is_some_ranks = options_.ranks.all(place_.ranks).size() < place_.ranks;
    request.counted_code = {
        [this](const std::string& program, const CountedCode& code) {
          return folder_.write_code(place_.rank, program, code);
        },
        [this](const std::string& program) { return folder_.code_of(place_.rank, program); }};
    if (run_ != RankRun::first) {
      return;
    }
    request.snapshots = {[] { return true; },
                         [this](const Profile& profile) {
                           return folder_.write(run_, record_of(profile, true)).has_value();
                         }};
  }

  RankRecord record_of(const Profile& profile, bool is_snapshot) const {
    RankRecord record;
    record.rank = place_.rank;
    record.host = host_;
    record.cpus = platform::allowed_cpus();
    record.local_ranks = place_.local_ranks.value_or(0);
    record.is_snapshot = is_snapshot;
    record.profile = profile;
    record.profile.machine = Machine();
    return record;
  }

  Result<void> join() const {
    auto joined = join_result(folder_, std::nullopt);
    if (!joined) {
      return tl::make_unexpected(joined.error());
    }
    const RunReport report = make_run_report(std::move(*joined), options_.redact);
    auto result = ResultFolder::prepare(folder_.result().string(), true);
    if (!result) {
      return tl::make_unexpected(result.error());
    }
    if (auto written = result->write(files_of(report)); !written) {
      return written;
    }
    std::signal(SIGPIPE, SIG_IGN);
    const auto shown =
        options_.json
            ? print(report.json)
            : print_screen(fmt::format("\n{}\nResults: {}\n{}",
                                       render::run_summary(report.profile, report.prediction,
                                                           text_style(stdout, options_.ascii)),
                                       folder_.result().string(), next_command(report.profile)));
    return shown || errno == EPIPE ? Result<void>() : shown;
  }

  /// How to get what a rank cannot be started a second time for.
  std::string next_command(const Profile& profile) const {
    if (run_ == RankRun::traffic || options_.runs == measure::RunsWanted::one) {
      return {};
    }
    const Region* program = program_region(profile);
    const bool has_counts = program != nullptr && program->flops.has_value();
    const char* what = has_counts ? "--only-traffic" : "--only-counts";
    const std::string words =
        fmt::format("ridge run --into {}{}{} {} --", folder_.result().string(), choice_words(),
                    machine_words(), what);
    const char* gives = has_counts ? "Traffic below L1" : "Work";
    if (has_several_programs(profile)) {
      return fmt::format("{}: start the same programs in the same way, each as {} PROGRAM\n", gives,
                         words);
    }
    return fmt::format("{}: mpirun -n {} {} {}\n", gives, place_.ranks, words,
                       render::command_line(options_.program));
  }

  std::string machine_words() const {
    return (options_.machine ? " --machine " + *options_.machine : std::string()) +
           (options_.cache ? " --cache " + *options_.cache : std::string());
  }

  static bool has_several_programs(const Profile& profile) {
    std::set<std::string> programs;
    for (const Process& process : profile.processes) {
      programs.insert(process.argv.empty() ? std::string() : process.argv.front());
    }
    return programs.size() > 1;
  }

  std::string choice_words() const {
    if (!options_.ranks.ranks.empty()) {
      return fmt::format(" --ranks {}", fmt::join(options_.ranks.ranks, ","));
    }
    return options_.ranks.every > 1 ? fmt::format(" --every {}", options_.ranks.every)
                                    : std::string();
  }

  const RunOptions& options_;
  const measure::RankPlace& place_;
  RankFolder folder_;
  RankRun run_;
  std::string host_ = host_name();
};

Result<RankFolder> folder_for(const RunOptions& options, const RankStart& start, unsigned rank) {
  if (!options.into) {
    return RankFolder::begin(options.output, options.force, start, rank);
  }
  auto folder = RankFolder::open(*options.into);
  if (!folder) {
    return folder;
  }
  if (auto same = check_program(*folder, rank, options.program); !same) {
    return tl::make_unexpected(same.error());
  }
  if (auto begun = folder->begin_again(run_of(options), start, rank); !begun) {
    return tl::make_unexpected(begun.error());
  }
  return folder;
}

}  // namespace

std::optional<measure::RankPlace> own_rank_place(const RunOptions& options) {
  if (options.alone) {
    return std::nullopt;
  }
  auto place = measure::rank_place_in(own_environment());
  if (place && place->job.empty()) {
    place->job = start_by_processes();
  }
  return place;
}

Result<void> check_rank_options(const RunOptions& options, bool is_rank) {
  const bool later =
      options.runs == measure::RunsWanted::counts || options.runs == measure::RunsWanted::traffic;
  if (later != options.into.has_value()) {
    return fail(ErrorCode::usage,
                later ? "run: --only-counts and --only-traffic need --into RESULT"
                      : "run: --into needs --only-counts or --only-traffic",
                "mpirun -n N ridge run --into RESULT --only-traffic -- PROGRAM");
  }
  if (!is_rank && (later || options.runs == measure::RunsWanted::one ||
                   !options.ranks.ranks.empty() || options.ranks.every > 1)) {
    return fail(ErrorCode::usage,
                "run: --into, --only-counts, --only-traffic, --one-run, --ranks and --every are "
                "for ranks of a parallel program",
                "Start `ridge run` by mpirun or srun with two or more ranks.");
  }
  if (later && (options.output || options.mpi || options.libraries)) {
    return fail(ErrorCode::usage,
                fmt::format("run: {} and --into exclude each other", options.output ? "-o"
                                                                     : options.mpi  ? "--mpi"
                                                                                   : "--libraries"),
                options.output ? "The result is that of --into."
                               : "Calls are recorded by the first run alone.");
  }
  if (is_rank && options.explain) {
    return fail(ErrorCode::usage, "run: --explain and ranks exclude each other",
                "Ask when they are joined: `ridge report RESULT --explain REGION`.");
  }
  return {};
}

Result<int> run_rank(const RunOptions& options, const measure::RankPlace& place,
                     measure::Request request, const MeasureRank& measure) {
  if (!options.ranks.ranks.empty() && options.ranks.ranks.back() >= place.ranks) {
    return fail(ErrorCode::usage, fmt::format("run: --ranks {}: this start has the ranks 0 to {}",
                                              options.ranks.ranks.back(), place.ranks - 1));
  }
  if (!options.ranks.contains(place.rank)) {
    return become(options.program);
  }
  const RankStart start{place.job, place.ranks, options.ranks.all(place.ranks)};
  auto folder = folder_for(options, start, place.rank);
  if (!folder) {
    return tl::make_unexpected(folder.error());
  }
  return Rank(options, place, std::move(*folder)).run(std::move(request), measure);
}

}  // namespace ridge::cli
