#include "platform/clock.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>

namespace ridge::platform {
namespace {

constexpr int kLinksPerTurn = 100;
constexpr int kTurns = 100;
constexpr int kBestOf = 100;

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
std::uint64_t least_ticks(Body&& body) {
  auto least = std::numeric_limits<std::uint64_t>::max();
  for (int i = 0; i < kBestOf; ++i) {
    least = std::min(least, ticks_of(body));
  }
  return least;
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

ClockProbe::ClockProbe(double tsc_hertz)
    : tsc_hertz_(tsc_hertz), overhead_ticks_(least_ticks([] {})) {}

Hertz ClockProbe::measure() const {
  const std::uint64_t ticks = ticks_of([] { add_chain(kTurns); }) - overhead_ticks_;
  return Hertz{kLinksPerTurn * kTurns * tsc_hertz_ / static_cast<double>(ticks)};
}

ClockProbe::Check ClockProbe::check() const {
  const auto net = [&](auto&& body) {
    return static_cast<double>(least_ticks(body) - overhead_ticks_);
  };
  const double once = net([] { add_chain(kTurns); });
  return {net([] { add_chain(2 * kTurns); }) / once, net([] { multiply_chain(kTurns); }) / once};
}

bool ClockProbe::Check::holds() const {
  constexpr double kTolerance = 0.03;
  return std::abs(length_ratio / 2.0 - 1.0) < kTolerance &&
         std::abs(multiply_ratio / 3.0 - 1.0) < kTolerance;
}

}  // namespace ridge::platform
