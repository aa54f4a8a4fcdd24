#include "platform/timing_loop.hpp"

#include <algorithm>
#include <atomic>
#include <latch>
#include <mutex>
#include <system_error>
#include <thread>

#include <fmt/format.h>

#include "platform/affinity.hpp"
#include "platform/load_burst.hpp"
#include "platform/spin_barrier.hpp"

namespace ridge::platform {
namespace {

/// What a thread sees of its core beside a sample.
struct Reading {
  Hertz clock{};
  double burst_cycles = 0.0;
};

Reading read_core(const ClockProbe& probe) {
  const double burst = static_cast<double>(load_burst_ticks());
  const Hertz clock = probe.measure();
  return {clock, burst / probe.tsc_hertz() * clock.value()};
}

/// One thread's record of the sample at hand.
struct alignas(64) ThreadRecord {
  Stamp stamp;
  Reading before;
  Reading after;
};

class SampleTaker {
 public:
  SampleTaker(std::size_t threads, const ClockProbe& probe, const std::vector<Visit>& visits,
              const std::function<bool()>& stop)
      : probe_(probe), visits_(visits), stop_(stop), barrier_(threads), records_(threads) {}

  void run_thread(unsigned thread) {
    for (const Visit& visit : visits_) {
      if (thread == 0) {
        leave_ = stop_ && stop_();
      }
      barrier_.wait();
      if (leave_) {
        return;
      }
      make(visit, thread);
    }
  }

  [[nodiscard]] std::vector<TimingResult> results() && { return std::move(results_); }

 private:
  void make(const Visit& visit, unsigned thread) {
    const std::uint64_t start = ticks_before();
    std::uint64_t sample = visit.first_sample;
    for (std::uint64_t i = 0; i < visit.warm_ups; ++i) {
      visit.work(thread, sample++);  // code and data come in, the clock settles
    }
    records_[thread].after = read_core(probe_);
    for (bool done = false; !done;) {
      take_one(visit, thread, sample++);
      if (thread == 0) {
        collect(visit.least_overlap);
        const std::uint64_t ticks = ticks_after() - start;
        finished_ = finished(visit, static_cast<double>(ticks) / probe_.tsc_hertz());
      }
      barrier_.wait();
      done = finished_;
    }
    if (thread == 0) {
      results_.push_back(reject_apart(samples_, visit.least_overlap));
      results_.back().next_sample = sample;
      samples_.clear();
      accepted_ = 0;
    }
  }

  void take_one(const Visit& visit, unsigned thread, std::uint64_t sample) {
    ThreadRecord& record = records_[thread];
    record.before = record.after;
    barrier_.wait();
    record.stamp.begin = ticks_before();
    visit.work(thread, sample);
    record.stamp.end = ticks_after();
    record.after = read_core(probe_);
    barrier_.wait();
  }

  void collect(double least_overlap) {
    std::vector<Stamp>& stamps = scratch_;
    stamps.clear();
    double clock = 0.0;
    double burst = 0.0;
    for (const ThreadRecord& record : records_) {
      stamps.push_back(record.stamp);
      clock += clock_beside(record.before.clock, record.after.clock).value() /
               static_cast<double>(records_.size());
      burst = std::max({burst, record.before.burst_cycles, record.after.burst_cycles});
    }
    const Seconds time{static_cast<double>(span_ticks(stamps)) / probe_.tsc_hertz()};
    samples_.push_back({time, Hertz{clock}, overlap(stamps), burst});
    accepted_ += samples_.back().overlap >= least_overlap ? 1 : 0;
  }

  [[nodiscard]] bool finished(const Visit& visit, double elapsed) const {
    constexpr double kPatience = 4.0;
    const double budget = visit.budget.value();
    return (elapsed >= budget && accepted_ >= visit.least_samples) || elapsed >= kPatience * budget;
  }

  const ClockProbe& probe_;
  const std::vector<Visit>& visits_;
  const std::function<bool()>& stop_;
  SpinBarrier barrier_;
  std::vector<ThreadRecord> records_;
  std::vector<TimingResult> results_;  // from here on: touched by thread 0 between barriers
  std::vector<TimedSample> samples_;
  std::vector<Stamp> scratch_;
  std::uint64_t accepted_ = 0;
  bool finished_ = false;
  bool leave_ = false;
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

Hertz clock_beside(Hertz before, Hertz after) {
  constexpr double kAlike = 0.98;
  const auto [low, high] = std::minmax(before, after);
  return low < kAlike * high ? high : 0.5 * (low + high);
}

TimingResult reject_apart(const std::vector<TimedSample>& samples, double least_overlap) {
  TimingResult result;
  for (const TimedSample& sample : samples) {
    if (sample.overlap >= least_overlap) {
      result.samples.push_back(sample);
    }
  }
  result.thrown_away = samples.size() - result.samples.size();
  result.threads_apart = result.samples.empty() && !samples.empty();
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

Result<std::vector<TimingResult>> take_samples(const std::vector<unsigned>& cpus,
                                               const ClockProbe& probe,
                                               const std::vector<Visit>& visits,
                                               const std::function<bool()>& stop) {
  SampleTaker taker(cpus.size(), probe, visits, stop);
  return run_pinned(cpus, [&](unsigned thread) { taker.run_thread(thread); }).map([&] {
    return std::move(taker).results();
  });
}

}  // namespace ridge::platform
