// Takes timed samples of one piece of work on one or more pinned threads that begin together.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/result.hpp"
#include "core/units.hpp"
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

/// One accepted sample.
struct TimedSample {
  Seconds time{};      ///< first begin to last end over the threads
  Hertz clock{};       ///< mean over the threads of their clock probes before and after
  double overlap = 1;  ///< see overlap()
};

struct TimingPlan {
  std::vector<unsigned> cpus;  ///< one thread each, pinned
  Seconds budget{0.03};        ///< stop taking samples after this time
  unsigned least_samples =
      8;  ///< accepted samples to reach even past the budget (up to 4 times it)
  double least_overlap = 0.8;  ///< samples whose threads overlap less are thrown away and retried
};

struct TimingResult {
  std::vector<TimedSample> samples;
  std::uint64_t thrown_away = 0;  ///< for lack of overlap
  /// No sample overlapped enough: `samples` then holds what there was, better than nothing.
  bool threads_apart = false;
};

/// `work(thread, sample)` runs on every thread for each sample; samples are numbered from 0 and the
/// first is a warm-up that is not recorded. Errors: `unavailable` when a thread cannot be started
/// or pinned.
[[nodiscard]] Result<TimingResult> take_samples(
    const TimingPlan& plan, const ClockProbe& probe,
    const std::function<void(unsigned thread, std::uint64_t sample)>& work);

/// Runs `body(thread)` once on each CPU, on a thread pinned to it, and waits for all. Errors as
/// above; then no body has run.
[[nodiscard]] Result<void> run_pinned(const std::vector<unsigned>& cpus,
                                      const std::function<void(unsigned thread)>& body);

/// Keeps the samples whose overlap is at least `least_overlap`. When none is left, keeps all and
/// sets `threads_apart`.
[[nodiscard]] TimingResult reject_apart(std::vector<TimedSample> samples, double least_overlap);

}  // namespace ridge::platform
