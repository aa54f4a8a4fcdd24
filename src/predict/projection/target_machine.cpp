#include "predict/projection/target_machine.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/core.h>

#include "predict/projection/cache_rates.hpp"
#include "predict/roof/cache_geometry.hpp"
#include "predict/roof/ceilings.hpp"

namespace ridge::predict {
namespace {

/// Rates of operations that wait for one another, of gathers and the like are no peaks.
constexpr std::array kPeakOperations{Operation::fma_add, Operation::fma,     Operation::add,
                                     Operation::mul,     Operation::mul_add, Operation::dot};
/// Patterns that stream whole lines.
constexpr std::array kStreams{Pattern::load,  Pattern::store,  Pattern::copy,
                              Pattern::triad, Pattern::update, Pattern::two_load_one_store};

template <class Identity, std::size_t N>
bool contains(const std::array<Identity, N>& known, std::optional<Identity> identity) {
  return identity && std::find(known.begin(), known.end(), *identity) != known.end();
}

Figure measured_figure(double value) {
  return {value, Origin::measured, std::nullopt, true};
}

Figure p90_figure(const CeilingEstimate& value) {
  const Origin origin = std::visit([](const auto& estimate) { return estimate.origin; }, value);
  return {p90_of(value), origin, std::nullopt, true};
}

/// Units and widths of a table times the probed clock.
Figure limit_figure(const Ceiling& ceiling) {
  return {*ceiling.limit, Origin::modelled, ceiling.source, true};
}

/// Peaks: the fastest instruction set for each precision, operation and kind of pipe.
void add_peaks(Specification& figures, const Machine& machine, unsigned threads) {
  std::map<std::tuple<std::string, Pipes, std::string>, const Ceiling*> best;
  for (const Ceiling& ceiling : machine.ceilings) {
    if (ceiling.kind != CeilingKind::compute || ceiling.device || ceiling.threads != threads ||
        !ceiling.precision || !contains(kPeakOperations, ceiling.operation)) {
      continue;
    }
    const bool matrix = ceiling.isa && properties_of(*ceiling.isa).matrix;
    const Pipes pipes = matrix ? Pipes::matrix : Pipes::vector;
    const Ceiling*& slot =
        best[{*ceiling.precision, pipes, std::string(to_string(*ceiling.operation))}];
    if (slot == nullptr || p90_of(slot->value) < p90_of(ceiling.value)) {
      slot = &ceiling;
    }
  }
  for (const auto& [key, ceiling] : best) {
    const auto& [precision, pipes, operation] = key;
    figures.peaks.push_back(
        {precision, pipes, Basis::sustained, operation, p90_figure(ceiling->value)});
    if (ceiling->limit) {
      figures.peaks.push_back(
          {precision, pipes, Basis::theoretical, operation, limit_figure(*ceiling)});
    }
  }
}

void add_bandwidths(Specification& figures, const Machine& machine, unsigned threads) {
  std::map<std::pair<Level, std::string>, const Ceiling*> best;
  for (const Ceiling& ceiling : machine.ceilings) {
    if (ceiling.kind != CeilingKind::bandwidth || ceiling.device || ceiling.threads != threads ||
        !ceiling.level || !contains(kStreams, ceiling.pattern)) {
      continue;
    }
    const Ceiling*& slot = best[{*ceiling.level, std::string(to_string(*ceiling.pattern))}];
    if (slot == nullptr || p90_of(slot->value) < p90_of(ceiling.value)) {
      slot = &ceiling;
    }
  }
  for (const auto& [key, ceiling] : best) {
    const auto& [level, pattern] = key;
    figures.bandwidths.push_back({level, Basis::sustained, pattern,
                                  p90_figure(ceiling->traffic_value.value_or(ceiling->value))});
    // The limit speaks for the bytes asked for: only loads ask for all that crosses.
    if (ceiling->limit && ceiling->pattern == Pattern::load) {
      figures.bandwidths.push_back({level, Basis::theoretical, pattern, limit_figure(*ceiling)});
    }
  }
}

void add_sizes(Specification& figures, const Machine& machine) {
  const Topology topology = machine.topology.value_or(Topology{});
  const unsigned threads_per_core =
      topology.cores > 0 ? std::max(1U, topology.threads / topology.cores) : 1U;
  for (const Cache& cache : machine.caches) {
    const unsigned sharers = std::max(1U, cache.shared_by_threads / threads_per_core);
    figures.caches.push_back({cache.level, cache.shared_by_threads <= threads_per_core,
                              measured_figure(static_cast<double>(cache.size_bytes)), sharers});
  }
  for (const MemoryNode& memory : machine.memories) {
    if (memory.size_bytes) {
      figures.memories.push_back(
          {memory.level, measured_figure(static_cast<double>(*memory.size_bytes))});
    }
  }
}

bool one_pipe(const Microarchitecture& microarchitecture) {
  const auto has = [](const Microarchitecture::PipeGroup& group, Operation operation) {
    return std::find(group.begin(), group.end(), operation) != group.end();
  };
  return std::any_of(microarchitecture.pipe_groups.begin(), microarchitecture.pipe_groups.end(),
                     [&](const auto& group) {
                       return has(group, Operation::add) && has(group, Operation::mul) &&
                              has(group, Operation::fma);
                     });
}

}  // namespace

TargetMachine target_from(Specification specification, const Microarchitecture* microarchitecture) {
  TargetMachine target;
  target.fma_shares_pipe = specification.fma_shares_pipe;
  if (microarchitecture != nullptr) {
    target.microarchitecture = *microarchitecture;
    // Pipes apart say no more than that: adds alone still do not reach the fma peak.
    if (!target.fma_shares_pipe && one_pipe(*microarchitecture)) {
      target.fma_shares_pipe = true;
    }
  }
  if (!target.fma_shares_pipe && specification.kind == MachineKind::gpu) {
    target.fma_shares_pipe = true;
  }
  if (specification.kind != MachineKind::cpu) {
    target.write_allocate = WriteAllocate::never;
  }
  target.figures = std::move(specification);
  add_cache_rates(target);
  return target;
}

TargetMachine target_from(Machine machine, const Microarchitecture* microarchitecture) {
  TargetMachine target;
  Specification& figures = target.figures;
  figures.key = "this";
  figures.name = machine.cpu && !machine.cpu->name.empty() ? machine.cpu->name : machine.name;
  if (machine.topology) {
    figures.cores = measured_figure(machine.topology->cores);
  }
  if (machine.clock.core) {
    figures.clock = measured_figure(machine.clock.core->p90.value());
  }
  if (const auto threads = measured_threads(machine); !threads.empty()) {
    take_ceilings(figures, machine, threads.back());
  }
  add_sizes(figures, machine);
  if (microarchitecture != nullptr) {
    target.microarchitecture = *microarchitecture;
    target.fma_shares_pipe = one_pipe(*microarchitecture);
  }
  if (!machine.caches.empty()) {
    target.write_allocate = machine.caches.back().write_allocate;
  }
  target.measured = std::move(machine);
  return target;
}

void take_ceilings(Specification& figures, const Machine& machine, unsigned threads) {
  figures.peaks.clear();
  figures.bandwidths.clear();
  add_peaks(figures, machine, threads);
  add_bandwidths(figures, machine, threads);
}

bool multiply_parts(TargetMachine& target, unsigned count) {
  if (target.measured) {
    return false;
  }
  Specification& figures = target.figures;
  const auto multiply = [count](Figure& figure) { figure.value *= count; };
  if (figures.cores) {
    multiply(*figures.cores);
  }
  for (PublishedPeak& peak : figures.peaks) {
    multiply(peak.figure);
  }
  for (PublishedBandwidth& bandwidth : figures.bandwidths) {
    if (!bandwidth.cores) {  // one core draws no more for the others
      multiply(bandwidth.figure);
    }
  }
  for (PublishedMemory& memory : figures.memories) {
    multiply(memory.size);
  }
  if (figures.thermal_design_power) {
    multiply(*figures.thermal_design_power);
  }
  for (PublishedLink& link : figures.links) {
    multiply(link.figure);
    for (auto* reached : {&link.pinned, &link.pageable}) {
      if (*reached) {
        multiply(**reached);
      }
    }
  }
  for (PublishedCache& cache : figures.caches) {
    if (!cache.shared_by_cores && !is_of_a_core(target, cache)) {
      multiply(cache.size);
    }
  }
  figures.key = fmt::format("{}x{}", count, figures.key);
  figures.name = fmt::format("{} x {}", count, figures.name);
  target.changes.push_back(
      fmt::format("{} parts share the work evenly and exchange nothing", count));
  return true;
}

}  // namespace ridge::predict
