#include "predict/projection/published_ceilings.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/value/profile.hpp"
#include "predict/roof/ceilings.hpp"
#include "predict/roof/figure_choice.hpp"
#include "predict/roof/saturation.hpp"

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

  void bandwidth(Level level, Pattern pattern, std::optional<Isa> isa, std::optional<double> rate,
                 Origin origin) {
    if (!rate || *rate <= 0.0) {
      return;
    }
    Ceiling ceiling = ceiling_of({BandwidthKey{level, pattern, isa, threads_}});
    ceiling.value = exactly<BytesPerSecond>(*rate, origin);
    machine_.ceilings.push_back(std::move(ceiling));
  }

  [[nodiscard]] bool has(Level level) const {
    return std::any_of(machine_.ceilings.begin(), machine_.ceilings.end(),
                       [&](const Ceiling& ceiling) { return ceiling.level == level; });
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
double factor_of(const TargetMachine& target, std::string_view key) {
  const auto found = target.factors.find(std::string(key));
  return found == target.factors.end() ? 1.0 : found->second;
}

/// `cycles`: clock x cores.
void add_isa(Builder& builder, const TargetMachine& target, const Microarchitecture::IsaLimits& isa,
             double cycles) {
  for (const Precision precision : {Precision::fp64, Precision::fp32}) {
    const double lanes = lanes_of(isa, element_bits(precision)).value_or(0);
    const bool fp64 = precision == Precision::fp64;
    const double rate =
        cycles * factor_of(target, "compute") * factor_of(target, to_string(precision));
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
    builder.bandwidth(Level::L1, pattern, isa.isa,
                      times(bytes_per_cycle, cycles * factor_of(target, to_string(Level::L1))),
                      Origin::modelled);
  };
  l1(Pattern::load, isa.load_bytes_per_cycle);
  l1(Pattern::store, isa.store_bytes_per_cycle);
  l1(Pattern::copy, isa.copy_bytes_per_cycle);
}

/// The part of an all-core rate that so many cores have, at their clock.
double share_of_peak(const Specification& figures, const PublishedUse& use) {
  if (figures.kind != MachineKind::cpu) {
    return 1.0;
  }
  const double share = static_cast<double>(use.cores) / cores_of(figures);
  const auto own = published_clock(figures, use.cores, use.clock);
  const auto all = published_clock(figures, use.cores, ClockGuess::base);
  return share * (own && all ? *own / *all : 1.0);
}

/// What busy neighbours leave of a level that all cores draw from, each of them the same.
double share_of_shared(const PublishedUse& use) {
  return use.cores / (static_cast<double>(use.cores) + use.busy_neighbours);
}

void add_peaks(Builder& builder, const TargetMachine& target, const PublishedUse& use) {
  for (const char* precision : {"fp64", "fp32", "fp16", "bf16"}) {
    const PublishedPeak* peak = choose_peak(target, precision, Pipes::vector, use.basis);
    if (peak != nullptr) {
      builder.compute(precision, std::nullopt, Operation::fma,
                      peak->figure.value * share_of_peak(target.figures, use), peak->figure.origin);
    }
  }
}

void add_memory(Builder& builder, const TargetMachine& target, const PublishedUse& use,
                Level memory) {
  const PublishedBandwidth* bandwidth = choose_bandwidth(target, memory, use.basis, 0.0);
  if (bandwidth == nullptr) {
    return;
  }
  const bool cpu = target.figures.kind == MachineKind::cpu;
  const double full = bandwidth->figure.value * (cpu ? share_of_shared(use) : 1.0);
  const auto known = drawn_by_one_core(target.figures, memory);
  const auto one = known ? known : times(use.memory_per_core, factor_of(target, to_string(memory)));
  const double drawn = cpu && one ? saturated_bandwidth(*one, full, use.cores) : full;
  builder.bandwidth(memory, Pattern::load, std::nullopt, drawn,
                    drawn < full && !known ? Origin::assumed : bandwidth->figure.origin);
}

bool is_of_one_core(const Specification& figures, Level level) {
  return level == Level::L1 ||
         std::any_of(
             figures.caches.begin(), figures.caches.end(), [&](const PublishedCache& cache) {
               return cache.level == level && (cache.per_core || cache.shared_by_cores == 1U);
             });
}

/// Of a cache from which all cores together draw `full`, byte/s.
double drawn_from_cache(const Specification& figures, Level level, double full,
                        const PublishedUse& use) {
  if (figures.kind != MachineKind::cpu) {
    return full;
  }
  if (is_of_one_core(figures, level)) {
    return full * share_of_peak(figures, use);
  }
  const auto one = drawn_by_one_core(figures, level);
  const double left = full * share_of_shared(use);
  return one ? saturated_bandwidth(*one, left, use.cores) : left;
}

/// Caches by their published bandwidths, where the core does not say: a core's own by the share of
/// the cores, a shared one as memory.
void add_caches(Builder& builder, const TargetMachine& target, const PublishedUse& use) {
  for (const Level level : {Level::L1, Level::L2, Level::L3}) {
    const PublishedBandwidth* bandwidth = choose_bandwidth(target, level, use.basis, 0.0);
    if (builder.has(level)) {
      continue;
    }
    if (bandwidth == nullptr) {
      const auto assumed = use.unknown_levels_per_core.find(level);
      if (assumed != use.unknown_levels_per_core.end()) {
        builder.bandwidth(level, Pattern::load, std::nullopt, assumed->second * use.cores,
                          Origin::assumed);
      }
      continue;
    }
    builder.bandwidth(level, Pattern::load, std::nullopt,
                      drawn_from_cache(target.figures, level, bandwidth->figure.value, use),
                      bandwidth->figure.origin);
  }
}

/// Of a core whose widths say nothing of counted operations: the most that any of its instruction
/// sets moves.
void add_widest_l1(Builder& builder, const TargetMachine& target, const Microarchitecture& core,
                   double cycles) {
  const double rate = cycles * factor_of(target, to_string(Level::L1));
  const auto most = [&](std::optional<double> Microarchitecture::IsaLimits::* of) {
    std::optional<double> bytes;
    for (const auto& isa : core.isas) {
      bytes = std::max(bytes, isa.*of);  // an absent one is less than any
    }
    return times(bytes, rate);
  };
  using Limits = Microarchitecture::IsaLimits;
  const auto add = [&](Pattern pattern, std::optional<double> Limits::* of) {
    builder.bandwidth(Level::L1, pattern, std::nullopt, most(of), Origin::modelled);
  };
  add(Pattern::load, &Limits::load_bytes_per_cycle);
  add(Pattern::store, &Limits::store_bytes_per_cycle);
  add(Pattern::copy, &Limits::copy_bytes_per_cycle);
}

/// What follows from the core of a CPU: arithmetic, and the caches of its own.
void add_core(Builder& builder, const TargetMachine& target, const Microarchitecture& core,
              double cycles) {
  if (&core == core_of_counted_family(target)) {
    for (const auto& isa : core.isas) {
      add_isa(builder, target, isa, cycles);
    }
  } else {
    add_widest_l1(builder, target, core, cycles);
  }
  for (const auto& level : core.levels) {
    builder.bandwidth(
        level.level, Pattern::load, std::nullopt,
        times(level.read_bytes_per_cycle, cycles * factor_of(target, to_string(level.level))),
        Origin::modelled);
  }
}

}  // namespace

const Microarchitecture* core_of_counted_family(const TargetMachine& target) {
  if (!target.microarchitecture) {
    return nullptr;
  }
  const auto& isas = target.microarchitecture->isas;
  const bool is_another = std::any_of(isas.begin(), isas.end(), [](const auto& limits) {
    const IsaFamily family = properties_of(limits.isa).family;
    return family != kCountedFamily && family != IsaFamily::generic;
  });
  return is_another ? nullptr : &*target.microarchitecture;
}

unsigned cores_of(const Specification& machine) {
  constexpr double kMost = 1e9;  // fits, and more than anything has
  return machine.cores ? static_cast<unsigned>(std::clamp(machine.cores->value, 1.0, kMost)) : 1U;
}

std::optional<double> published_clock(const Specification& machine, unsigned cores,
                                      ClockGuess guess) {
  if (!machine.clock || !machine.cores) {
    return std::nullopt;
  }
  const double base = machine.clock->value;
  const double boost = machine.boost_clock ? std::max(base, machine.boost_clock->value) : base;
  if (guess != ClockGuess::falls_evenly) {
    return guess == ClockGuess::base ? base : boost;
  }
  const unsigned all = cores_of(machine);
  if (all == 1 || cores >= all) {
    return all == 1 ? boost : base;
  }
  const double busy = static_cast<double>(std::max(1U, cores) - 1) / (all - 1);
  return boost - (boost - base) * busy;
}

std::optional<double> drawn_by_one_core(const Specification& machine, Level level) {
  std::optional<double> most;
  for (const PublishedBandwidth& bandwidth : machine.bandwidths) {
    if (bandwidth.level == level && bandwidth.cores == 1U && bandwidth.basis != Basis::achieved) {
      most = std::max(most.value_or(0.0), bandwidth.figure.value);
    }
  }
  return most;
}

Machine published_machine(const TargetMachine& target, const std::optional<CachesElsewhere>& caches,
                          const PublishedUse& use) {
  const Specification& figures = target.figures;
  const bool cpu = figures.kind == MachineKind::cpu;
  const unsigned threads = cpu ? use.cores : 1U;
  Machine machine;
  machine.name = figures.name;
  machine.topology = Topology{1, 1, cores_of(figures), cores_of(figures)};
  machine.memories = {{main_memory(figures).value_or(Level::DRAM), std::nullopt}};
  if (caches) {
    machine.caches = caches->caches;
  }
  Builder builder(machine, threads);
  const auto clock = published_clock(figures, use.cores, use.clock);
  if (target.microarchitecture && clock && cpu) {
    add_core(builder, target, *target.microarchitecture, *clock * threads);
  }
  if (!cpu || !clock || core_of_counted_family(target) == nullptr) {
    add_peaks(builder, target, use);
  }
  add_caches(builder, target, use);
  add_memory(builder, target, use, machine.memories.front().level);
  return machine;
}

}  // namespace ridge::predict
