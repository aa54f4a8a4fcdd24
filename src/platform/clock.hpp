// The time stamp counter, its rate, and the clock of the core, which is another one.
#pragma once

#include <cstdint>
#include <vector>
#include <x86intrin.h>

#include "core/quantity/units.hpp"

namespace ridge::platform {

/// Ticks of the time stamp counter before the code that follows: earlier instructions are done,
/// later ones have not begun.
[[nodiscard]] inline std::uint64_t ticks_before() {
  _mm_lfence();
  const std::uint64_t ticks = __rdtsc();
  _mm_lfence();
  return ticks;
}

/// Ticks after the code that precedes: its instructions are done.
[[nodiscard]] inline std::uint64_t ticks_after() {
  unsigned processor = 0;
  const std::uint64_t ticks = __rdtscp(&processor);
  _mm_lfence();
  return ticks;
}

/// Rate of the time stamp counter in ticks per second, against CLOCK_MONOTONIC_RAW over about
/// 20 ms. Not the clock of the core.
[[nodiscard]] double calibrate_tsc();

/// Mean of the middle half of `values` (not empty): as deaf to interrupts as the median, but not
/// bound to the steps of the counter, which on some processors are as long as 26 ticks.
[[nodiscard]] double midmean(std::vector<double> values);

/// Mean of those of `values` (not empty) that lie within `reach` of their median. Unlike the
/// midmean it has no bias where the values lie on two or three steps of the counter.
[[nodiscard]] double mean_near_median(std::vector<double> values, double reach);

/// One of the tries of a calibration, in ticks.
struct ProbeTry {
  double fixed_ticks = 0.0;    ///< what a probe costs besides its multiplications
  std::vector<double> probes;  ///< at least 2, one right after the other
};

/// How far a probe may be off, relative to the clock: half of the middle half of its fixed cost
/// over the tries (not empty), and half of the 80 % interval of a single probe, the middle of the
/// tries: a disturbance met some of them.
[[nodiscard]] double probe_uncertainty(const std::vector<ProbeTry>& tries);

/// Looks at the ratio of a chain of multiplications to one of additions (not empty): the third
/// highest. A hyperthread of somebody else slows the additions, for 50 ms and more, never the
/// reverse: a look in such a time was seen to give 2 for 3. The two highest may have met an
/// interrupt.
[[nodiscard]] double undisturbed_ratio(std::vector<double> looks);

/// Whether enough looks are there and their undisturbed ratio is a whole number within 2 %.
[[nodiscard]] bool is_settled(const std::vector<double>& looks);

/// Estimates the clock of the core that it runs on by a chain of dependent floating-point
/// multiplications. Their latency in cycles is found first, against chains of dependent integer
/// additions, scalar and vector, at one cycle each. The additions themselves would be the worse
/// probe: when another hyperthread shares the core (in a virtual machine: unseen), a chain that
/// needs an integer unit in every single cycle was seen to lose 9 % while full-rate FMA code beside
/// it lost nothing.
class ClockProbe {
 public:
  /// `tsc_hertz` as calibrate_tsc() gives it. Takes about 80 ms, up to 0.6 s where the additions
  /// are disturbed all the time.
  explicit ClockProbe(double tsc_hertz);

  /// One estimate, about 8 us long. A sample that is interrupted comes out too low.
  [[nodiscard]] Hertz measure() const;

  /// What must hold if an addition takes one cycle and a multiplication a whole number of them.
  /// Middles of ratios of chains that ran back to back, since the clock itself changes.
  struct Check {
    double length_ratio = 0.0;         ///< time of a chain of twice the length: expected 2
    double multiply_ratio = 0.0;       ///< multiplication over addition: expected 2, 3, 4 or 5
    double cycles_per_multiply = 0.0;  ///< in use since the calibration: expected the same

    /// Within 3 %; the second ratio may be 12 % low, since the additions are easily slowed down.
    [[nodiscard]] bool holds() const;
  };
  [[nodiscard]] Check check() const;

  [[nodiscard]] double tsc_hertz() const { return tsc_hertz_; }
  /// Of one estimate, relative: see probe_uncertainty(). Found while calibrating.
  [[nodiscard]] double uncertainty() const { return uncertainty_; }

 private:
  double tsc_hertz_;
  double overhead_ticks_ = 0.0;       ///< of a probe besides its multiplications
  double cycles_per_multiply_ = 1.0;  ///< latency
  double uncertainty_ = 0.0;
};

}  // namespace ridge::platform
