#include "measure/instrumented/traffic_runs.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <fcntl.h>
#include <map>
#include <string>
#include <thread>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "core/quantity/duration.hpp"
#include "core/quantity/percent.hpp"
#include "measure/instrumented/descendants.hpp"
#include "measure/instrumented/launch.hpp"
#include "measure/instrumented/region_times.hpp"
#include "measure/instrumented/traffic_watch.hpp"
#include "measure/profile/line_sample.hpp"
#include "measure/run/traffic_plan.hpp"
#include "platform/affinity.hpp"
#include "platform/core_map.hpp"
#include "platform/memory_policy.hpp"
#include "platform/process_tree.hpp"
#include "platform/signals.hpp"

namespace ridge::measure {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kBetweenPolls{20};
/// Between two looks at the figures; a look takes at most 1/50 of the time.
constexpr std::chrono::milliseconds kBetweenLooks{250};
constexpr int kPausesPerLook = 50;
/// How long a program that is not needed any more may clean up.
constexpr std::chrono::milliseconds kToCleanUp{2000};
/// How much longer a run that simulates may take: some 100 times.
constexpr int kSlowest = 100;

Seconds since(Clock::time_point begin) {
  return Seconds(std::chrono::duration<double>(Clock::now() - begin).count());
}

/// Thread by thread, where the first process that was sampled may run.
std::vector<std::uint32_t> placement_of(const SampleSet& samples) {
  const auto allowed = platform::allowed_cpus();
  const auto first =
      std::find_if(samples.processes.begin(), samples.processes.end(),
                   [](const ProcessSamples& process) { return !process.cpus_by_thread.empty(); });
  return choose_placement(
      first != samples.processes.end() ? first->cpus_by_thread : std::map<std::uint32_t, CpuSet>{},
      CpuSet(allowed.begin(), allowed.end()), RIDGE_PLACEMENT_MAX, platform::core_of_each_cpu());
}

void append_error(std::vector<Note>& notes, const Error& error) {
  notes.push_back({"no-traffic", fmt::format("no traffic: {}", error.message)});
}

/// Looks at a run now and then, and tells how far it is.
class Looks {
 public:
  Looks(const Request& request, const Arena& arena, const TrafficWatchOptions& options)
      : request_(request),
        arena_(arena),
        watch_(options),
        is_wanted_(options.may_repeat || options.most || request.progress) {
    if (request.progress) {
      request.progress(watch_.progress());
    }
  }

  TrafficVerdict look() {
    const auto now = Clock::now();
    if (!is_wanted_ || now < next_) {
      return TrafficVerdict::go_on;
    }
    TrafficVerdict verdict = TrafficVerdict::go_on;
    if (const auto decoded = decode(arena_.bytes())) {
      verdict = watch_.look(since(begin_), *decoded);
    } else if (watch_.is_over_budget(since(begin_))) {
      verdict = TrafficVerdict::over_budget;
    }
    if (request_.progress && now >= next_progress_) {
      request_.progress(watch_.progress());
      next_progress_ = now + std::chrono::seconds(1);
    }
    const auto took = Clock::now() - now;
    next_ = now + std::max<Clock::duration>(kBetweenLooks, kPausesPerLook * took);
    return verdict;
  }

  [[nodiscard]] const TrafficWatch& watch() const { return watch_; }
  [[nodiscard]] Seconds elapsed() const { return since(begin_); }

 private:
  const Request& request_;
  const Arena& arena_;
  TrafficWatch watch_;
  bool is_wanted_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point next_ = begin_ + kBetweenLooks;
  Clock::time_point next_progress_ = begin_ + std::chrono::seconds(1);
};

/// How a run for traffic ended: by itself, or by our hand.
struct Ended {
  platform::ExitStatus status;
  TrafficVerdict verdict = TrafficVerdict::go_on;
};

/// The program may take its temporary files away; what it started goes with `tree`.
void end_gently(platform::ProcessTree& tree) {
  const auto begin = Clock::now();
  tree.end_others_too();
  kill(tree.pid(), SIGTERM);
  while (!tree.wait_for(kBetweenPolls) && Clock::now() - begin < kToCleanUp) {
  }
}

/// Of the program and of what it started, which has ended in the first run.
Ended wait_for_end(platform::ProcessTree& tree, const Arena& arena, std::chrono::seconds limit,
                   Looks& looks) {
  platform::SignalGuard::forward_to(tree.pid());
  std::optional<platform::ExitStatus> status;
  TrafficVerdict verdict = TrafficVerdict::go_on;
  while (!(status = tree.wait_for(kBetweenPolls)) && verdict == TrafficVerdict::go_on) {
    verdict = looks.look();
  }
  platform::SignalGuard::forward_to(0);
  if (!status) {
    end_gently(tree);
    return {{}, verdict};
  }
  verdict = TrafficVerdict::go_on;  // it ended by itself in the meantime
  Descendants descendants(tree, arena.bytes(), kSlowest * limit);
  while (descendants.worth_waiting() && verdict == TrafficVerdict::go_on) {
    verdict = looks.look();
    std::this_thread::sleep_for(kBetweenPolls);
  }
  if (verdict != TrafficVerdict::go_on) {
    tree.end_others_too();
  }
  return {*status, verdict};
}

std::string words(const platform::ExitStatus& status) {
  return fmt::format("{} {}", status.signal ? "signal" : "code",
                     status.signal.value_or(status.code.value_or(0)));
}

Note skipped_note() {
  return {"traffic-skipped",
          "you skipped the run for traffic (Ctrl-C, or a signal to ridge): no traffic below L1"};
}

/// Whether the run for traffic did what the first did. Of one that was cut short nothing is kept:
/// the counters of a loop may hold all of its turns already, so that the counts of both runs are
/// equal, and its traffic is that of a part.
bool is_whole(const platform::ExitStatus& status, const platform::ExitStatus& first,
              std::vector<Note>& notes) {
  if (platform::SignalGuard::last_received() != 0) {
    notes.push_back(skipped_note());
    return false;
  }
  if (!(status == first)) {
    notes.push_back(
        {"runs-differ", fmt::format("the run for traffic ended with {}, the first with {}",
                                    words(status), words(first))});
  }
  const bool was_killed = status.signal && status.signal != first.signal;
  if (was_killed) {
    notes.push_back(
        {"no-traffic", "no traffic below L1: the run for traffic was ended before its time"});
  }
  return !was_killed;
}

/// Starts the program as the first run did, but for its output. Null: a note says why not.
std::optional<platform::ProcessTree> start_again(const Request& request, const Arena& arena,
                                                 InputReplay& input, std::vector<Note>& notes) {
  const auto standard_input = input.second_input();
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (!standard_input || nowhere < 0) {
    close(nowhere);
    append_error(notes, standard_input ? Error{ErrorCode::unavailable, "cannot open /dev/null", ""}
                                       : standard_input.error());
    return std::nullopt;
  }
  auto options = options_for(request, arena);
  options.standard_input = *standard_input;
  options.standard_output = nowhere;
  options.standard_error = nowhere;
  options.fixed_addresses = true;  // how data lie in the sets of the caches is part of the traffic
  auto tree = platform::ProcessTree::start(options, when_we_die(request));
  close(nowhere);
  if (!tree) {
    append_error(notes, tree.error());
    return std::nullopt;
  }
  return std::move(*tree);
}

/// One run for traffic as it is set up, and what came of it.
struct OneRun {
  ridge_traffic_mode mode = RIDGE_TRAFFIC_EXACT;
  std::uint64_t mask = 0;
  TrafficWatchOptions watch;
};

struct OneResult {
  TrafficRuns runs;
  TrafficVerdict verdict = TrafficVerdict::go_on;
  double untrusted = 0.0;
  Seconds took;
};

class Simulation {
 public:
  Simulation(const Request& request, const Machine& machine, const TimedRun& timed,
             InputReplay& input)
      : request_(request),
        caches_(cache_config(machine, placement_of(timed.samples))),
        timed_(timed),
        input_(input),
        mask_(sample_mask(caches_)),
        first_{bytes_of(timed.arena), Seconds(timed.cpu_seconds.value_or(timed.wall_seconds))} {}

  TrafficRuns run(std::vector<Note>& notes) {
    const TrafficPlan plan = plan_traffic(request_, first_, mask_.has_value());
    if (plan.note) {
      notes.push_back(*plan.note);
    }
    if (!plan.mode) {
      return {};
    }
    OneResult second =
        run_once({*plan.mode,
                  mask_.value_or(0),
                  {RunOfProgram::traffic, first_.bytes, plan.expected, plan.may_repeat, plan.most}},
                 notes);
    if (second.verdict == TrafficVerdict::over_budget) {
      notes.push_back(over_budget_note(second.took));
      return {};
    }
    if (second.verdict == TrafficVerdict::all_lines && was_interrupted(timed_.status)) {
      notes.push_back(skipped_note());
      return {};
    }
    if (*plan.mode != RIDGE_TRAFFIC_AUTO || was_interrupted(timed_.status)) {
      return std::move(second.runs);
    }
    return trusted(plan, std::move(second), notes);
  }

 private:
  OneResult run_once(const OneRun& run, std::vector<Note>& notes);
  [[nodiscard]] Note over_budget_note(Seconds took) const;
  TrafficRuns trusted(const TrafficPlan& plan, OneResult second, std::vector<Note>& notes);
  TrafficRuns all_lines(OneResult second, std::vector<Note>& notes);

  const Request& request_;
  ridge_cache_config caches_;
  const TimedRun& timed_;
  InputReplay& input_;
  std::optional<std::uint64_t> mask_;
  FirstRun first_;
};

OneResult Simulation::run_once(const OneRun& run, std::vector<Note>& notes) {
  OneResult result;
  auto arena = Arena::create(RIDGE_MODE_TRAFFIC, caches_);
  if (!arena) {
    append_error(notes, arena.error());
    return result;
  }
  arena->set_sampling(run.mode, run.mask);
  arena->set_memory_nodes(platform::memory_node_count());
  arena->set_elsewhere(request_.also);
  result.runs.arena = std::move(*arena);
  auto tree = start_again(request_, *result.runs.arena, input_, notes);
  if (!tree) {
    return result;
  }
  Looks looks(request_, *result.runs.arena, run.watch);
  const Ended ended = wait_for_end(*tree, *result.runs.arena, request_.wait_for_descendants, looks);
  result.took = looks.elapsed();
  result.verdict = ended.verdict;
  result.untrusted = looks.watch().untrusted_share();
  if (ended.verdict != TrafficVerdict::go_on) {
    return result;
  }
  auto decoded = decode(result.runs.arena->bytes());
  if (!decoded) {
    append_error(notes, decoded.error());
  } else if (is_whole(ended.status, timed_.status, notes)) {
    result.runs.decoded = std::move(*decoded);
  }
  return result;
}

Note Simulation::over_budget_note(Seconds took) const {
  return {"traffic-over-budget",
          fmt::format("no traffic below L1: its run was ended after {}, twice the {} of --budget; "
                      "a smaller input fits, or --budget {:.0f}s",
                      duration_words(took), duration_words(*request_.budget),
                      std::ceil(4.0 * request_.budget->value()))};
}

/// What the run after the first gave, or a run of all lines where that cannot stand.
TrafficRuns Simulation::trusted(const TrafficPlan& plan, OneResult second,
                                std::vector<Note>& notes) {
  if (second.verdict == TrafficVerdict::all_lines) {
    return all_lines(std::move(second), notes);
  }
  if (!second.runs.decoded) {
    return std::move(second.runs);
  }
  second.untrusted = untrusted_share(simulated_traffic(*second.runs.decoded)).share;
  if (second.untrusted <= kUntrustedMost) {
    return std::move(second.runs);
  }
  if (plan.may_repeat) {
    return all_lines(std::move(second), notes);
  }
  notes.push_back({"traffic-in-doubt",
                   fmt::format("{} of the traffic of a level came from loops that some lines "
                               "cannot stand for; a run of all lines is expected to exceed "
                               "--budget, so figures of these loops are marked",
                               percent_text(second.untrusted))});
  return std::move(second.runs);
}

TrafficRuns Simulation::all_lines(OneResult second, std::vector<Note>& notes) {
  std::vector<Note> later;
  OneResult third = run_once(
      {RIDGE_TRAFFIC_EXACT,
       0,
       {RunOfProgram::traffic_again, first_.bytes, exact_time(first_, 0), false, std::nullopt}},
      later);
  const std::string reason =
      fmt::format("{} of the traffic of a level came from loops that some lines cannot stand for",
                  percent_text(second.untrusted));
  if (!third.runs.decoded && second.runs.decoded) {
    notes.push_back({"traffic-third-run",
                     "a third run, which would simulate all lines, was not finished: figures of "
                     "loops that some lines may not stand for are marked"});
    return std::move(second.runs);
  }
  notes.insert(notes.end(), later.begin(), later.end());
  if (!third.runs.decoded) {
    notes.push_back({"traffic-third-run",
                     fmt::format("{}, so the second run was ended after {}; a third, which would "
                                 "simulate all lines, was not finished",
                                 reason, duration_words(second.took))});
    return {};
  }
  const bool was_ended = second.verdict == TrafficVerdict::all_lines;
  notes.push_back({"traffic-third-run",
                   was_ended ? fmt::format("{}, so the second run was ended after {} and a third "
                                           "simulated all of them",
                                           reason, duration_words(second.took))
                             : fmt::format("{}, so a third run simulated all of them", reason)});
  return std::move(third.runs);
}

}  // namespace

TrafficRuns simulate(const Request& request, const Machine& machine, const TimedRun& timed,
                     InputReplay& input, std::vector<Note>& notes) {
  return Simulation(request, machine, timed, input).run(notes);
}

}  // namespace ridge::measure
