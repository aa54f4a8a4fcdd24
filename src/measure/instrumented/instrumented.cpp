#include "measure/instrumented/instrumented.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>
#include <fcntl.h>
#include <map>
#include <optional>
#include <thread>
#include <unistd.h>

#include <fmt/format.h>

#include "measure/instrumented/arena.hpp"
#include "measure/instrumented/attach.hpp"
#include "measure/instrumented/build_profile.hpp"
#include "measure/instrumented/code/profile_code.hpp"
#include "measure/instrumented/descendants.hpp"
#include "measure/instrumented/input_replay.hpp"
#include "measure/instrumented/program_check.hpp"
#include "measure/instrumented/region_times.hpp"
#include "measure/instrumented/sampler.hpp"
#include "measure/instrumented/sampling.hpp"
#include "measure/instrumented/snapshots.hpp"
#include "measure/instrumented/watch.hpp"
#include "platform/affinity.hpp"
#include "platform/core_map.hpp"
#include "platform/memory_policy.hpp"
#include "platform/process_tree.hpp"
#include "platform/signals.hpp"
#include "platform/topology.hpp"

namespace ridge::measure {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kSessionVariable = "RIDGE_SESSION";
/// A look at the program in a run that nobody samples.
constexpr std::chrono::milliseconds kBetweenPolls{20};
/// How much longer a run that simulates may take: some 100 times.
constexpr int kSlowest = 100;

void set_usage(TimedRun& run, const platform::UsageOfTree& usage) {
  if (!run.left_measured.empty()) {
    return;  // of processes that still run it is unknown
  }
  run.cpu_seconds = usage.user_seconds + usage.kernel_seconds;
  const std::uint64_t all = usage.minor_faults + usage.major_faults;
  run.page_faults = PageFaults{all, all, all, usage.major_faults, Seconds(usage.kernel_seconds)};
}

void say(const Request& request, std::string_view line) {
  if (request.progress) {
    request.progress(line);
  }
}

platform::ProcessOptions options_for(const Request& request, const Arena& arena) {
  platform::ProcessOptions options;
  options.arguments = request.arguments;
  options.environment = {{kSessionVariable, arena.session()}};
  if (request.output_to_error) {
    options.standard_output = STDERR_FILENO;
  }
  return options;
}

platform::WhenWeDie when_we_die(const Request& request) {
  return request.detach ? platform::WhenWeDie::let_live : platform::WhenWeDie::end_tree;
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
  auto options = options_for(request, arena);
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
    Watched watched =
        watch(*tree, arena.bytes(), sampler, snapshots,
              {request.interval, request.wait_for_descendants, request.progress}, begin);
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
  return run;
}

/// Ended from outside (Ctrl-C, kill): another run would not end at the same place.
bool was_interrupted(const platform::ExitStatus& status) {
  constexpr std::array kOutside{SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGKILL, SIGALRM, SIGPIPE};
  return platform::SignalGuard::last_received() != 0 ||
         (status.signal &&
          std::find(kOutside.begin(), kOutside.end(), *status.signal) != kOutside.end());
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

/// Of the program and of what it started, which has ended in the first run.
platform::ExitStatus wait_for_end(platform::ProcessTree& tree, const Arena& arena,
                                  std::chrono::seconds limit) {
  platform::SignalGuard::forward_to(tree.pid());
  std::optional<platform::ExitStatus> status;
  while (!(status = tree.wait_for(kBetweenPolls))) {
  }
  platform::SignalGuard::forward_to(0);
  Descendants descendants(tree, arena.bytes(), kSlowest * limit);
  while (descendants.worth_waiting()) {
    std::this_thread::sleep_for(kBetweenPolls);
  }
  return *status;
}

std::string words(const platform::ExitStatus& status) {
  return fmt::format("{} {}", status.signal ? "signal" : "code",
                     status.signal.value_or(status.code.value_or(0)));
}

/// Whether the run for traffic did what the first did. Of one that was cut short nothing is kept:
/// the counters of a loop may hold all of its turns already, so that the counts of both runs are
/// equal, and its traffic is that of a part.
bool is_whole(const platform::ExitStatus& status, const platform::ExitStatus& first,
              std::vector<Note>& notes) {
  if (platform::SignalGuard::last_received() != 0) {
    notes.push_back({"traffic-skipped",
                     "you skipped the run for traffic (Ctrl-C, or a signal to ridge): no traffic "
                     "below L1"});
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

/// One more run, for traffic. What goes wrong is a note; the first run's result stays.
std::optional<DecodedArena> run_traffic(const Request& request, const Arena& arena,
                                        InputReplay& input, const platform::ExitStatus& first,
                                        std::vector<Note>& notes) {
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
  const platform::ExitStatus status = wait_for_end(*tree, arena, request.wait_for_descendants);
  auto decoded = decode(arena.bytes());
  if (!decoded) {
    append_error(notes, decoded.error());
    return std::nullopt;
  }
  return is_whole(status, first, notes) ? std::optional(std::move(*decoded)) : std::nullopt;
}

/// Whether a second run makes sense; says in a note why it does not.
bool wants_traffic(const Request& request, const TimedRun& timed, bool input_was_kept,
                   std::vector<Note>& notes) {
  const char* reason = nullptr;
  if (request.traffic == TrafficRequest::off) {
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

/// The traffic, and the memory that its texts lie in.
struct TrafficRuns {
  std::optional<Arena> arena;
  std::optional<DecodedArena> decoded;
};

/// Everything that one run needs, in `mode`.
TrafficRuns run_in_mode(const Request& request, const ridge_cache_config& caches,
                        ridge_traffic_mode mode, std::uint64_t mask, InputReplay& input,
                        const platform::ExitStatus& first, std::vector<Note>& notes) {
  TrafficRuns result;
  auto arena = Arena::create(RIDGE_MODE_TRAFFIC, caches);
  if (!arena) {
    append_error(notes, arena.error());
    return result;
  }
  arena->set_sampling(mode, mask);
  arena->set_memory_nodes(platform::memory_node_count());
  arena->set_elsewhere(request.also);
  result.arena = std::move(*arena);
  result.decoded = run_traffic(request, *result.arena, input, first, notes);
  return result;
}

/// The second run and, where that was sampled and cannot be trusted, a third.
TrafficRuns simulate(const Request& request, const ridge_cache_config& caches, InputReplay& input,
                     const platform::ExitStatus& first, std::vector<Note>& notes) {
  const bool may_sample = request.traffic != TrafficRequest::exact;
  const auto mask = sample_mask(caches);
  if (may_sample && !mask) {
    notes.push_back({"traffic-exact",
                     "these caches have too few sets in common to sample lines: traffic is exact"});
  }
  const auto mode = !may_sample || !mask                         ? RIDGE_TRAFFIC_EXACT
                    : request.traffic == TrafficRequest::sampled ? RIDGE_TRAFFIC_SAMPLED
                                                                 : RIDGE_TRAFFIC_AUTO;
  say(request, "second run, for traffic: output is thrown away, Ctrl-C skips it");
  TrafficRuns second = run_in_mode(request, caches, mode, mask.value_or(0), input, first, notes);
  if (mode != RIDGE_TRAFFIC_AUTO || !second.decoded || was_interrupted(first)) {
    return second;
  }
  const UntrustedShare untrusted = untrusted_share(*second.decoded);
  if (untrusted.share <= kUntrustedMost) {
    return second;
  }
  say(request, "third run: some loops use the sets of the caches too unevenly to sample them");
  std::vector<Note> later;
  TrafficRuns third = run_in_mode(request, caches, RIDGE_TRAFFIC_EXACT, 0, input, first, later);
  if (!third.decoded) {
    notes.push_back({"traffic-third-run",
                     "a third run, which would simulate all lines, was not finished: figures of "
                     "loops that some lines may not stand for are marked"});
    return second;
  }
  notes.push_back({"traffic-third-run",
                   fmt::format("{:.2g} % of the traffic of a level came from loops that some lines "
                               "cannot stand for, so a third run simulated all of them",
                               100.0 * untrusted.share)});
  return third;
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
  return request.launcher ? Result<void>{} : check_program(*path);
}

Result<Profile> measure_instrumented(const Request& request, const Machine& machine) {
  if (const auto usable = check_instrumented(request); !usable) {
    return tl::make_unexpected(usable.error());
  }
  const auto counted = Arena::create(RIDGE_MODE_COUNT, cache_config(machine, {}));
  if (!counted) {
    return tl::make_unexpected(counted.error());
  }
  auto input = InputReplay::prepare(STDIN_FILENO);
  const bool with_traffic = request.traffic != TrafficRequest::off;
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
    traffic = simulate(request, cache_config(machine, placement_of(timed->samples)), *input,
                       timed->status, notes);
  }
  RegionsOfRaw of_raw;
  Profile profile =
      build_profile({request.arguments, platform::utc_now(), &machine, &*timed,
                     traffic.decoded ? &*traffic.decoded : nullptr, std::move(notes), request.also},
                    &of_raw);
  add_code(profile, timed->arena, of_raw);
  return profile;
}

}  // namespace ridge::measure
