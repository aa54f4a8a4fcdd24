#include "predict/findings/gain.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include "predict/roof/ceilings.hpp"
#include "predict/roof/judged_time.hpp"
#include "predict/roof/memory.hpp"

namespace ridge::predict {
namespace {

constexpr std::uint64_t kEnoughSamples = 20;
/// Below this share of the time the needs explain nothing (decision 0043).
constexpr double kExplains = 0.3;

double as_double(std::uint64_t count) {
  return static_cast<double>(count);
}

std::optional<double> clock_of(const Machine& machine) {
  const auto& clock = machine.clock.core;
  return clock && clock->p90 > Hertz(0.0) ? std::optional(clock->p90.value()) : std::nullopt;
}

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

double threads_of(const Region& region) {
  return std::max(1.0, static_cast<double>(region.threads));
}

double chain_seconds(const Subject& subject, const Region& region) {
  const auto clock = clock_of(subject.machine);
  if (subject.microarchitecture == nullptr || !clock) {
    return 0.0;
  }
  const auto chain = arithmetic_chain(region, *subject.microarchitecture);
  return chain ? chain->cycles / *clock / threads_of(region) : 0.0;
}

/// Of divisions and square roots without a measured ceiling: as long as the divider is busy.
double divider_seconds(const Subject& subject, const Region& region) {
  const auto clock = clock_of(subject.machine);
  if (subject.microarchitecture == nullptr || !clock) {
    return 0.0;
  }
  double cycles = 0.0;
  for (const WorkTerm& term : known_work(region).terms) {
    const bool square_root = term.kind == OperationKind::sqrt;
    if (!square_root && term.kind != OperationKind::div) {
      continue;
    }
    const auto isa = isa_of_width(term.precision, term.width_bits);
    const auto& known = subject.microarchitecture->isas;
    const auto limits = std::find_if(known.begin(), known.end(),
                                     [&](const auto& candidate) { return candidate.isa == isa; });
    if (limits == known.end() ||
        find_compute(subject.ceilings,
                     compute_key(term.precision, isa, operation_of(term.kind), region.threads))
                .ceiling != nullptr) {
      continue;
    }
    const auto each =
        by_precision(square_root ? limits->sqrt_cycles : limits->div_cycles, term.precision);
    const double lanes = std::max(1U, term.width_bits / element_bits(term.precision));
    cycles += each.value_or(0.0) * as_double(term.flops) / lanes;
  }
  return cycles / *clock / threads_of(region);
}

/// Lanes that a mask leaves out take part in the time: at most all arithmetic stands under one.
double idle_factor(const Region& region) {
  if (!region.masked || region.masked->active_lanes == 0) {
    return 1.0;
  }
  return std::max(1.0, as_double(region.masked->lanes) / as_double(region.masked->active_lanes));
}

/// What gathers need in L1 instead of ordinary accesses of the same bytes; 0 when not measured.
double gather_seconds(const Subject& subject, const Region& region) {
  if (!region.gathered) {
    return 0.0;
  }
  const auto match = find_bandwidth(
      subject.ceilings,
      {Level::L1, Pattern::gather, dominating_isa(known_work(region)), region.threads});
  return match.ceiling == nullptr
             ? 0.0
             : as_double(region.gathered->total()) / p90_of(match.ceiling->value);
}

/// A line that another core wrote comes at least as slowly as one from the last cache.
double transfer_seconds(const Subject& subject, const Region& region) {
  if (!region.sharing || subject.machine.caches.empty()) {
    return 0.0;
  }
  const auto latency = latency_of_level(subject.machine, subject.machine.caches.back().level);
  return latency ? as_double(region.sharing->invalidations) * *latency / threads_of(region) : 0.0;
}

/// Proportional to the arithmetic instructions.
double instructions(const Work& work) {
  double sum = 0.0;
  for (const WorkTerm& term : work.terms) {
    const double lanes = std::max(1U, term.width_bits / element_bits(term.precision));
    sum += as_double(term.flops) / lanes;
  }
  return sum;
}

double longest(const std::vector<Limit>& limits) {
  double seconds = 0.0;
  for (const Limit& limit : limits) {
    seconds = std::max(seconds, limit.seconds);
  }
  return seconds;
}

}  // namespace

double Needs::overlapped() const {
  return std::max(in_core, longest(data));
}

double Needs::added() const {
  double sum = in_core;
  for (const Limit& limit : data) {
    sum += limit.seconds;
  }
  return sum;
}

double Needs::floor() const {
  return std::max(code_roof, machine_roof);
}

Needs needs_of(const Subject& subject, const Region& region) {
  Needs needs;
  const auto choice = choose_threads(subject.ceilings, region.threads);
  if (!choice) {
    return needs;
  }
  std::vector<Note> unused;  // the prediction has said what is missing
  const auto limits =
      code_limits(region, subject.ceilings, subject.microarchitecture, choice->used, unused);
  needs.code_roof = longest(limits);
  needs.machine_roof = longest(machine_limits(region, subject.ceilings, limits));
  for (const Limit& limit : limits) {
    if (!limit.level) {
      needs.in_core = limit.seconds * idle_factor(region);
    } else {
      needs.data.push_back(limit);
    }
  }
  needs.in_core =
      std::max({needs.in_core, chain_seconds(subject, region), divider_seconds(subject, region)});
  const auto l1 = std::find_if(needs.data.begin(), needs.data.end(),
                               [](const Limit& limit) { return limit.level == Level::L1; });
  if (l1 != needs.data.end()) {
    l1->seconds = std::max(l1->seconds, gather_seconds(subject, region));
  }
  if (const double seconds = transfer_seconds(subject, region); seconds > 0.0) {
    needs.data.push_back({{}, {}, seconds});
  }
  return needs;
}

const Needs& own_needs(const Subject& subject) {
  if (!subject.needs) {
    subject.needs = std::make_shared<const Needs>(needs_of(subject, subject.region));
  }
  return *subject.needs;
}

std::optional<double> measured_seconds(const Region& region) {
  const auto judged = judged_time(region);
  if (!judged || !is_well_known(judged->time, kEnoughSamples) ||
      judged->time.value <= Seconds(0.0)) {
    return std::nullopt;
  }
  return judged->time.value.value();
}

std::optional<Gain> gain_between(const Subject& subject, const Needs& now, const Needs& then) {
  const auto seconds = measured_seconds(subject.region);
  const double floor = then.floor();
  if (!seconds || floor <= 0.0 || now.overlapped() < kExplains * *seconds) {
    return std::nullopt;
  }
  const auto after = [&](double before_need, double after_need) {
    return std::clamp(*seconds * after_need / before_need, std::min(floor, *seconds), *seconds);
  };
  const double overlapped = after(now.overlapped(), then.overlapped());
  const double added = after(now.added(), then.added());
  return Gain{*seconds / std::max(overlapped, added), *seconds / std::min(overlapped, added)};
}

std::optional<Gain> gain_with(const Subject& subject, const Region& changed) {
  return gain_between(subject, own_needs(subject), needs_of(subject, changed));
}

std::optional<Gain> gain_up_to_roof(const Subject& subject, const Region& changed,
                                    std::optional<double> limit) {
  const auto seconds = measured_seconds(subject.region);
  const double floor = needs_of(subject, changed).floor();
  if (!seconds || floor <= 0.0) {
    return std::nullopt;
  }
  const double most = std::max(1.0, *seconds / floor);
  if (limit) {
    return Gain{1.0, std::min(most, std::max(1.0, *limit))};
  }
  // A roof far away is no forecast.
  constexpr double kTells = 10.0;
  return most <= kTells ? std::optional(Gain{1.0, most}) : std::nullopt;
}

double share_of_time(const Subject& subject, double seconds) {
  const auto measured = measured_seconds(subject.region);
  return measured ? seconds / *measured : 1.0;
}

std::optional<Gain> both(const std::optional<Gain>& a, const std::optional<Gain>& b) {
  if (!a || !b) {
    return a ? a : b;
  }
  return Gain{std::min(a->least, b->least), std::max(a->most, b->most)};
}

std::optional<ChainCycles> arithmetic_chain(const Region& region, const Microarchitecture& cpu) {
  ChainCycles facts;
  for (const ChainTerm& term : region.chain) {
    const auto latency = latency_of(term, cpu);
    if (!latency) {
      return std::nullopt;
    }
    if (term.operation == ChainOperation::load) {
      continue;
    }
    const double operations = as_double(term.operations);
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

Region widened(Region region, unsigned bits) {
  const double before = instructions(known_work(region));
  Work wide;
  wide.other = known_work(region).other;
  for (const WorkTerm& term : known_work(region).terms) {
    wide.add(term.precision, term.kind, std::max(term.width_bits, bits), term.flops);
  }
  region.flops = std::move(wide);
  const double fewer = before > 0.0 ? instructions(known_work(region)) / before : 1.0;
  for (ChainTerm& term : region.chain) {
    const double operations = as_double(term.operations);
    term.operations = term.reduction ? static_cast<std::uint64_t>(std::ceil(operations * fewer))
                                     : term.operations;
  }
  return region;
}

Region with_traffic(const Subject& subject, Level first, double factor) {
  Region region = subject.region;
  bool beyond = false;
  for (const Level level : levels_of(subject.machine)) {
    beyond = beyond || level == first;
    const auto found = region.traffic.find(level);
    if (!beyond || found == region.traffic.end()) {
      continue;
    }
    const auto scaled = [&](std::uint64_t bytes) {
      return static_cast<std::uint64_t>(std::ceil(as_double(bytes) * factor));
    };
    found->second = {scaled(found->second.read), scaled(found->second.written)};
  }
  return region;
}

std::optional<unsigned> fastest_width(const CeilingIndex& ceilings, Precision precision,
                                      unsigned threads) {
  std::optional<unsigned> width;
  double rate = 0.0;
  for (const IsaProperties& vectors : kIsaTable) {
    if (!vectors.rank || !vectors.vector_bits) {
      continue;
    }
    for (const Operation mix : kMixes) {
      const Match match = find_compute(ceilings, compute_key(precision, vectors.isa, mix, threads));
      // A wider one has to be clearly faster: lanes that share an execution unit gain nothing.
      constexpr double kClearly = 1.1;
      if (match.ceiling != nullptr && match.same_isa && match.ceiling->isa &&
          p90_of(match.ceiling->value) > kClearly * rate) {
        rate = p90_of(match.ceiling->value);
        width = vectors.vector_bits;
      }
    }
  }
  return width;
}

}  // namespace ridge::predict
