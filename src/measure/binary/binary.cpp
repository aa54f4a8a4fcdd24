#include "measure/binary/binary.hpp"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "measure/binary/engine.hpp"
#include "measure/binary/profile/binary_profile.hpp"
#include "measure/binary/profile/calling_code.hpp"
#include "measure/binary/profile/chosen_code.hpp"
#include "measure/binary/profile/hottest_code.hpp"
#include "measure/binary/profile/rank_figures.hpp"
#include "measure/binary/profile/timed_code.hpp"
#include "measure/binary/profile/work_sum.hpp"
#include "measure/binary/program_file.hpp"
#include "measure/binary/request_check.hpp"
#include "measure/binary/runs/counted_code.hpp"
#include "measure/binary/runs/same_code.hpp"
#include "measure/binary/runs/traffic_run.hpp"
#include "measure/binary/stacks/stack_places.hpp"
#include "measure/calls/call_memory.hpp"
#include "measure/region_figures.hpp"
#include "measure/run/ending.hpp"
#include "platform/signals.hpp"
#include "platform/topology.hpp"

namespace ridge::measure {
namespace {

using namespace binary;

/// As the kernel writes it in its list of mappings.
std::string real_path(const std::string& path) {
  std::error_code error;
  const auto real = std::filesystem::canonical(path, error);
  return error ? path : real.string();
}

bool met_unknown(const EngineRun& run) {
  return std::ranges::any_of(run.records,
                             [](const Record& record) { return !record.unknown.empty(); });
}

/// From the first run to the profile.
class Measurement {
 public:
  /// `engines`: in the order in which they are tried; empty where nothing is counted.
  Measurement(const Request& request, const Machine& machine, std::vector<const Engine*> engines,
              std::string program, InputReplay& input)
      : request_(request),
        machine_(machine),
        engines_(std::move(engines)),
        engine_(engines_.empty() ? nullptr : engines_.front()),
        program_(std::move(program)),
        input_(input) {
    if (request.same_code) {
      variables_ = same_code_variables();
      notes_.push_back({"same-code",
                        "libraries were told to take their AVX2 code in all runs (--same-code): "
                        "times are those of the code that was counted"});
    }
  }

  Result<Profile> run() {
    switch (request_.runs) {
      case RunsWanted::counts:
        return run_to_count_alone();
      case RunsWanted::traffic:
        return run_to_simulate_alone();
      default:
        return run_all();
    }
  }

 private:
  /// The one run that there is counts, on the real streams.
  Result<Profile> run_to_count_alone() {
    const auto folder = WorkFolder::create();
    if (!folder) {
      return tl::make_unexpected(folder.error());
    }
    engines_.resize(1);  // it cannot be started again for another
    count(*folder);
    code_ = program_code(timed_.samples, {}, files_);
    if (counted_) {
      code_ = program_code(timed_.samples, counted_->records, files_);
      keep_code();
    }
    std::vector<std::uint32_t> numbers;
    Profile done = profile(notes_, &numbers);
    add_hottest_code(done, numbers, code_, timed_.samples, files_);
    drop_times(done);
    return done;
  }

  /// For the start that simulates.
  void keep_code() {
    const auto kept = request_.counted_code.keep
                          ? request_.counted_code.keep(program_, counted_code(code_, files_))
                          : Result<void>();
    if (!kept) {
      notes_.push_back(
          {"code-not-kept", fmt::format("traffic cannot be simulated by a later start, "
                                        "since the code that was counted could not be "
                                        "kept: {}",
                                        kept.error().message)});
    }
  }

  Result<CountedCode> kept_code() const {
    if (!request_.counted_code.kept) {
      return fail(ErrorCode::usage, "run: a run that only simulates follows one that counted",
                  "mpirun -n N ridge run --into RESULT --only-counts -- PROGRAM");
    }
    return request_.counted_code.kept(program_);
  }

  /// The one run that there is simulates, by the code that another start has counted.
  Result<Profile> run_to_simulate_alone() {
    auto code = kept_code().and_then(
        [&](const CountedCode& counted) { return planned_code(counted, program_, files_); });
    if (!code) {
      return tl::make_unexpected(code.error());
    }
    code_ = std::move(*code);
    const auto folder = WorkFolder::create();
    if (!folder) {
      return tl::make_unexpected(folder.error());
    }
    auto alone = simulate_alone(request_, machine_, {engine_, nullptr, nullptr, &code_, variables_},
                                *folder, files_, input_, notes_);
    if (!alone) {
      return tl::make_unexpected(alone.error());
    }
    timed_.status = alone->status;
    if (alone->simulated) {
      set_work(code_, alone->simulated->work);
      simulated_ = std::move(alone->simulated);
    }
    Profile done = profile(notes_);
    drop_times(done);
    return done;
  }

  Result<Profile> run_all() {
    auto timed = run_timed(request_, &input_, variables_);
    if (!timed) {
      return tl::make_unexpected(timed.error());
    }
    timed_ = std::move(*timed);
    const bool input_was_kept = input_.stop();
    auto folder = WorkFolder::create();
    calling_code_ = CallingCode(timed_.samples, timed_.calls);
    set_timed_stacks(timed_.samples, timed_.stacks, timed_.mappings, files_);
    code_ = program_code(timed_.samples, {}, files_);
    keep_so_far();
    if (const auto reason = no_second_run(input_was_kept, folder)) {
      notes_.push_back({"no-counts", fmt::format("no counts and no traffic: {}", *reason)});
    } else {
      count(*folder);
    }
    if (counted_) {
      set_counted_stacks(timed_.samples, counted_->records, files_);
      code_ = program_code(timed_.samples, counted_->records, files_);
      join_chosen_code(code_, timed_.samples, region_stacks(code_, timed_.samples.stacks),
                       region_stacks(code_, timed_.samples.counted_stacks));
      take_timed_widths(code_, timed_.samples, files_);
      tell_processes_apart();
      keep_so_far();
    }
    if (counted_ && request_.traffic != TrafficRequest::off) {
      simulated_ = simulate(request_, machine_, {engine_, &timed_, &*counted_, &code_, variables_},
                            *folder, files_, input_, notes_);
    } else if (counted_) {
      notes_.push_back({"no-traffic", "no traffic below L1: not asked for (--traffic=off)"});
    }
    std::vector<std::uint32_t> numbers;
    Profile done = profile(notes_, &numbers);
    add_hottest_code(done, numbers, code_, timed_.samples, files_);
    return done;
  }

  std::optional<std::string> no_second_run(bool input_was_kept,
                                           const Result<WorkFolder>& folder) const {
    if (request_.runs == RunsWanted::first) {
      return "they take runs of their own (--only-counts, then --only-traffic)";
    }
    if (was_interrupted(timed_.status)) {
      return "the program was ended from outside, so it is not run again";
    }
    if (!timed_.left.empty()) {
      return "processes that the program started still run, so it is not run again";
    }
    if (!input_was_kept) {
      return "standard input could not be kept for a second run (is the disk full?)";
    }
    return folder ? std::nullopt : std::optional(folder.error().message);
  }

  /// The next engine has its turn where one cannot run an instruction.
  void count(const WorkFolder& folder) {
    for (std::size_t i = 0; i < engines_.size(); ++i) {
      engine_ = engines_[i];
      const bool is_last = i + 1 == engines_.size();
      auto run = run_to_count(folder);
      if (run && request_.runs == RunsWanted::counts) {
        timed_.status = run->status;  // there is no other run to hold it against
      }
      if (!run && is_last) {
        say_no(fmt::format("{}. {}", run.error().message, run.error().hint));
        return;
      }
      if (run && run->skipped) {
        notes_.push_back({"no-counts",
                          "you skipped the run that counts (Ctrl-C, or a signal to ridge): there "
                          "are times and nothing else"});
        return;
      }
      if (run && (is_last || (!cannot_run(*run) && !run->records.empty()))) {
        if (is_usable(*run)) {
          counted_ = std::move(*run);
        }
        return;
      }
      const std::string reason = !run               ? run.error().message
                                 : cannot_run(*run) ? "it cannot run an instruction of this program"
                                                    : "it wrote nothing";
      notes_.push_back({"engine-changed", fmt::format("the engine {} did not do ({}), so another "
                                                      "one counted",
                                                      engine_->name, reason)});
    }
  }

  /// Also of a program that handles SIGILL, as gfortran's do, which say where and end with it.
  bool cannot_run(const EngineRun& run) const {
    const bool only_counts = request_.runs == RunsWanted::counts;
    return met_unknown(run) ||
           (run.status.signal == SIGILL && (only_counts || timed_.status.signal != SIGILL));
  }

  Result<EngineRun> run_to_count(const WorkFolder& folder) {
    return folder.room(fmt::format("counts-{}", engine_->name))
        .and_then([&](const std::filesystem::path& path) {
          return run_engine(*engine_, {request_.arguments, path, std::nullopt, variables_},
                            request_, input_,
                            {RunOfProgram::counts, std::nullopt, std::nullopt,
                             request_.runs == RunsWanted::counts});
        });
  }

  /// Of a part of the work nothing is kept: rates against the time of all of it would be wrong.
  /// Says in a note why not.
  bool is_usable(const EngineRun& run) {
    if (cannot_run(run)) {
      say_no(fmt::format("the engine {} cannot run an instruction of this program (AVX-512, for "
                         "example). What can: the engine dynamorio; the engine bolt, if the "
                         "program is linked with -Wl,--emit-relocs; a build with ridge-cc; for "
                         "libraries that choose their code, --same-code",
                         engine_->name),
             "engine-unknown-instruction");
    } else if (!run.damaged.empty()) {
      say_no("what the engine wrote cannot be read: " + run.damaged.front());
    } else if (run.records.empty()) {
      say_no(fmt::format("the engine {} ended with {} and wrote nothing", engine_->name,
                         run.status.shell_code()));
    } else if (!std::ranges::all_of(run.records, &Record::complete)) {
      say_no("the engine was ended before it had written all counts (is the disk full?)");
    } else if (run.status.signal != timed_.status.signal) {
      say_no(fmt::format("the run that counts ended with {}, the first with {}",
                         run.status.shell_code(), timed_.status.shell_code()));
    } else {
      if (!(run.status == timed_.status)) {
        notes_.push_back(
            {"runs-differ", fmt::format("the run that counts ended with {}, the first with {}",
                                        run.status.shell_code(), timed_.status.shell_code())});
      }
      return true;
    }
    return false;
  }

  void say_no(const std::string& reason, const char* code = "no-counts") {
    notes_.push_back({code, fmt::format("no counts and no traffic: {}", reason)});
  }

  /// What each of several did, unless there are very many, or it cannot be told: some engines count
  /// forks with their parent, and code that was made at run time lies elsewhere in each process.
  void tell_processes_apart() {
    constexpr std::size_t kMost = 256;
    const auto& records = counted_->records;
    // A sample of no file (the kernel's pages, a process between fork and exec) is no such code.
    const bool has_made_code = std::ranges::any_of(code_.modules, [](const CodeModule& module) {
      return module.executed.path.empty() && !module.executed.instructions.empty();
    });
    if (records.size() < 2 || records.size() > kMost || !engine_->counts_libraries ||
        has_made_code) {
      return;
    }
    for (const Record& record : records) {
      WorkSum sum;
      const auto by_region = work_in(code_, std::span(&record, 1), files_);
      for (const ModuleWork& work : by_region) {
        sum.add(work.work);
      }
      if (record.rank) {
        rank_counts_[static_cast<unsigned>(*record.rank)].add(by_region);
      }
      process_work_.push_back(sum.finish());
    }
  }

  /// What is known is on disk before the run for traffic begins.
  void keep_so_far() const {
    const SnapshotSink& sink = request_.snapshots;
    if (!sink.store || (sink.open && !sink.open())) {
      return;
    }
    std::vector<Note> notes = notes_;
    notes.push_back(
        {"snapshot",
         "snapshot: written between two runs of the program, in the later of which Ridge "
         "itself was ended"});
    (void)sink.store(profile(std::move(notes)));
  }

  [[nodiscard]] Profile profile(std::vector<Note> notes,
                                std::vector<std::uint32_t>* numbers = nullptr) const {
    std::vector<std::uint32_t> found;
    Profile profile =
        binary_profile({request_.arguments, program_, platform::utc_now(), &machine_, &timed_,
                        engine_, run_of_counts(), simulated_ ? &*simulated_ : nullptr, &code_,
                        process_work_, calling_code_.regions(code_),
                        request_.runs != RunsWanted::all && request_.runs != RunsWanted::first,
                        request_.also, std::move(notes)},
                       &found);
    add_recorded_calls(profile, request_, timed_.calls,
                       calling_code_.region_of(code_, profile, found));
    add_rank_figures(profile, found, timed_, code_, rank_counts_);
    if (numbers != nullptr) {
      *numbers = std::move(found);
    }
    return profile;
  }

  /// A run that simulates counts too.
  [[nodiscard]] const EngineRun* run_of_counts() const {
    if (counted_) {
      return &*counted_;
    }
    return simulated_ ? &simulated_->run : nullptr;
  }

  const Request& request_;
  const Machine& machine_;
  std::vector<const Engine*> engines_;
  const Engine* engine_;
  std::string program_;
  InputReplay& input_;
  std::vector<std::pair<std::string, std::string>> variables_;
  std::vector<Note> notes_;
  CodeFiles files_;
  TimedRun timed_;
  std::optional<EngineRun> counted_;
  std::vector<RegionWork> process_work_;  ///< like the records of counted_
  CountsOfRanks rank_counts_;             ///< likewise
  CallingCode calling_code_;
  ProgramCode code_;
  std::optional<SimulatedRun> simulated_;
};

}  // namespace

Result<Profile> measure_binary(const Request& request, const Machine& machine) {
  if (const auto usable = check_binary(request); !usable) {
    return tl::make_unexpected(usable.error());
  }
  const std::string program = program_that_runs(*program_of(request));
  auto engines = request.runs == RunsWanted::first
                     ? Result<std::vector<const Engine*>>(std::vector<const Engine*>())
                     : engines_for(request, program);
  auto input = InputReplay::prepare(STDIN_FILENO);
  if (!input) {
    return tl::make_unexpected(input.error());
  }
  const platform::SignalGuard guard;
  return Measurement(request, machine, std::move(*engines), real_path(program), *input).run();
}

}  // namespace ridge::measure
