#include "measure/instrumented/instrumented.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>
#include <unistd.h>

#include <fmt/format.h>

#include "measure/calls/call_memory.hpp"
#include "measure/instrumented/arena.hpp"
#include "measure/instrumented/attach.hpp"
#include "measure/instrumented/build_profile.hpp"
#include "measure/instrumented/calling_regions.hpp"
#include "measure/instrumented/code/profile_code.hpp"
#include "measure/instrumented/launch.hpp"
#include "measure/instrumented/sampler.hpp"
#include "measure/instrumented/snapshots.hpp"
#include "measure/instrumented/traffic_runs.hpp"
#include "measure/instrumented/watch.hpp"
#include "measure/profile/line_sample.hpp"
#include "measure/profile/placement.hpp"
#include "measure/profile/simulated_caches.hpp"
#include "measure/ranks/split_ranks.hpp"
#include "measure/region_figures.hpp"
#include "measure/run/input_replay.hpp"
#include "measure/run/program_check.hpp"
#include "platform/affinity.hpp"
#include "platform/core_map.hpp"
#include "platform/memory_policy.hpp"
#include "platform/process_tree.hpp"
#include "platform/signals.hpp"
#include "platform/topology.hpp"

namespace ridge::measure {
namespace {

using Clock = std::chrono::steady_clock;

/// The first run is the one that simulates.
bool simulates_at_once(const Request& request) {
  return request.runs == RunsWanted::traffic || request.runs == RunsWanted::one;
}

void set_usage(TimedRun& run, const platform::UsageOfTree& usage) {
  if (!run.left_measured.empty()) {
    return;  // of processes that still run it is unknown
  }
  run.cpu_seconds = usage.user_seconds + usage.kernel_seconds;
  const std::uint64_t all = usage.minor_faults + usage.major_faults;
  run.page_faults = PageFaults{all, all, all, usage.major_faults, Seconds(usage.kernel_seconds)};
}

/// The first run so far, in a copy of this process.
Profile picture(const Request& request, const Machine& machine, const Arena& arena,
                platform::ProcessTree& tree, Sampler& sampler, Clock::time_point begin) {
  tree.forget_in_copy();
  TimedRun run;
  run.pid = tree.pid();
  run.wall_seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  run.samples = sampler.finish();
  auto decoded = decode(arena.bytes());
  if (decoded) {
    run.arena = std::move(*decoded);
  }
  Note note{
      "snapshot",
      fmt::format("snapshot: written {:.1f} s after the start, while the program ran; Ridge "
                  "itself was ended before it could write the result: times are a lower bound, "
                  "counts of loops that ran then are not exact, and there is no traffic below L1",
                  run.wall_seconds)};
  return build_profile(
      {request.arguments, platform::utc_now(), &machine, &run, nullptr, {std::move(note)}, {}});
}

Result<TimedRun> run_timed(const Request& request, const Machine& machine, const Arena& arena,
                           InputReplay* input) {
  const auto calls = CallMemory::create(request);
  if (!calls) {
    return tl::make_unexpected(calls.error());
  }
  auto options = options_for(request, arena);
  options.fixed_addresses = simulates_at_once(request);  // their places in the caches are traffic
  std::ranges::move(calls->variables(), std::back_inserter(options.environment));
  options.standard_input = input != nullptr ? input->first_input() : std::nullopt;
  const auto begin = Clock::now();
  auto tree = platform::ProcessTree::start(options, when_we_die(request));
  if (!tree) {
    return tl::make_unexpected(tree.error());
  }
  platform::SignalGuard::forward_to(tree->pid());
  if (input != nullptr) {
    input->start();
  }
  Sampler sampler(arena.bytes());
  TimedRun run;
  {
    Snapshots snapshots(request.snapshots,
                        [&] { return picture(request, machine, arena, *tree, sampler, begin); });
    Watched watched = watch(
        *tree, arena.bytes(), sampler, snapshots,
        {request.interval, request.wait_for_descendants, request.tell, request.progress}, begin);
    run.status = watched.status;
    run.wall_seconds = watched.wall_seconds;
    run.waited = watched.waited;
    run.left_measured = std::move(watched.left_measured);
    run.left_others = std::move(watched.left_others);
  }
  set_usage(run, tree->usage());
  run.pid = tree->pid();
  run.samples = sampler.finish();
  CodeReader code;
  auto decoded = decode(arena.bytes(), &code);
  if (!decoded) {
    return tl::make_unexpected(decoded.error());
  }
  run.arena = std::move(*decoded);
  run.calls = calls->read();
  return run;
}

/// Whether a second run makes sense; says in a note why it does not.
bool wants_traffic(const Request& request, const TimedRun& timed, bool input_was_kept,
                   std::vector<Note>& notes) {
  const char* reason = nullptr;
  if (request.runs == RunsWanted::first) {
    reason = "it takes a run of its own (--only-traffic)";
  } else if (request.traffic == TrafficRequest::off) {
    reason = "not asked for (--traffic=off)";
  } else if (was_interrupted(timed.status)) {
    reason = "the program was ended from outside, so it is not run again";
  } else if (!timed.left_measured.empty()) {
    reason = "processes that the program started still run, so it is not run again";
  } else if (!input_was_kept) {
    reason = "standard input could not be kept for a second run (is the disk full?)";
  } else if (timed.arena.processes.empty()) {
    reason = "no instrumented code ran";
  }
  if (reason != nullptr) {
    notes.push_back({"no-traffic", fmt::format("no traffic below L1: {}", reason)});
  }
  return reason == nullptr;
}

/// An instrumented program that counted nothing at all could not attach.
std::vector<Note> attach_notes(const Request& request, const TimedRun& timed) {
  const auto path = platform::find_program(request.arguments.front());
  if (!timed.arena.processes.empty() || request.launcher || !path) {
    return {};
  }
  return {{"not-attached", fmt::format("Ridge could not attach to the program, because {}",
                                       why_not_attached(*path, timed.status))}};
}

/// The first run is on disk before the second begins.
void keep_first_run(const Request& request, const Machine& machine, const TimedRun& timed) {
  const SnapshotSink& sink = request.snapshots;
  if (!sink.store || (sink.open && !sink.open())) {
    return;
  }
  const Note note{"snapshot",
                  "snapshot: written between the first run, which is complete, and the second, for "
                  "traffic below L1, in which Ridge itself was ended"};
  (void)sink.store(build_profile(
      {request.arguments, platform::utc_now(), &machine, &timed, nullptr, {note}, {}}));
}

ridge_traffic_mode mode_of(TrafficRequest request) {
  switch (request) {
    case TrafficRequest::sampled:
      return RIDGE_TRAFFIC_SAMPLED;
    case TrafficRequest::automatic:
      return RIDGE_TRAFFIC_AUTO;
    case TrafficRequest::off:
    case TrafficRequest::exact:
      break;
  }
  return RIDGE_TRAFFIC_EXACT;
}

/// One run, on the real streams, counts, simulates and is sampled.
Result<Profile> measure_at_once(const Request& request, const Machine& machine) {
  const auto allowed = platform::allowed_cpus();
  const auto caches =
      cache_config(machine, choose_placement({}, CpuSet(allowed.begin(), allowed.end()),
                                             RIDGE_PLACEMENT_MAX, platform::core_of_each_cpu()));
  auto arena = Arena::create(RIDGE_MODE_TRAFFIC, caches);
  if (!arena) {
    return tl::make_unexpected(arena.error());
  }
  const auto mask = sample_mask(caches);
  arena->set_sampling(mask ? mode_of(request.traffic) : RIDGE_TRAFFIC_EXACT, mask.value_or(0));
  arena->set_memory_nodes(platform::memory_node_count());
  arena->set_elsewhere(request.also);
  const platform::SignalGuard guard;
  const auto timed = run_timed(request, machine, *arena, nullptr);
  if (!timed) {
    return tl::make_unexpected(timed.error());
  }
  std::vector<Note> notes = attach_notes(request, *timed);
  notes.insert(notes.end(), timed->arena.notes.begin(), timed->arena.notes.end());
  if (request.runs == RunsWanted::one) {
    notes.push_back({"times-while-simulated",
                     "the caches were simulated in the run that was timed (--one-run): times are "
                     "several times as long as the program's, in each region differently; rates "
                     "and shares of roofs mean little, work and traffic hold"});
  }
  RegionsOfRaw of_raw;
  Profile profile = build_profile({request.arguments, platform::utc_now(), &machine, &*timed,
                                   &timed->arena, std::move(notes), request.also},
                                  &of_raw);
  add_code(profile, timed->arena, of_raw);
  add_recorded_calls(profile, request, timed->calls, calling_regions(timed->arena, of_raw));
  if (request.runs == RunsWanted::traffic) {
    drop_times(profile);
  }
  return profile;
}

Result<void> check_runs(const Request& request) {
  if (request.runs == RunsWanted::counts) {
    return fail(ErrorCode::usage, "run: an instrumented program needs no run that only counts",
                "Its first run counts. What is missing after it is --only-traffic.");
  }
  if (simulates_at_once(request) && request.traffic == TrafficRequest::off) {
    return fail(ErrorCode::usage, "run: --no-traffic leaves nothing to do for this run");
  }
  return {};
}

}  // namespace

Result<void> check_instrumented(const Request& request) {
  const auto path =
      platform::find_program(request.arguments.empty() ? "" : request.arguments.front());
  if (!path) {
    return tl::make_unexpected(path.error());
  }
  if (auto found = check_proc(); !found) {
    return found;
  }
  if (auto found = check_call_layers(request); !found) {
    return found;
  }
  return request.launcher ? Result<void>{} : check_program(*path);
}

Result<Profile> measure_instrumented(const Request& request, const Machine& machine) {
  auto usable = check_instrumented(request).and_then([&] { return check_runs(request); });
  if (!usable) {
    return tl::make_unexpected(usable.error());
  }
  if (simulates_at_once(request)) {
    return measure_at_once(request, machine);
  }
  const auto counted = Arena::create(RIDGE_MODE_COUNT, cache_config(machine, {}));
  if (!counted) {
    return tl::make_unexpected(counted.error());
  }
  auto input = InputReplay::prepare(STDIN_FILENO);
  const bool with_traffic =
      request.traffic != TrafficRequest::off && request.runs == RunsWanted::all;
  if (with_traffic && !input) {
    return tl::make_unexpected(input.error());
  }
  const platform::SignalGuard guard;
  const auto timed = run_timed(request, machine, *counted, with_traffic ? &*input : nullptr);
  if (!timed) {
    return tl::make_unexpected(timed.error());
  }
  const bool input_was_kept = !with_traffic || input->stop();
  std::vector<Note> notes = attach_notes(request, *timed);
  notes.insert(notes.end(), timed->arena.notes.begin(), timed->arena.notes.end());
  if (auto note = counted->size_note()) {
    notes.push_back(std::move(*note));
  }
  TrafficRuns traffic;
  if (wants_traffic(request, *timed, input_was_kept, notes)) {
    keep_first_run(request, machine, *timed);
    traffic = simulate(request, machine, *timed, *input, notes);
  }
  RegionsOfRaw of_raw;
  Profile profile =
      build_profile({request.arguments, platform::utc_now(), &machine, &*timed,
                     traffic.decoded ? &*traffic.decoded : nullptr, std::move(notes), request.also},
                    &of_raw);
  add_code(profile, timed->arena, of_raw);
  add_recorded_calls(profile, request, timed->calls, calling_regions(timed->arena, of_raw));
  return sum_over_ranks(std::move(profile));
}

}  // namespace ridge::measure
