#include "platform/timing_loop.hpp"

#include <algorithm>
#include <atomic>
#include <latch>
#include <mutex>
#include <sched.h>
#include <system_error>
#include <thread>

#include <fmt/format.h>

#include "platform/affinity.hpp"

namespace ridge::platform {
namespace {

/// All threads leave `wait` together. Spins, so that they leave within some 100 ns, but lets go of
/// the CPU when another thread seems not to be running.
class SpinBarrier {
 public:
  explicit SpinBarrier(unsigned threads) : threads_(threads) {}

  void wait() {
    const std::uint64_t turn = turn_.load(std::memory_order_acquire);
    if (waiting_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
      waiting_.store(0, std::memory_order_relaxed);
      turn_.store(turn + 1, std::memory_order_release);
      return;
    }
    constexpr unsigned kSpins = 20000;
    for (unsigned spins = 0; turn_.load(std::memory_order_acquire) == turn; ++spins) {
      if (spins < kSpins) {
        _mm_pause();
      } else {
        sched_yield();
      }
    }
  }

 private:
  unsigned threads_;
  alignas(64) std::atomic<unsigned> waiting_{0};
  alignas(64) std::atomic<std::uint64_t> turn_{0};
};

/// One thread's record of the sample at hand.
struct alignas(64) ThreadRecord {
  Stamp stamp;
  double clock = 0.0;
};

class SampleTaker {
 public:
  SampleTaker(const TimingPlan& plan, const ClockProbe& probe,
              const std::function<void(unsigned, std::uint64_t)>& work)
      : plan_(plan),
        probe_(probe),
        work_(work),
        barrier_(static_cast<unsigned>(plan.cpus.size())),
        records_(plan.cpus.size()) {}

  void run_thread(unsigned thread) {
    work_(thread, 0);  // warm-up: code and data come in, the clock settles
    barrier_.wait();
    const std::uint64_t start = ticks_before();
    for (std::uint64_t sample = 1;; ++sample) {
      take_one(thread, sample);
      if (thread == 0) {
        collect();
        stop_ = finished(static_cast<double>(ticks_after() - start) / probe_.tsc_hertz());
      }
      barrier_.wait();
      if (stop_) {
        return;
      }
    }
  }

  [[nodiscard]] std::vector<TimedSample> samples() && { return std::move(samples_); }

 private:
  void take_one(unsigned thread, std::uint64_t sample) {
    ThreadRecord& record = records_[thread];
    const Hertz clock_before = probe_.measure();
    barrier_.wait();
    record.stamp.begin = ticks_before();
    work_(thread, sample);
    record.stamp.end = ticks_after();
    // An interrupt makes a probe too low, never too high.
    record.clock = std::max(clock_before, probe_.measure()).value();
    barrier_.wait();
  }

  void collect() {
    std::vector<Stamp>& stamps = scratch_;
    stamps.clear();
    double clock = 0.0;
    for (const ThreadRecord& record : records_) {
      stamps.push_back(record.stamp);
      clock += record.clock / static_cast<double>(records_.size());
    }
    const Seconds time{static_cast<double>(span_ticks(stamps)) / probe_.tsc_hertz()};
    samples_.push_back({time, Hertz{clock}, overlap(stamps)});
    accepted_ += samples_.back().overlap >= plan_.least_overlap ? 1 : 0;
  }

  [[nodiscard]] bool finished(double elapsed) const {
    constexpr double kPatience = 4.0;
    const double budget = plan_.budget.value();
    return (elapsed >= budget && accepted_ >= plan_.least_samples) || elapsed >= kPatience * budget;
  }

  const TimingPlan& plan_;
  const ClockProbe& probe_;
  const std::function<void(unsigned, std::uint64_t)>& work_;
  SpinBarrier barrier_;
  std::vector<ThreadRecord> records_;
  std::vector<TimedSample> samples_;  // from here on: touched by thread 0 between barriers
  std::vector<Stamp> scratch_;
  std::uint64_t accepted_ = 0;
  bool stop_ = false;
};

}  // namespace

std::uint64_t span_ticks(const std::vector<Stamp>& threads) {
  std::uint64_t begin = threads.front().begin;
  std::uint64_t end = threads.front().end;
  for (const Stamp& stamp : threads) {
    begin = std::min(begin, stamp.begin);
    end = std::max(end, stamp.end);
  }
  return end - begin;
}

double overlap(const std::vector<Stamp>& threads) {
  std::uint64_t last_begin = threads.front().begin;
  std::uint64_t first_end = threads.front().end;
  for (const Stamp& stamp : threads) {
    last_begin = std::max(last_begin, stamp.begin);
    first_end = std::min(first_end, stamp.end);
  }
  const std::uint64_t span = span_ticks(threads);
  if (threads.size() == 1 || span == 0) {
    return 1.0;
  }
  return first_end <= last_begin
             ? 0.0
             : static_cast<double>(first_end - last_begin) / static_cast<double>(span);
}

TimingResult reject_apart(std::vector<TimedSample> samples, double least_overlap) {
  TimingResult result;
  for (const TimedSample& sample : samples) {
    if (sample.overlap >= least_overlap) {
      result.samples.push_back(sample);
    }
  }
  result.thrown_away = samples.size() - result.samples.size();
  if (result.samples.empty()) {
    result.threads_apart = !samples.empty();
    result.samples = std::move(samples);
  }
  return result;
}

Result<void> run_pinned(const std::vector<unsigned>& cpus,
                        const std::function<void(unsigned)>& body) {
  std::latch pinned(static_cast<std::ptrdiff_t>(cpus.size()));
  std::mutex mutex;
  std::optional<Error> error;
  const auto report = [&](Error problem) {
    const std::lock_guard lock(mutex);
    error = error ? error : std::optional(std::move(problem));
  };
  std::vector<std::thread> threads;
  threads.reserve(cpus.size());
  for (unsigned thread = 0; thread < cpus.size(); ++thread) {
    try {
      threads.emplace_back([&, thread] {
        if (auto bound = pin_current_thread(cpus[thread]); !bound) {
          report(std::move(bound.error()));
        }
        pinned.arrive_and_wait();
        if (!error) {
          body(thread);
        }
      });
    } catch (const std::system_error& problem) {
      report({ErrorCode::unavailable, fmt::format("cannot start a thread: {}", problem.what()),
              "raise the limit of processes (ulimit -u)"});
      pinned.count_down(static_cast<std::ptrdiff_t>(cpus.size() - thread));
      break;
    }
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  return error ? Result<void>(tl::make_unexpected(*error)) : Result<void>{};
}

Result<TimingResult> take_samples(
    const TimingPlan& plan, const ClockProbe& probe,
    const std::function<void(unsigned thread, std::uint64_t sample)>& work) {
  SampleTaker taker(plan, probe, work);
  return run_pinned(plan.cpus, [&](unsigned thread) { taker.run_thread(thread); }).map([&] {
    return reject_apart(std::move(taker).samples(), plan.least_overlap);
  });
}

}  // namespace ridge::platform
