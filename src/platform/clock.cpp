#include "platform/clock.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "core/quantity/estimate.hpp"

namespace ridge::platform {
namespace {

constexpr int kLinksPerTurn = 100;
constexpr int kTurns = 25;        ///< of chains that are compared with one another
constexpr int kProbeTurns = 100;  ///< of a probe: some counters move in steps of 26 ticks
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

/// The same in a vector register: units that a neighbour of the integer ones does not take.
void vector_add_chain(int turns) {
  __m128i value = _mm_set1_epi32(1);
  const __m128i step = _mm_set1_epi32(3);
  asm volatile(
      ".p2align 6\n"
      "1:\n"
      ".rept 100\n"
      "paddd %[step], %[value]\n"
      ".endr\n"
      "dec %[turns]\n"
      "jnz 1b\n"
      : [value] "+x"(value), [turns] "+r"(turns)
      : [step] "x"(step)
      : "cc");
}

void multiply_chain(int turns) {
  double value = 1.0;
  const double factor = 1.0;
  asm volatile(
      ".p2align 6\n"
      "1:\n"
      ".rept 100\n"
      "mulsd %[factor], %[value]\n"
      ".endr\n"
      "dec %[turns]\n"
      "jnz 1b\n"
      : [value] "+x"(value), [turns] "+r"(turns)
      : [factor] "x"(factor)
      : "cc");
}

template <class Body>
std::uint64_t ticks_of(Body&& body) {
  const std::uint64_t before = ticks_before();
  body();
  return ticks_after() - before;
}

template <class Body>
double midmean_of_repeats(Body&& body) {
  std::vector<double> values(kRepeats);
  std::generate(values.begin(), values.end(), body);
  return midmean(std::move(values));
}

using Chain = void (*)(int turns);

double chain_ticks(Chain chain, int turns) {
  return static_cast<double>(ticks_of([&] { chain(turns); }));
}

double multiply_ticks(int turns) {
  return chain_ticks(multiply_chain, turns);
}

void spin(double seconds) {
  const double start = monotonic_seconds();
  while (monotonic_seconds() - start < seconds) {
    _mm_pause();
  }
}

/// What a chain costs besides its links: reading the counter, leaving the loop. The time of two
/// chains less the time of one twice as long between them, so that a clock that is just rising or
/// falling cancels.
double fixed_ticks() {
  constexpr double kInterrupt = 150.0;  // ticks: any takes longer, no step of a counter does
  std::vector<double> values(kRepeats);
  for (double& value : values) {
    const double before = multiply_ticks(kProbeTurns);
    const double both = multiply_ticks(2 * kProbeTurns);
    value = before + multiply_ticks(kProbeTurns) - both;
  }
  return mean_near_median(std::move(values), kInterrupt);
}

/// Ticks of probes, one right after the other.
std::vector<double> probes_in_a_row() {
  constexpr std::size_t kProbes = 30;
  std::vector<double> ticks(kProbes);
  std::generate(ticks.begin(), ticks.end(), [] { return multiply_ticks(kProbeTurns); });
  return ticks;
}

/// Several tries some ms apart: a disturbance of that length was seen to put one try, and with it
/// all clocks of a run, off by 1 %.
std::vector<ProbeTry> tries_of_probes() {
  constexpr std::size_t kTries = 9;
  constexpr double kSecondsBetween = 2e-3;
  std::vector<ProbeTry> tries(kTries);
  for (ProbeTry& next : tries) {
    spin(kSecondsBetween);
    next = {fixed_ticks(), probes_in_a_row()};
  }
  return tries;
}

double sorted_quantile(std::vector<double> values, double fraction) {
  std::sort(values.begin(), values.end());
  return quantile(values, fraction);
}

/// Half of the 80 % interval of one probe, relative to its length. Two probes make a step: one
/// scatters less by the root of two.
double scatter_of(const std::vector<double>& probes) {
  std::vector<double> steps;
  for (std::size_t i = 1; i < probes.size(); ++i) {
    steps.push_back(probes[i] - probes[i - 1]);
  }
  const double width = sorted_quantile(steps, 0.9) - sorted_quantile(steps, 0.1);
  return width / 2.0 / std::sqrt(2.0) / midmean(probes);
}

double middle_fixed_ticks(const std::vector<ProbeTry>& tries) {
  std::vector<double> fixed;
  for (const ProbeTry& next : tries) {
    fixed.push_back(next.fixed_ticks);
  }
  return std::max(0.0, sorted_quantile(std::move(fixed), 0.5));
}

/// Latency of a multiplication in units of that of a link of the chain `additions`.
double multiply_to(Chain additions, double overhead_ticks) {
  // A multiplication takes 3 or 4 cycles: chains of about the same time see the same clock.
  constexpr int kAddTurns = 3 * kTurns;
  return 3.0 * midmean_of_repeats([&] {
           const double added = chain_ticks(additions, kAddTurns) - overhead_ticks;
           return (multiply_ticks(kTurns) - overhead_ticks) / added;
         });
}

/// One look at the latency of a multiplication, against the less disturbed kind of additions.
double multiply_to_add(double overhead_ticks) {
  return std::max(multiply_to(add_chain, overhead_ticks),
                  multiply_to(vector_add_chain, overhead_ticks));
}

/// The same from looks some ms apart, as many as it takes to see the additions undisturbed.
double settled_multiply_to_add(double overhead_ticks) {
  constexpr std::size_t kMostLooks = 150;
  constexpr double kSecondsBetween = 2e-3;
  std::vector<double> looks;
  while (looks.size() < kMostLooks && !is_settled(looks)) {
    spin(kSecondsBetween);
    looks.push_back(multiply_to_add(overhead_ticks));
  }
  return undisturbed_ratio(looks);
}

}  // namespace

double midmean(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto quarter = static_cast<std::ptrdiff_t>(values.size() / 4);
  const auto begin = values.begin() + quarter;
  const auto end = values.end() - quarter;
  return std::accumulate(begin, end, 0.0) / static_cast<double>(end - begin);
}

double mean_near_median(std::vector<double> values, double reach) {
  std::sort(values.begin(), values.end());
  const double middle = values[values.size() / 2];
  const auto begin = std::lower_bound(values.begin(), values.end(), middle - reach);
  const auto end = std::upper_bound(values.begin(), values.end(), middle + reach);
  return std::accumulate(begin, end, 0.0) / static_cast<double>(end - begin);
}

double probe_uncertainty(const std::vector<ProbeTry>& tries) {
  std::vector<double> fixed;
  std::vector<double> scatters;
  std::vector<double> lengths;
  for (const ProbeTry& next : tries) {
    fixed.push_back(next.fixed_ticks);
    scatters.push_back(scatter_of(next.probes));
    lengths.push_back(midmean(next.probes));
  }
  const double spread = sorted_quantile(fixed, 0.75) - sorted_quantile(fixed, 0.25);
  return spread / 2.0 / sorted_quantile(lengths, 0.5) + sorted_quantile(scatters, 0.5);
}

double undisturbed_ratio(std::vector<double> looks) {
  constexpr std::size_t kRank = 2;
  std::sort(looks.begin(), looks.end(), std::greater<>());
  return looks[std::min(kRank, looks.size() - 1)];
}

bool is_settled(const std::vector<double>& looks) {
  constexpr std::size_t kFewestLooks = 9;
  if (looks.size() < kFewestLooks) return false;
  const double ratio = undisturbed_ratio(looks);
  return std::abs(ratio / std::max(1.0, std::round(ratio)) - 1.0) < 0.02;
}

double calibrate_tsc() {
  constexpr double kSeconds = 0.02;
  const Instant start = read_both_clocks();
  spin(kSeconds);
  const Instant end = read_both_clocks();
  return (end.ticks - start.ticks) / (end.seconds - start.seconds);
}

ClockProbe::ClockProbe(double tsc_hertz) : tsc_hertz_(tsc_hertz) {
  const std::vector<ProbeTry> tries = tries_of_probes();
  overhead_ticks_ = middle_fixed_ticks(tries);
  cycles_per_multiply_ = std::max(1.0, std::round(settled_multiply_to_add(overhead_ticks_)));
  uncertainty_ = probe_uncertainty(tries);
}

Hertz ClockProbe::measure() const {
  multiply_ticks(1);  // the code comes in: what ran before may have driven it out of the caches
  const double cycles = kLinksPerTurn * kProbeTurns * cycles_per_multiply_;
  return Hertz{cycles * tsc_hertz_ / (multiply_ticks(kProbeTurns) - overhead_ticks_)};
}

ClockProbe::Check ClockProbe::check() const {
  const double length_ratio = midmean_of_repeats([&] {
    const double once = multiply_ticks(kTurns) - overhead_ticks_;
    return (multiply_ticks(2 * kTurns) - overhead_ticks_) / once;
  });
  return {length_ratio, settled_multiply_to_add(overhead_ticks_), cycles_per_multiply_};
}

bool ClockProbe::Check::holds() const {
  const double whole = std::round(multiply_ratio);
  const double deviation = multiply_ratio / std::max(whole, 1.0) - 1.0;
  return std::abs(length_ratio / 2.0 - 1.0) < 0.03 && whole >= 2.0 && whole <= 5.0 &&
         whole == cycles_per_multiply && deviation > -0.12 && deviation < 0.03;
}

}  // namespace ridge::platform
