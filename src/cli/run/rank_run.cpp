#include "cli/run/rank_run.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
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
#include "render/document/run/run_summary.hpp"
#include "serialize/machine.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): not every unistd.h has it

namespace ridge::cli {
namespace {

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

std::string own_environment() {
  std::string text;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    text += *variable;
    text += '\0';
  }
  return text;
}

std::string read_proc(int pid, const char* name) {
  std::ifstream stream(fmt::format("/proc/{}/{}", pid, name), std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

int parent_of(int pid) {
  const std::string status = read_proc(pid, "status");
  const auto line = status.find("\nPPid:");
  return line == std::string::npos
             ? 0
             : static_cast<int>(std::strtol(status.c_str() + line + 6, nullptr, 10));
}

/// Launchers that name no start in the environment. Where none of the processes above us says it
/// either: ranks of one start on a host are children of one process.
std::string start_by_processes() {
  for (int pid = getppid(); pid > 1; pid = parent_of(pid)) {
    if (auto start = measure::start_of_proxy(read_proc(pid, "cmdline"))) {
      return *start;
    }
  }
  return fmt::format("{}-{}", host_name(), getppid());
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
                      place_.ranks, folder_.result().string(), folder_.result().string()));
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
    return fmt::format("{}: mpirun -n {} ridge run --into {}{} {} -- {}\n",
                       has_counts ? "Traffic below L1" : "Work", place_.ranks,
                       folder_.result().string(), choice_words(), what,
                       fmt::join(options_.program, " "));
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
  if (auto begun = folder->begin_again(run_of(options), start, rank); !begun) {
    return tl::make_unexpected(begun.error());
  }
  return folder;
}

}  // namespace

std::optional<measure::RankPlace> own_rank_place(const RunOptions& options) {
  if (options.alone || options.launcher) {
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
  if (is_rank && options.explain) {
    return fail(ErrorCode::usage, "run: --explain and ranks exclude each other",
                "Ask when they are joined: `ridge report RESULT --explain REGION`.");
  }
  return {};
}

Result<int> run_rank(const RunOptions& options, const measure::RankPlace& place,
                     measure::Request request, const MeasureRank& measure) {
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
