#include "measure/binary/runs/traffic_run.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/quantity/duration.hpp"
#include "core/quantity/percent.hpp"
#include "measure/profile/line_sample.hpp"
#include "measure/profile/placement.hpp"
#include "measure/profile/simulated_caches.hpp"
#include "measure/run/traffic_plan.hpp"
#include "platform/affinity.hpp"
#include "platform/core_map.hpp"
#include "platform/file.hpp"

namespace ridge::measure::binary {
namespace {

/// A thread may run wherever we may.
std::vector<std::uint32_t> placement() {
  const auto allowed = platform::allowed_cpus();
  return choose_placement({}, CpuSet(allowed.begin(), allowed.end()), RIDGE_PLACEMENT_MAX,
                          platform::core_of_each_cpu());
}

FirstRun first_run(const TrafficInput& known) {
  FirstRun first;
  for (const CodeModule& module : known.code->modules) {
    for (const ModuleWork& work : module.work) {
      first.bytes += work.work.bytes_loaded.value_or(0) + work.work.bytes_stored.value_or(0);
    }
  }
  const auto& usage = known.timed->usage;
  first.cpu_seconds =
      Seconds(usage ? usage->user_seconds + usage->kernel_seconds : known.timed->wall_seconds);
  return first;
}

/// Which lines are simulated in a run that no other one follows.
ridge_traffic_mode lone_mode(TrafficRequest request, bool can_sample) {
  if (can_sample && request == TrafficRequest::sampled) {
    return RIDGE_TRAFFIC_SAMPLED;
  }
  return can_sample && request == TrafficRequest::automatic ? RIDGE_TRAFFIC_AUTO
                                                            : RIDGE_TRAFFIC_EXACT;
}

void say_no(std::vector<Note>& notes, const std::string& reason) {
  notes.push_back({"no-traffic", fmt::format("no traffic below L1: {}", reason)});
}

class Simulation {
 public:
  Simulation(const Request& request, const Machine& machine, const TrafficInput& known,
             const WorkFolder& folder, CodeFiles& files, InputReplay& input,
             std::vector<Note>& notes)
      : request_(request),
        known_(known),
        folder_(folder),
        files_(files),
        input_(input),
        notes_(notes),
        boundaries_(boundaries_of(machine).size()) {
    planned_.caches = cache_config(machine, placement());
    planned_.region_count = known.code->region_count + 1;
    planned_.elsewhere = request.also;
    mask_ = sample_mask(planned_.caches);
  }

  std::optional<SimulatedRun> run() {
    const TrafficPlan plan = plan_traffic(request_, first_run(known_), mask_.has_value());
    if (plan.note) {
      notes_.push_back(*plan.note);
    }
    if (!plan.mode) {
      return std::nullopt;
    }
    auto simulated = run_once(
        *plan.mode, {RunOfProgram::traffic_after_counts, plan.most, plan.expected}, "traffic");
    if (!simulated || *plan.mode != RIDGE_TRAFFIC_AUTO) {
      return simulated;
    }
    return trusted(plan, std::move(*simulated));
  }

  Result<LoneSimulation> run_alone() {
    const auto mode = lone_mode(request_.traffic, mask_.has_value());
    auto run = start(mode, {RunOfProgram::traffic_after_counts, std::nullopt, std::nullopt, true},
                     "traffic");
    if (!run) {
      return tl::make_unexpected(run.error());
    }
    const platform::ExitStatus status = run->status;
    return LoneSimulation{status, judged(std::move(*run))};
  }

 private:
  std::optional<SimulatedRun> run_once(ridge_traffic_mode mode, const EngineRunOptions& options,
                                       const char* room) {
    auto run = start(mode, options, room);
    if (!run) {
      say_no(notes_, run.error().message);
      return std::nullopt;
    }
    return judged(std::move(*run));
  }

  Result<EngineRun> start(ridge_traffic_mode mode, const EngineRunOptions& options,
                          const char* room) {
    planned_.mode = mode;
    planned_.sample_mask = mode == RIDGE_TRAFFIC_EXACT ? 0 : mask_.value_or(0);
    const auto path = folder_.room(room);
    if (!path) {
      return tl::make_unexpected(path.error());
    }
    const auto plan = *path / "plan";
    const auto bytes = plan_bytes(planned_, planned_modules(*known_.code, files_));
    const auto written = platform::replace_file(
        plan, std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    if (written) {
      return fail(ErrorCode::unavailable,
                  fmt::format("the plan for the engine cannot be written: {}", written.message()));
    }
    return run_engine(*known_.engine, {request_.arguments, *path, plan, known_.variables}, request_,
                      input_, options);
  }

  /// Of a run that was cut short nothing is kept.
  std::optional<SimulatedRun> judged(EngineRun run) {
    if (run.over_time) {
      notes_.push_back(
          {"traffic-over-budget",
           fmt::format("no traffic below L1: its run was ended after {}, twice the {} of --budget; "
                       "a smaller input fits, or --budget {:.0f}s",
                       duration_words(run.took), duration_words(*request_.budget),
                       std::ceil(4.0 * request_.budget->value()))});
      return std::nullopt;
    }
    if (run.skipped) {
      notes_.push_back({"traffic-skipped",
                        "you skipped the run for traffic (Ctrl-C, or a signal to ridge): no "
                        "traffic below L1"});
      return std::nullopt;
    }
    if (known_.counted != nullptr && !(run.status == known_.counted->status)) {
      notes_.push_back({"runs-differ",
                        fmt::format("the run for traffic ended with {}, the one before with {}",
                                    run.status.shell_code(), known_.counted->status.shell_code())});
      if (run.status.signal) {
        say_no(notes_, "its run was ended before its time");
        return std::nullopt;
      }
    }
    if (std::ranges::any_of(run.records, [](const Record& r) { return !r.unknown.empty(); })) {
      say_no(notes_,
             fmt::format("the engine {} cannot run an instruction of this program (AVX-512, "
                         "for example); the engine dynamorio can",
                         known_.engine->name));
      return std::nullopt;
    }
    if (!run.damaged.empty() || !std::ranges::all_of(run.records, &Record::complete)) {
      say_no(notes_, run.damaged.empty() ? "the engine was ended before it had written all"
                                         : run.damaged.front());
      return std::nullopt;
    }
    if (std::ranges::none_of(run.records, &Record::simulated)) {
      say_no(notes_, "the engine wrote none");
      return std::nullopt;
    }
    SimulatedRun simulated;
    simulated.work = work_in(*known_.code, run.records, files_);
    simulated.run = std::move(run);
    simulated.sample_mask = planned_.sample_mask;
    return simulated;
  }

  std::optional<SimulatedRun> trusted(const TrafficPlan& plan, SimulatedRun second) {
    const auto traffic = simulated_traffic(second, known_.code->region_count + 1, boundaries_ - 1);
    const double untrusted = untrusted_share({&traffic}).share;
    if (untrusted <= kUntrustedMost) {
      return second;
    }
    const std::string reason =
        fmt::format("{} of the traffic of a level came from loops that some lines cannot stand for",
                    percent_text(untrusted));
    if (!plan.may_repeat) {
      notes_.push_back({"traffic-in-doubt",
                        fmt::format("{}; a run of all lines is expected to exceed --budget, so "
                                    "figures of these loops are marked",
                                    reason)});
      return second;
    }
    auto again = run_once(
        RIDGE_TRAFFIC_EXACT,
        {RunOfProgram::traffic_after_counts_again, std::nullopt, exact_time(first_run(known_), 0)},
        "traffic-again");
    notes_.push_back({"traffic-third-run",
                      again ? fmt::format("{}, so another run simulated all of them", reason)
                            : fmt::format("{}; another run, which would simulate all "
                                          "lines, was not finished: figures of these loops "
                                          "are marked",
                                          reason)});
    return again ? std::move(again) : std::optional(std::move(second));
  }

  const Request& request_;
  const TrafficInput& known_;
  const WorkFolder& folder_;
  CodeFiles& files_;
  InputReplay& input_;
  std::vector<Note>& notes_;
  std::size_t boundaries_;
  PlannedTraffic planned_;
  std::optional<std::uint64_t> mask_;
};

}  // namespace

std::optional<SimulatedRun> simulate(const Request& request, const Machine& machine,
                                     const TrafficInput& known, const WorkFolder& folder,
                                     CodeFiles& files, InputReplay& input,
                                     std::vector<Note>& notes) {
  if (!known.engine->simulates) {
    say_no(notes, fmt::format("the engine {} only counts", known.engine->name));
    return std::nullopt;
  }
  return Simulation(request, machine, known, folder, files, input, notes).run();
}

Result<LoneSimulation> simulate_alone(const Request& request, const Machine& machine,
                                      const TrafficInput& known, const WorkFolder& folder,
                                      CodeFiles& files, InputReplay& input,
                                      std::vector<Note>& notes) {
  return Simulation(request, machine, known, folder, files, input, notes).run_alone();
}

}  // namespace ridge::measure::binary
