#include "predict/projection/published_ceilings.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/value/profile.hpp"
#include "predict/roof/figure_choice.hpp"

namespace ridge::predict {
namespace {

/// Without spread: nothing was sampled.
template <class Q>
Estimate<Q> exactly(double value, Origin origin) {
  return {Q(value), Q(value), Q(value), Q(value), 0, origin};
}

class Builder {
 public:
  Builder(Machine& machine, unsigned threads) : machine_(machine), threads_(threads) {}

  void compute(std::string_view precision, std::optional<Isa> isa, Operation operation,
               std::optional<double> rate, Origin origin) {
    if (!rate || *rate <= 0.0) {
      return;
    }
    Ceiling ceiling = ceiling_of({ComputeKey{std::string(precision), isa, operation, threads_}});
    ceiling.value = exactly<FlopsPerSecond>(*rate, origin);
    machine_.ceilings.push_back(std::move(ceiling));
  }

  void bandwidth(const std::string& level, Pattern pattern, std::optional<Isa> isa,
                 std::optional<double> rate, Origin origin) {
    if (!rate || *rate <= 0.0) {
      return;
    }
    Ceiling ceiling = ceiling_of({BandwidthKey{level, pattern, isa, threads_}});
    ceiling.value = exactly<BytesPerSecond>(*rate, origin);
    machine_.ceilings.push_back(std::move(ceiling));
  }

 private:
  Machine& machine_;
  unsigned threads_;
};

std::optional<double> times(std::optional<double> a, double b) {
  return a ? std::optional(*a * b) : std::nullopt;
}

/// lanes per cycle where one instruction starts every so many cycles.
std::optional<double> per_cycle(std::optional<double> cycles, double lanes) {
  return cycles && *cycles > 0.0 ? std::optional(lanes / *cycles) : std::nullopt;
}

/// What --what-if makes of a rate that follows from the microarchitecture.
double factor_of(const TargetMachine& target, const std::string& key) {
  const auto found = target.factors.find(key);
  return found == target.factors.end() ? 1.0 : found->second;
}

/// `cycles`: clock x cores.
void add_isa(Builder& builder, const TargetMachine& target, const Microarchitecture::IsaLimits& isa,
             double cycles) {
  for (const Precision precision : {Precision::fp64, Precision::fp32}) {
    const double lanes = lanes_of(isa.isa, element_bits(precision)).value_or(0);
    const bool fp64 = precision == Precision::fp64;
    const double rate = cycles * factor_of(target, "compute") *
                        factor_of(target, std::string(to_string(precision)));
    const auto add = [&](Operation operation, std::optional<double> flops_per_cycle) {
      builder.compute(to_string(precision), isa.isa, operation, times(flops_per_cycle, rate),
                      Origin::modelled);
    };
    add(Operation::fma, times(isa.fma_units, 2.0 * lanes));
    add(Operation::add, times(isa.add_units, lanes));
    add(Operation::mul, times(isa.mul_units, lanes));
    add(Operation::fma_add, times(isa.fma_add_units, 1.5 * lanes));
    add(Operation::div, per_cycle(fp64 ? isa.div_cycles.fp64 : isa.div_cycles.fp32, lanes));
    add(Operation::sqrt, per_cycle(fp64 ? isa.sqrt_cycles.fp64 : isa.sqrt_cycles.fp32, lanes));
  }
  const auto l1 = [&](Pattern pattern, std::optional<double> bytes_per_cycle) {
    builder.bandwidth("L1", pattern, isa.isa,
                      times(bytes_per_cycle, cycles * factor_of(target, "L1")), Origin::modelled);
  };
  l1(Pattern::load, isa.load_bytes_per_cycle);
  l1(Pattern::store, isa.store_bytes_per_cycle);
  l1(Pattern::copy, isa.copy_bytes_per_cycle);
}

unsigned cores_of(const Specification& figures) {
  return figures.cores ? std::max(1U, static_cast<unsigned>(figures.cores->value)) : 1U;
}

/// The part of an all-core peak that so many cores have, at their clock.
double share_of_peak(const Specification& figures, unsigned cores) {
  const double share = static_cast<double>(cores) / cores_of(figures);
  const auto own = published_clock(figures, cores);
  const auto all = published_clock(figures, cores_of(figures));
  return figures.kind != MachineKind::cpu ? 1.0 : share * (own && all ? *own / *all : 1.0);
}

void add_peaks(Builder& builder, const TargetMachine& target, const PublishedUse& use) {
  for (const char* precision : {"fp64", "fp32", "fp16", "bf16"}) {
    const PublishedPeak* peak = choose_peak(target, precision, Pipes::vector, use.basis);
    if (peak != nullptr) {
      builder.compute(precision, std::nullopt, Operation::fma,
                      peak->figure.value * share_of_peak(target.figures, use.cores),
                      peak->figure.origin);
    }
  }
}

void add_memory(Builder& builder, const TargetMachine& target, const PublishedUse& use,
                const std::string& memory) {
  const PublishedBandwidth* bandwidth = choose_bandwidth(target, memory, use.basis, 0.0);
  if (bandwidth == nullptr) {
    return;
  }
  const bool cpu = target.figures.kind == MachineKind::cpu;
  const double limit =
      cpu && use.memory_per_core ? *use.memory_per_core * use.cores : bandwidth->figure.value;
  builder.bandwidth(memory, Pattern::load, std::nullopt, std::min(bandwidth->figure.value, limit),
                    limit < bandwidth->figure.value ? Origin::assumed : bandwidth->figure.origin);
}

}  // namespace

std::optional<double> published_clock(const Specification& machine, unsigned cores) {
  if (!machine.clock || !machine.cores) {
    return std::nullopt;
  }
  const double base = machine.clock->value;
  const double boost = machine.boost_clock ? std::max(base, machine.boost_clock->value) : base;
  const unsigned all = cores_of(machine);
  if (all == 1 || cores >= all) {
    return all == 1 ? boost : base;
  }
  const double busy = static_cast<double>(std::max(1U, cores) - 1) / (all - 1);
  return boost - (boost - base) * busy;
}

Machine published_machine(const TargetMachine& target, const std::optional<CachesElsewhere>& caches,
                          const PublishedUse& use) {
  const Specification& figures = target.figures;
  const bool cpu = figures.kind == MachineKind::cpu;
  const unsigned threads = cpu ? use.cores : 1U;
  Machine machine;
  machine.name = figures.name;
  machine.topology = {1, 1, cores_of(figures), cores_of(figures)};
  const std::string memory = main_memory(figures);
  machine.memories = {{memory.empty() ? "DRAM" : memory, std::nullopt}};
  if (caches) {
    machine.caches = caches->caches;
  }
  Builder builder(machine, threads);
  const auto clock = published_clock(figures, use.cores);
  if (target.microarchitecture && clock && cpu) {
    const double cycles = *clock * threads;
    for (const auto& isa : target.microarchitecture->isas) {
      add_isa(builder, target, isa, cycles);
    }
    for (const auto& level : target.microarchitecture->levels) {
      builder.bandwidth(level.level, Pattern::load, std::nullopt,
                        times(level.read_bytes_per_cycle, cycles * factor_of(target, level.level)),
                        Origin::modelled);
    }
  } else {
    add_peaks(builder, target, use);
  }
  add_memory(builder, target, use, machine.memories.front().level);
  return machine;
}

}  // namespace ridge::predict
