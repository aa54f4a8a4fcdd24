#include "measure/run/traffic_plan.hpp"

#include <fmt/format.h>

#include "core/quantity/duration.hpp"

namespace ridge::measure {
namespace {

// Measured in CPU time (docs/decisions/0230): over the 48 programs of benchmarks/sampling and
// LULESH on a Zen 5 with the caches of a Zen 4 core, before traced code was compiled quickly, and
// over LULESH, HPCG, Quicksilver and examples/plasma on a Zen 4 since.
constexpr double kPerByte = 0.5e-9;     ///< [s/byte] the accesses themselves
constexpr double kPerCpuSecond = 12.5;  ///< what made the program wait makes the simulation wait
constexpr double kLeast = 0.4;
constexpr double kMost = 2.0;
/// Caches of another machine cost 1 to 4 times the simulation of this one's (docs/cli/run.txt).
constexpr double kElsewhereLeast = 1.0;
constexpr double kElsewhereMost = 4.0;
/// A sampled run over one of all lines, of the programs that `auto` sampled: 0.22 to 0.60 in nine
/// of ten.
constexpr double kSampledLeast = 0.2;
constexpr double kSampledMost = 0.6;
/// A run that takes so many budgets is ended: what was expected was wrong.
constexpr double kBudgetsMost = 2.0;

SecondsRange scaled(const SecondsRange& range, double least, double most) {
  return {least * range.least, most * range.most};
}

/// The kind of run that --budget leaves room for.
TrafficPlan within_budget(Seconds budget, const SecondsRange& exact, bool can_sample) {
  TrafficPlan plan;
  plan.most = kBudgetsMost * budget;
  const SecondsRange sampled = scaled(exact, kSampledLeast, kSampledMost);
  if (exact.most <= budget) {
    plan.mode = RIDGE_TRAFFIC_EXACT;
    plan.expected = exact;
  } else if (can_sample && sampled.most <= budget) {
    plan.mode = RIDGE_TRAFFIC_AUTO;
    plan.expected = sampled;
  } else {
    plan.expected = can_sample ? sampled : exact;
    plan.note = Note{"no-traffic",
                     fmt::format("no traffic below L1: its run is expected to take {}, more than "
                                 "the {} of --budget; a smaller input fits",
                                 duration_words(plan.expected.least, plan.expected.most),
                                 duration_words(budget))};
  }
  return plan;
}

}  // namespace

SecondsRange exact_time(const FirstRun& first, std::size_t elsewhere) {
  const Seconds about =
      Seconds(kPerByte * static_cast<double>(first.bytes)) + kPerCpuSecond * first.cpu_seconds;
  const auto others = static_cast<double>(elsewhere);
  return {kLeast * (1.0 + kElsewhereLeast * others) * about,
          kMost * (1.0 + kElsewhereMost * others) * about};
}

TrafficPlan plan_traffic(const Request& request, const FirstRun& first, bool can_sample) {
  const SecondsRange exact = exact_time(first, request.also.size());
  if (request.budget) {
    return within_budget(*request.budget, exact, can_sample);
  }
  TrafficPlan plan;
  plan.expected = exact;
  plan.mode = RIDGE_TRAFFIC_EXACT;
  const bool may_sample = request.traffic != TrafficRequest::exact;
  if (may_sample && !can_sample) {
    plan.note = Note{"traffic-exact",
                     "these caches have too few sets in common to sample lines: traffic is exact"};
  } else if (request.traffic == TrafficRequest::sampled) {
    plan.mode = RIDGE_TRAFFIC_SAMPLED;
    plan.expected = scaled(exact, kSampledLeast, kSampledMost);
  } else if (may_sample && exact.most > request.exact_below) {
    plan.mode = RIDGE_TRAFFIC_AUTO;
    plan.expected = scaled(exact, kSampledLeast, 1.0);
    plan.may_repeat = true;
  }
  return plan;
}

}  // namespace ridge::measure
