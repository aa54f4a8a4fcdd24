// Findings from chains of operations that wait for each other.
#include <algorithm>
#include <string>

#include <fmt/core.h>

#include "predict/finding_rules.hpp"

namespace ridge::predict {
namespace {

/// Chains of loops that are entered anew and again overlap with each other: only long ones bind.
constexpr double kLongLoop = 64.0;
constexpr double kChainBinds = 0.5;  // of the CPU time
constexpr double kLoadsPerIteration = 0.5;
constexpr double kFarBelowRoof = 0.3;
constexpr std::uint64_t kEnoughSamples = 20;
constexpr double kNano = 1e9;

/// The fewest cycles that any instruction set states.
template <class Get>
std::optional<double> fewest(const Microarchitecture& cpu, Get get) {
  std::optional<double> least;
  for (const auto& isa : cpu.isas) {
    const std::optional<double> cycles = get(isa);
    if (cycles && (!least || *cycles < *least)) {
      least = cycles;
    }
  }
  return least;
}

std::optional<double> by_precision(const Microarchitecture::CyclesByPrecision& cycles,
                                   Precision precision) {
  return precision == Precision::fp64 ? cycles.fp64 : cycles.fp32;
}

/// At least so many cycles pass from its input to its result; a division takes at least as long as
/// the divider is busy. 0 for what no table states: the bound stays one.
std::optional<double> latency_of(const ChainTerm& term, const Microarchitecture& cpu) {
  using Limits = Microarchitecture::IsaLimits;
  switch (term.operation) {
    case ChainOperation::add:
      return fewest(cpu, [](const Limits& isa) { return isa.latency_cycles.add; });
    case ChainOperation::mul:
      return fewest(cpu, [](const Limits& isa) { return isa.latency_cycles.mul; });
    case ChainOperation::fma:
      return fewest(cpu, [](const Limits& isa) { return isa.latency_cycles.fma; });
    case ChainOperation::div:
      return fewest(
          cpu, [&](const Limits& isa) { return by_precision(isa.div_cycles, term.precision); });
    case ChainOperation::sqrt:
      return fewest(
          cpu, [&](const Limits& isa) { return by_precision(isa.sqrt_cycles, term.precision); });
    case ChainOperation::other:
    case ChainOperation::call:
    case ChainOperation::load:
      break;
  }
  return 0.0;
}

struct ChainFacts {
  double operations = 0.0;
  double cycles = 0.0;
  bool reduction = true;
  std::string kinds;  ///< "add", "mul + add"
};

/// Of the arithmetic chain; nullopt without one, or when a latency is unknown.
std::optional<ChainFacts> arithmetic_chain(const Region& region, const Microarchitecture& cpu) {
  ChainFacts facts;
  for (const ChainTerm& term : region.chain) {
    const auto latency = latency_of(term, cpu);
    if (!latency) {
      return std::nullopt;
    }
    if (term.operation == ChainOperation::load) {
      continue;
    }
    const auto operations = static_cast<double>(term.operations);
    facts.operations += operations;
    facts.cycles += operations * *latency;
    facts.reduction = facts.reduction && term.reduction;
    const std::string kind(to_string(term.operation));
    if (facts.kinds.find(kind) == std::string::npos) {
      facts.kinds += (facts.kinds.empty() ? "" : " + ") + kind;
    }
  }
  return facts.cycles > 0.0 ? std::optional(facts) : std::nullopt;
}

/// CPU time of all threads; nullopt with too few samples to compare with.
std::optional<double> cpu_seconds(const Region& region) {
  const auto& time = region.cpu_seconds.self;
  if (!time || time->samples < kEnoughSamples || time->value <= Seconds(0.0)) {
    return std::nullopt;
  }
  return time->value.value();
}

std::optional<double> way_to_the_roof(const Subject& subject) {
  if (subject.prediction == nullptr || !subject.prediction->code ||
      !subject.prediction->code->fraction) {
    return std::nullopt;
  }
  const double fraction = *subject.prediction->code->fraction;
  return fraction > 0.0 && fraction < 1.0 ? std::optional(1.0 / fraction) : std::nullopt;
}

}  // namespace

std::optional<Finding> pointer_chase(const Subject& subject) {
  const Region& region = subject.region;
  double loads = 0.0;
  for (const ChainTerm& term : region.chain) {
    loads += term.operation == ChainOperation::load ? static_cast<double>(term.operations) : 0.0;
  }
  const auto iterations = static_cast<double>(region.iterations.value_or(0));
  const auto seconds = cpu_seconds(region);
  const auto further = way_to_the_roof(subject);
  if (iterations <= 0.0 || loads < kLoadsPerIteration * iterations || !seconds ||
      (further && *further < 1.0 / kFarBelowRoof)) {
    return std::nullopt;
  }
  return Finding{"pointer-chase",
                 fmt::format("each iteration waits for a load whose address the one before loaded, "
                             "{:.3g} ns per load: only one is on its way at a time; store what is "
                             "visited in order, or follow several chains at once",
                             kNano * *seconds / loads),
                 {{"dependent_loads", loads},
                  {"loads_per_iteration", loads / iterations},
                  {"seconds_per_load", *seconds / loads}},
                 {},
                 subject.origins.time};
}

std::optional<Finding> dependency_chain(const Subject& subject) {
  const Region& region = subject.region;
  const auto& clock = subject.machine.clock.core;
  if (subject.microarchitecture == nullptr || !clock || clock->p90 <= Hertz(0.0)) {
    return std::nullopt;
  }
  const auto chain = arithmetic_chain(region, *subject.microarchitecture);
  const auto measured = cpu_seconds(region);
  const auto iterations = static_cast<double>(region.iterations.value_or(0));
  const auto entries = std::max(1.0, static_cast<double>(region.entries));
  if (!chain || !measured || iterations < kLongLoop * entries) {
    return std::nullopt;
  }
  const double least = chain->cycles / clock->p90.value();
  const double share = least / *measured;
  if (share < kChainBinds) {
    return std::nullopt;
  }
  const std::string_view advice =
      chain->reduction ? "sum in several parts (-fassociative-math, or several accumulators)"
                       : "only another algorithm or independent work beside it helps";
  Finding finding{"dependency-chain",
                  fmt::format("each iteration waits for the one before ({}): {:.2g} cycles at the "
                              "least, {} of the time; {}",
                              chain->kinds, chain->cycles / iterations,
                              percent_text(std::min(share, 1.0)), advice),
                  {{"operations_per_iteration", chain->operations / iterations},
                   {"cycles_per_iteration", chain->cycles / iterations},
                   {"measured_cycles_per_iteration", *measured * clock->p90.value() / iterations},
                   {"share", share}},
                  {},
                  Origin::modelled};
  if (chain->reduction) {
    finding.gain = way_to_the_roof(subject);
  }
  return finding;
}

}  // namespace ridge::predict
