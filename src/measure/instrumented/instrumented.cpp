#include "measure/instrumented/instrumented.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>
#include <fcntl.h>
#include <optional>
#include <random>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

#include <fmt/format.h>

#include "measure/instrumented/arena.hpp"
#include "measure/instrumented/build_profile.hpp"
#include "measure/instrumented/input_replay.hpp"
#include "measure/instrumented/program_check.hpp"
#include "measure/instrumented/region_times.hpp"
#include "measure/instrumented/sampler.hpp"
#include "measure/instrumented/sampling.hpp"
#include "platform/core_map.hpp"
#include "platform/memory_policy.hpp"
#include "platform/process.hpp"
#include "platform/signals.hpp"
#include "platform/topology.hpp"

namespace ridge::measure {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::nanoseconds;

constexpr const char* kSessionVariable = "RIDGE_SESSION";
/// A longer gap between two looks means that we were stopped or starved: what the program did in it
/// is unknown, so only this much is put down to what is seen then.
constexpr double kGapMax = 0.25;
/// Each time the table of samples has grown by this many words (128 MiB), they are taken half as
/// often: memory grows with the logarithm of the run time.
constexpr std::size_t kWordsPerHalving = std::size_t{1} << 25U;

double seconds(nanoseconds duration) {
  return std::chrono::duration<double>(duration).count();
}

struct Usage {
  double cpu_seconds = 0.0;
  double kernel_seconds = 0.0;
  std::uint64_t minor_faults = 0;
  std::uint64_t major_faults = 0;
};

Usage usage_of_children() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto to_seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  const double kernel = to_seconds(usage.ru_stime);
  return {to_seconds(usage.ru_utime) + kernel, kernel, static_cast<std::uint64_t>(usage.ru_minflt),
          static_cast<std::uint64_t>(usage.ru_majflt)};
}

void set_usage(TimedRun& run, const Usage& before) {
  const Usage now = usage_of_children();
  run.cpu_seconds = now.cpu_seconds - before.cpu_seconds;
  const std::uint64_t major = now.major_faults - before.major_faults;
  const std::uint64_t all = major + now.minor_faults - before.minor_faults;
  run.page_faults =
      PageFaults{all, all, all, major, Seconds(now.kernel_seconds - before.kernel_seconds)};
}

/// Looks at the program until it ends. Intervals vary, so that no rhythm of the program can hide.
platform::ExitStatus watch(platform::Process& process, Sampler& sampler, nanoseconds interval) {
  std::minstd_rand random(static_cast<unsigned>(process.pid()));
  std::uniform_real_distribution<double> jitter(0.5, 1.5);
  std::size_t next_halving = kWordsPerHalving;
  auto last = Clock::now();
  while (true) {
    const nanoseconds pause(
        static_cast<nanoseconds::rep>(static_cast<double>(interval.count()) * jitter(random)));
    std::this_thread::sleep_for(pause);
    if (const auto status = process.poll()) {
      return *status;
    }
    const auto now = Clock::now();
    const double gone = seconds(now - last);
    sampler.tick(std::min(gone, kGapMax), std::max(0.0, gone - kGapMax));
    last = now;
    if (sampler.size_words() > next_halving) {
      next_halving += kWordsPerHalving;
      interval *= 2;
    }
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

Result<TimedRun> run_timed(const Request& request, const Arena& arena, InputReplay* input) {
  auto options = options_for(request, arena);
  options.standard_input = input != nullptr ? input->first_input() : std::nullopt;
  const Usage before = usage_of_children();
  const auto begin = Clock::now();
  auto process = platform::Process::start(options);
  if (!process) {
    return tl::make_unexpected(process.error());
  }
  platform::SignalGuard::forward_to(process->pid());
  if (input != nullptr) {
    input->start();
  }
  Sampler sampler(arena.bytes());
  TimedRun run;
  run.status = watch(*process, sampler, request.interval);
  run.wall_seconds = seconds(Clock::now() - begin);
  platform::SignalGuard::forward_to(0);
  set_usage(run, before);
  run.pid = process->pid();
  run.samples = sampler.finish();
  auto decoded = decode(arena.bytes());
  if (!decoded) {
    return tl::make_unexpected(decoded.error());
  }
  run.arena = std::move(*decoded);
  return run;
}

/// Ended from outside (Ctrl-C, kill): another run would not end at the same place.
bool was_interrupted(const platform::ExitStatus& status) {
  constexpr std::array kOutside{SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGKILL, SIGALRM, SIGPIPE};
  return platform::SignalGuard::last_forwarded() != 0 ||
         (status.signal &&
          std::find(kOutside.begin(), kOutside.end(), *status.signal) != kOutside.end());
}

/// Thread by thread, where the first process that was sampled ran.
std::vector<std::uint32_t> placement_of(const SampleSet& samples) {
  for (const ProcessSamples& process : samples.processes) {
    if (!process.cpus_by_thread.empty()) {
      return choose_placement(process.cpus_by_thread, platform::core_of_each_cpu());
    }
  }
  return {};
}

void append_error(std::vector<Note>& notes, const Error& error) {
  notes.push_back({"no-traffic", fmt::format("no traffic: {}", error.message)});
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
  auto process = platform::Process::start(options);
  close(nowhere);
  if (!process) {
    append_error(notes, process.error());
    return std::nullopt;
  }
  platform::SignalGuard::forward_to(process->pid());
  const platform::ExitStatus status = process->wait();
  platform::SignalGuard::forward_to(0);
  auto decoded = decode(arena.bytes());
  if (!decoded) {
    append_error(notes, decoded.error());
    return std::nullopt;
  }
  if (!(status == first)) {
    notes.push_back(
        {"runs-differ", fmt::format("the run for traffic ended with {} {}, the first with {} {}",
                                    status.signal ? "signal" : "code",
                                    status.signal.value_or(status.code.value_or(0)),
                                    first.signal ? "signal" : "code",
                                    first.signal.value_or(first.code.value_or(0)))});
  }
  return std::move(*decoded);
}

/// Whether a second run makes sense; says in a note why it does not.
bool wants_traffic(const Request& request, const TimedRun& timed, bool input_was_kept,
                   std::vector<Note>& notes) {
  const char* reason = nullptr;
  if (request.traffic == TrafficRequest::off) {
    reason = "not asked for (--traffic=off)";
  } else if (was_interrupted(timed.status)) {
    reason = "the program was ended from outside, so it is not run again";
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

void say(const Request& request, std::string_view line) {
  if (request.progress) {
    request.progress(line);
  }
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
  if (!third.decoded || was_interrupted(first)) {
    return second;
  }
  notes.push_back({"traffic-third-run",
                   fmt::format("{:.2g} % of the traffic of a level came from loops that some lines "
                               "cannot stand for, so a third run simulated all of them",
                               100.0 * untrusted.share)});
  return third;
}

}  // namespace

Result<void> check(const Request& request) {
  const auto path =
      platform::find_program(request.arguments.empty() ? "" : request.arguments.front());
  if (!path) {
    return tl::make_unexpected(path.error());
  }
  return request.launcher ? Result<void>{} : check_program(*path);
}

Result<Profile> measure(const Request& request, const Machine& machine) {
  if (const auto usable = check(request); !usable) {
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
  const auto timed = run_timed(request, *counted, with_traffic ? &*input : nullptr);
  if (!timed) {
    return tl::make_unexpected(timed.error());
  }
  const bool input_was_kept = !with_traffic || input->stop();
  std::vector<Note> notes;
  TrafficRuns traffic;
  if (wants_traffic(request, *timed, input_was_kept, notes)) {
    traffic = simulate(request, cache_config(machine, placement_of(timed->samples)), *input,
                       timed->status, notes);
  }
  return build_profile({request.arguments, platform::utc_now(), &machine, &*timed,
                        traffic.decoded ? &*traffic.decoded : nullptr, std::move(notes),
                        request.also});
}

}  // namespace ridge::measure
