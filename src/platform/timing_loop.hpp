// Takes timed samples of one piece of work on one or more pinned threads that begin together.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/quantity/units.hpp"
#include "core/result.hpp"
#include "platform/clock.hpp"

namespace ridge::platform {

/// When one thread worked on one sample, in ticks of the time stamp counter.
struct Stamp {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// From the first begin to the last end.
[[nodiscard]] std::uint64_t span_ticks(const std::vector<Stamp>& threads);
/// Share of the span in which all threads worked, 0 to 1. One thread: 1.
[[nodiscard]] double overlap(const std::vector<Stamp>& threads);

/// The clock between two probes: their mean. An interrupt makes a probe too low, never too high:
/// when they differ by more than 2 %, it is the higher one.
[[nodiscard]] Hertz clock_beside(Hertz before, Hertz after);

/// One accepted sample.
struct TimedSample {
  Seconds time{};      ///< first begin to last end over the threads
  Hertz clock{};       ///< mean over the threads of clock_beside()
  double overlap = 1;  ///< see overlap()
  /// Cycles of load_burst_ticks() just before or just after, whichever is longer, on the thread
  /// where it took longest. Long: another hyperthread was at work on the core.
  double burst_cycles = 0;
};

/// One stay with one piece of work.
struct Visit {
  /// Runs on every thread for each sample; samples are numbered from `first_sample`, and the first
  /// `warm_ups` of them are not recorded.
  std::function<void(unsigned thread, std::uint64_t sample)> work;
  Seconds budget{0.03};  ///< stop taking samples after this time, warm-ups included
  unsigned least_samples =
      8;  ///< accepted samples to reach even past the budget (up to 4 times it)
  double least_overlap = 0.8;  ///< samples whose threads overlap less are thrown away and retried
  std::uint64_t first_sample = 0;
  std::uint64_t warm_ups = 1;
};

struct TimingResult {
  std::vector<TimedSample> samples;
  std::uint64_t thrown_away = 0;  ///< for lack of overlap
  /// No sample overlapped enough: what was timed is not what threads at once do. `samples` is
  /// empty.
  bool threads_apart = false;
  std::uint64_t next_sample = 0;  ///< the number that would have come next
};

/// Makes the visits one after the other, on one thread for each of `cpus`, all pinned and started
/// once. Asks `stop` (may be empty) before each visit and leaves out the rest when it says yes: the
/// result is then shorter than `visits`. Errors: `unavailable` when a thread cannot be started or
/// pinned.
[[nodiscard]] Result<std::vector<TimingResult>> take_samples(
    const std::vector<unsigned>& cpus, const ClockProbe& probe, const std::vector<Visit>& visits,
    const std::function<bool()>& stop = {});

/// Runs `body(thread)` once on each CPU, on a thread pinned to it, and waits for all. Errors as
/// above; then no body has run.
[[nodiscard]] Result<void> run_pinned(const std::vector<unsigned>& cpus,
                                      const std::function<void(unsigned thread)>& body);

/// Keeps the samples whose overlap is at least `least_overlap`. When none is left, sets
/// `threads_apart`.
[[nodiscard]] TimingResult reject_apart(const std::vector<TimedSample>& samples,
                                        double least_overlap);

}  // namespace ridge::platform
