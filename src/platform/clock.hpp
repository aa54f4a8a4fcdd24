// The time stamp counter, its rate, and the clock of the core, which is another one.
#pragma once

#include <cstdint>
#include <x86intrin.h>

#include "core/units.hpp"

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

/// Estimates the clock of the core that it runs on by a chain of dependent additions, at one
/// cycle each. `check()` tests that assumption.
class ClockProbe {
 public:
  /// `tsc_hertz` as calibrate_tsc() gives it. Takes about 1 ms.
  explicit ClockProbe(double tsc_hertz);

  /// One estimate, about 3 us long. A sample that is interrupted comes out too low.
  [[nodiscard]] Hertz measure() const;

  /// What must hold if one dependent addition takes one cycle: a chain of twice the length takes
  /// twice the time, and a chain of as many multiplications three times the time (latency 3 on
  /// every Intel core since Nehalem and every AMD core since Zen; uops.info). Medians of ratios
  /// of chains that ran back to back, since the clock itself changes.
  struct Check {
    double length_ratio = 0.0;    ///< expected 2
    double multiply_ratio = 0.0;  ///< expected 3

    [[nodiscard]] bool holds() const;
  };
  [[nodiscard]] Check check() const;

  [[nodiscard]] double tsc_hertz() const { return tsc_hertz_; }

 private:
  double tsc_hertz_;
  double overhead_ticks_;  ///< of a probe besides its additions
};

}  // namespace ridge::platform
