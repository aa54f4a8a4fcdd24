// Findings from operations and loads that wait for each other.
#include <algorithm>
#include <string>
#include <utility>

#include <fmt/core.h>

#include "predict/findings/finding_rules.hpp"
#include "predict/roof/memory.hpp"

namespace ridge::predict {
namespace {

/// Chains of loops that are entered anew and again overlap with each other: only long ones bind.
constexpr double kLongLoop = 64.0;
constexpr double kChainBinds = 0.5;  // of the CPU time
constexpr double kLoadsPerIteration = 0.5;
constexpr double kUnforeseen = 0.25;   // of the bytes in loops
constexpr double kLatencyShows = 0.5;  // of the CPU time, each line waited for alone

/// Of the arithmetic chain, over the CPU time; nullopt when it is not known.
struct ChainShare {
  ChainCycles chain;
  double clock = 0.0;
  double seconds = 0.0;
  double share = 0.0;
};

std::optional<ChainShare> chain_share(const Subject& subject) {
  const Region& region = subject.region;
  const auto& clock = subject.machine.clock.core;
  if (subject.microarchitecture == nullptr || !clock || clock->p90 <= Hertz(0.0)) {
    return std::nullopt;
  }
  const auto chain = arithmetic_chain(region, *subject.microarchitecture);
  const auto measured = cpu_seconds(region);
  const auto iterations = static_cast<double>(region.iterations.value_or(0));
  const auto entries = std::max(1.0, static_cast<double>(region.entries.value_or(1)));
  if (!chain || !measured || iterations < kLongLoop * entries) {
    return std::nullopt;
  }
  const double hertz = clock->p90.value();
  return ChainShare{*chain, hertz, *measured, chain->cycles / hertz / *measured};
}

bool far_below_roof(const Subject& subject) {
  return roof_fraction(subject).value_or(0.0) < kFarBelowRoof;
}

/// What the region waits for if it waits for each line that it loads from beyond L1 alone.
struct Waiting {
  Level level = Level::L1;  ///< where most of the time goes
  double latency = 0.0;     ///< of that level, s
  double lines = 0.0;       ///< from all levels
  double seconds = 0.0;     ///< of all lines, one after the other
  double in_flight = 0.0;   ///< mean lines on their way: seconds over the CPU time
  double possible = 0.0;    ///< that one core of this machine keeps on their way
};

/// nullopt without traffic, time, or a latency of each level that lines come from.
std::optional<Waiting> waiting_of(const Subject& subject) {
  const Region& region = subject.region;
  const auto cpu = cpu_seconds(region);
  const double asked = asked_bytes(region);
  const auto levels = levels_of(subject.machine);
  if (!cpu || asked <= 0.0 || subject.machine.caches.empty()) {
    return std::nullopt;
  }
  // Stores do not wait for their lines.
  const double loads = static_cast<double>(region.bytes_loaded.value_or(0)) / asked;
  const double line = subject.machine.caches.front().line_bytes;
  Waiting waiting;
  double longest = 0.0;
  for (std::size_t i = 1; i < levels.size(); ++i) {
    const Traffic* here = find_level(region.traffic, levels[i]);
    const Traffic* below =
        i + 1 < levels.size() ? find_level(region.traffic, levels[i + 1]) : nullptr;
    if (here == nullptr || (below == nullptr && i + 1 < levels.size())) {
      return std::nullopt;
    }
    const double from_below = below == nullptr ? 0.0 : static_cast<double>(below->read);
    const double lines = loads * std::max(0.0, static_cast<double>(here->read) - from_below) / line;
    const auto latency = latency_of_level(subject.machine, levels[i]);
    if (!latency && lines > 0.0) {
      return std::nullopt;
    }
    const double seconds = lines * latency.value_or(0.0);
    waiting.lines += lines;
    waiting.seconds += seconds;
    if (seconds > longest) {
      longest = seconds;
      waiting.level = levels[i];
      waiting.latency = *latency;
    }
  }
  for (const Concurrency& known : concurrency_of(subject.machine)) {
    waiting.possible = known.level == waiting.level ? known.lines : waiting.possible;
  }
  waiting.in_flight = waiting.seconds / *cpu;
  return waiting.possible > 0.0 ? std::optional(waiting) : std::nullopt;
}

/// Share of the bytes in loops whose addresses follow no step; nullopt when the patterns are
/// unknown.
std::optional<double> unforeseen_share(const Region& region) {
  double unforeseen = 0.0;
  double all = 0.0;
  for (const AccessTerm& term : region.accesses) {
    const bool steps =
        term.pattern != AccessPattern::indirect && term.pattern != AccessPattern::unknown;
    all += static_cast<double>(term.bytes);
    unforeseen += steps ? 0.0 : static_cast<double>(term.bytes);
  }
  return all > 0.0 ? std::optional(unforeseen / all) : std::nullopt;
}

/// What the compiler would make of a sum over computed addresses are gathers, which gain nothing.
std::string_view reduction_advice(const Subject& subject) {
  return unforeseen_share(subject.region).value_or(0.0) >= kUnforeseen
             ? "sum in several parts (several accumulators)"
             : "sum in several parts (several accumulators, or -fassociative-math "
               "-fno-signed-zeros "
               "-fno-trapping-math)";
}

double dependent_loads(const Region& region) {
  double loads = 0.0;
  for (const ChainTerm& term : region.chain) {
    loads += term.operation == ChainOperation::load ? static_cast<double>(term.operations) : 0.0;
  }
  return loads;
}

}  // namespace

double seconds_of_waiting(const Subject& subject) {
  const auto waiting = waiting_of(subject);
  return waiting ? waiting->seconds / std::max(1U, subject.region.threads) : 0.0;
}

std::optional<Finding> pointer_chase(const Subject& subject) {
  const Region& region = subject.region;
  const double loads = dependent_loads(region);
  const auto iterations = static_cast<double>(region.iterations.value_or(0));
  const auto seconds = cpu_seconds(region);
  if (iterations <= 0.0 || loads < kLoadsPerIteration * iterations || !seconds ||
      !far_below_roof(subject)) {
    return std::nullopt;
  }
  return Finding{"pointer-chase",
                 fmt::format("each iteration waits for a load whose address the one before loaded, "
                             "{} per load: only one is on its way at a time; store what is "
                             "visited in order, or follow several chains at once",
                             amount_text(*seconds / loads, "s")),
                 {{"dependent_loads", loads},
                  {"loads_per_iteration", loads / iterations},
                  {"seconds_per_load", *seconds / loads}},
                 {},
                 subject.origins.time};
}

std::optional<Finding> waits_for_loads(const Subject& subject) {
  const auto share = chain_share(subject);
  const auto waiting = waiting_of(subject);
  // Where steps are equal, addresses are known ahead: lines are fetched before they are asked for.
  if (!waiting || unforeseen_share(subject.region).value_or(0.0) < kUnforeseen ||
      !roof_fraction(subject) || !far_below_roof(subject) || waiting->in_flight < kLatencyShows ||
      pointer_chase(subject) || (share && share->share >= kChainBinds)) {
    return std::nullopt;
  }
  return Finding{
      "latency-bound",
      fmt::format(
          "it waits for {}: {:.2g} lines are on their way at a time on average, each for {}, "
          "where a core of this machine keeps {:.2g} (Little's law); issue independent "
          "loads ahead (prefetch, unroll, several searches at once)",
          to_string(waiting->level), waiting->in_flight, amount_text(waiting->latency, "s"),
          waiting->possible),
      {{"lines_in_flight", waiting->in_flight},
       {"lines_possible", waiting->possible},
       {"latency_seconds", waiting->latency},
       {"lines", waiting->lines}},
      {},
      Origin::modelled};
}

std::optional<Gain> gain_of_lines_in_flight(const Subject& subject, const Finding& /*finding*/) {
  // Where a line takes longer than its latency, something else delays it: one is one.
  const auto waiting = waiting_of(subject);
  return waiting ? gain_up_to_roof(subject, subject.region,
                                   waiting->possible / std::max(1.0, waiting->in_flight))
                 : std::nullopt;
}

std::optional<Finding> dependency_chain(const Subject& subject) {
  const auto found = chain_share(subject);
  if (!found || found->share < kChainBinds) {
    return std::nullopt;
  }
  const auto iterations = static_cast<double>(subject.region.iterations.value_or(0));
  const ChainCycles& chain = found->chain;
  const std::string_view advice =
      chain.reduction ? reduction_advice(subject)
                      : "only another algorithm or independent work beside it helps";
  return Finding{"dependency-chain",
                 fmt::format("each iteration waits for the one before ({}): {:.2g} cycles at the "
                             "least, {} of the time; {}",
                             chain.kinds, chain.cycles / iterations,
                             percent_text(std::min(found->share, 1.0)), advice),
                 {{"operations_per_iteration", chain.operations / iterations},
                  {"cycles_per_iteration", chain.cycles / iterations},
                  {"measured_cycles_per_iteration", found->seconds * found->clock / iterations},
                  {"share", found->share}},
                 {},
                 Origin::modelled};
}

std::optional<Gain> gain_without_chain(const Subject& subject, const Finding& /*finding*/) {
  const auto found = chain_share(subject);
  if (!found || !found->chain.reduction) {
    return std::nullopt;
  }
  Region changed = subject.region;
  changed.chain.clear();
  return gain_with(subject, changed);
}

}  // namespace ridge::predict
