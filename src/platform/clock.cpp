#include "platform/clock.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <vector>

namespace ridge::platform {
namespace {

constexpr int kLinksPerTurn = 100;
constexpr int kTurns = 100;
constexpr int kRepeats = 100;

double monotonic_seconds() {
  std::timespec now{};
  clock_gettime(CLOCK_MONOTONIC_RAW, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Instant {
  double seconds;
  double ticks;
};

/// Both clocks at one instant: of several tries the one whose readings lie closest together.
Instant read_both_clocks() {
  constexpr int kTries = 20;
  Instant best{};
  auto narrowest = std::numeric_limits<std::uint64_t>::max();
  for (int i = 0; i < kTries; ++i) {
    const std::uint64_t before = ticks_before();
    const double seconds = monotonic_seconds();
    const std::uint64_t after = ticks_after();
    if (after - before < narrowest) {
      narrowest = after - before;
      best = {seconds, static_cast<double>(before) + 0.5 * static_cast<double>(narrowest)};
    }
  }
  return best;
}

/// kLinksPerTurn * turns dependent additions of a register that is not zero: some cores do
/// additions of an immediate while renaming, at no latency.
void add_chain(int turns) {
  std::uint64_t value = 1;
  const std::uint64_t step = 3;
  asm volatile(
      ".p2align 6\n"
      "1:\n"
      ".rept 100\n"
      "add %[step], %[value]\n"
      ".endr\n"
      "dec %[turns]\n"
      "jnz 1b\n"
      : [value] "+r"(value), [turns] "+r"(turns)
      : [step] "r"(step)
      : "cc");
}

void multiply_chain(int turns) {
  std::uint64_t value = 1;
  const std::uint64_t factor = 3;
  asm volatile(
      ".p2align 6\n"
      "1:\n"
      ".rept 100\n"
      "imul %[factor], %[value]\n"
      ".endr\n"
      "dec %[turns]\n"
      "jnz 1b\n"
      : [value] "+r"(value), [turns] "+r"(turns)
      : [factor] "r"(factor)
      : "cc");
}

template <class Body>
std::uint64_t ticks_of(Body&& body) {
  const std::uint64_t before = ticks_before();
  body();
  return ticks_after() - before;
}

template <class Body>
double median_of_repeats(Body&& body) {
  std::vector<double> values(kRepeats);
  std::generate(values.begin(), values.end(), body);
  std::nth_element(values.begin(), values.begin() + kRepeats / 2, values.end());
  return values[kRepeats / 2];
}

double add_ticks(int turns) {
  return static_cast<double>(ticks_of([&] { add_chain(turns); }));
}

/// What a chain costs besides its links: reading the counter, leaving the loop. Twice the time of a
/// chain less the time of one twice as long; both at one clock, since they run back to back.
double fixed_ticks() {
  return median_of_repeats([] {
    const double once = add_ticks(kTurns);
    return std::clamp(2.0 * once - add_ticks(2 * kTurns), 0.0, 0.05 * once);
  });
}

}  // namespace

double calibrate_tsc() {
  constexpr double kSeconds = 0.02;
  const Instant start = read_both_clocks();
  while (monotonic_seconds() - start.seconds < kSeconds) {
    _mm_pause();
  }
  const Instant end = read_both_clocks();
  return (end.ticks - start.ticks) / (end.seconds - start.seconds);
}

ClockProbe::ClockProbe(double tsc_hertz) : tsc_hertz_(tsc_hertz), overhead_ticks_(fixed_ticks()) {}

Hertz ClockProbe::measure() const {
  return Hertz{kLinksPerTurn * kTurns * tsc_hertz_ / (add_ticks(kTurns) - overhead_ticks_)};
}

ClockProbe::Check ClockProbe::check() const {
  const auto ratio_to_additions = [&](auto&& ticks) {
    return median_of_repeats([&] {
      const double additions = add_ticks(kTurns) - overhead_ticks_;
      return (ticks() - overhead_ticks_) / additions;
    });
  };
  return {ratio_to_additions([] { return add_ticks(2 * kTurns); }), ratio_to_additions([] {
            return static_cast<double>(ticks_of([] { multiply_chain(kTurns); }));
          })};
}

bool ClockProbe::Check::holds() const {
  constexpr double kTolerance = 0.03;
  return std::abs(length_ratio / 2.0 - 1.0) < kTolerance &&
         std::abs(multiply_ratio / 3.0 - 1.0) < kTolerance;
}

}  // namespace ridge::platform
