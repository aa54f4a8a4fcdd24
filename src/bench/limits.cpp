#include "bench/limits.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace ridge::bench {
namespace {

const Microarchitecture::IsaLimits* isa_limits(const Microarchitecture& theory, Isa isa) {
  // The encoding changes how an instruction is read, not what it takes to carry it out.
  const Isa executed = isa == Isa::sse_legacy ? Isa::sse : isa;
  const auto found = std::find_if(theory.isas.begin(), theory.isas.end(),
                                  [&](const auto& limits) { return limits.isa == executed; });
  return found == theory.isas.end() ? nullptr : &*found;
}

bool share_pipes(const Microarchitecture& theory, Operation a, Operation b) {
  return std::any_of(theory.pipe_groups.begin(), theory.pipe_groups.end(), [&](const auto& group) {
    const auto has = [&](Operation operation) {
      return std::find(group.begin(), group.end(), operation) != group.end();
    };
    return has(a) && has(b);
  });
}

/// `factor` times a rate, where the rate is known.
std::optional<double> times(double factor, std::optional<double> rate) {
  return rate ? std::optional(factor * *rate) : std::nullopt;
}

/// Pairs of one fma and one add per cycle. On pipes of their own the two still share ports and
/// dispatch: without a source for the mix its rate is not known (on Zen 4 it even depends on the
/// order of the instructions).
std::optional<double> pairs_per_cycle(const Microarchitecture& theory,
                                      const Microarchitecture::IsaLimits& limits) {
  if (limits.fma_add_units) {
    return *limits.fma_add_units / 2.0;
  }
  if (!limits.fma_units || !limits.add_units ||
      !share_pipes(theory, Operation::fma, Operation::add)) {
    return std::nullopt;
  }
  return 1.0 / (1.0 / *limits.fma_units + 1.0 / *limits.add_units);
}

/// Instructions per cycle of a kernel with one kind of operation.
std::optional<double> single_rate(const Microarchitecture::IsaLimits& limits,
                                  const PlannedKernel& planned) {
  const auto inverse = [](std::optional<double> cycles) {
    return cycles ? std::optional(1.0 / *cycles) : std::nullopt;
  };
  const auto by_precision = [&](const Microarchitecture::CyclesByPrecision& cycles) {
    return inverse(planned.precision == Precision::fp64 ? cycles.fp64 : cycles.fp32);
  };
  const bool chain = planned.kernel->chains == 1;
  switch (planned.kernel->steps[0].kind) {
    case StepKind::fma:
      return chain ? inverse(limits.latency_cycles.fma) : limits.fma_units;
    case StepKind::add:
      return chain ? inverse(limits.latency_cycles.add) : limits.add_units;
    case StepKind::mul:
      return chain ? inverse(limits.latency_cycles.mul) : limits.mul_units;
    case StepKind::div:
      return by_precision(limits.div_cycles);
    case StepKind::sqrt:
      return by_precision(limits.sqrt_cycles);
    default:
      return std::nullopt;
  }
}

/// Pairs of one mul and one add per cycle.
std::optional<double> mul_add_pairs(const Microarchitecture& theory,
                                    const Microarchitecture::IsaLimits& limits) {
  if (!limits.mul_units || !limits.add_units ||
      !share_pipes(theory, Operation::mul, Operation::add)) {
    return std::nullopt;
  }
  return 1.0 / (1.0 / *limits.mul_units + 1.0 / *limits.add_units);
}

std::optional<double> compute_limit(const Microarchitecture& theory,
                                    const Microarchitecture::IsaLimits& limits,
                                    const PlannedKernel& planned) {
  if (planned.kernel->numbers != Numbers::floating ||
      (planned.precision != Precision::fp64 && planned.precision != Precision::fp32)) {
    return std::nullopt;  // the tables speak of these two
  }
  const unsigned element_bytes = element_bits(planned.precision) / 8;
  const double lanes = vector_bytes(planned.isa, element_bytes) / element_bytes;
  const bool fma = planned.kernel->has(StepKind::fma);
  if (planned.kernel->step_count() == 1) {
    return times((fma ? 2.0 : 1.0) * lanes, single_rate(limits, planned));
  }
  return fma ? times(3.0 * lanes, pairs_per_cycle(theory, limits))
             : times(2.0 * lanes, mul_add_pairs(theory, limits));
}

/// `asked` bytes in the longer of the times for reading and for writing.
std::optional<double> slower_direction(double asked, double read, std::optional<double> read_rate,
                                       double written, std::optional<double> write_rate) {
  if ((read > 0.0 && !read_rate) || (written > 0.0 && !write_rate)) {
    return std::nullopt;
  }
  const double read_cycles = read > 0.0 ? read / *read_rate : 0.0;
  const double write_cycles = written > 0.0 ? written / *write_rate : 0.0;
  return asked / std::max(read_cycles, write_cycles);
}

std::optional<double> l1_limit(const Microarchitecture::IsaLimits& limits,
                               const BoundaryBytes& bytes) {
  auto limit = slower_direction(bytes.asked(), bytes.loaded, limits.load_bytes_per_cycle,
                                bytes.stored, limits.store_bytes_per_cycle);
  const bool copy = bytes.loaded > 0.0 && bytes.loaded == bytes.stored;
  if (limit && copy && limits.copy_bytes_per_cycle) {
    limit = std::min(*limit, *limits.copy_bytes_per_cycle);
  }
  return limit;
}

bool loads_what_it_stores(const Kernel& kernel) {
  const auto touches = [&](unsigned array, bool store) {
    return std::any_of(kernel.steps.begin(), kernel.steps.end(), [&](Step step) {
      const bool is_store = step.kind == StepKind::store;
      return step.kind != StepKind::none && step.array == array && is_store == store;
    });
  };
  return touches(0, true) && touches(0, false);
}

/// A strided or gathered access asks for one double of a line.
constexpr double kPartBytes = 8.0;

/// Such accesses in a turn. A gathered double comes with an index of 4 bytes, from whole lines.
double part_lines(const Kernel& kernel, const LoopWork& loop) {
  constexpr double kIndexBytes = 4.0;
  const auto loaded = static_cast<double>(loop.loaded_bytes);
  return kernel.order == Order::gather ? loaded / (kPartBytes + kIndexBytes) : loaded / kPartBytes;
}

}  // namespace

BoundaryModel boundary_bytes(const Machine& machine, Level level, unsigned threads, double loaded,
                             double stored) {
  BoundaryModel model{{loaded, stored, 0.0}, true};
  const auto found = std::find_if(machine.caches.begin(), machine.caches.end(),
                                  [&](const Cache& cache) { return cache.level == level; });
  if (found == machine.caches.begin()) {
    return model;  // registers to L1 (or no cache at all): nothing is allocated
  }
  const WriteAllocate policy = std::prev(found)->write_allocate;
  model.bytes.allocated = policy == WriteAllocate::never ? 0.0 : stored;
  model.certain = policy != WriteAllocate::when_unsaturated || threads == 1 || stored == 0.0;
  return model;
}

BoundaryModel boundary_bytes(const Machine& machine, Level level, unsigned threads,
                             const Kernel& kernel, const LoopWork& loop) {
  const auto loaded = static_cast<double>(loop.loaded_bytes);
  BoundaryModel model =
      boundary_bytes(machine, level, threads, loaded, static_cast<double>(loop.stored_bytes));
  if (kernel.has(StepKind::nt_store) || loads_what_it_stores(kernel)) {
    model.bytes.allocated = 0.0;
    model.certain = true;
  }
  const bool innermost = !machine.caches.empty() && machine.caches.front().level == level;
  if (!innermost && kernel.order != Order::straight) {
    const double line = machine.caches.empty() ? 64.0 : machine.caches.front().line_bytes;
    model.bytes.rest = part_lines(kernel, loop) * (line - kPartBytes);
  }
  return model;
}

std::optional<double> limit_per_cycle(const Microarchitecture& theory, const PlannedKernel& planned,
                                      const BoundaryBytes& bytes) {
  const auto* limits = isa_limits(theory, planned.isa);
  if (planned.kernel->kind == CeilingKind::latency) {
    return std::nullopt;
  }
  if (planned.is_compute()) {
    return limits == nullptr ? std::nullopt : compute_limit(theory, *limits, planned);
  }
  if (planned.level == Level::L1) {
    if (planned.kernel->order == Order::gather) {
      return std::nullopt;  // what a gather takes of the load ports is no table's matter
    }
    return limits == nullptr ? std::nullopt : l1_limit(*limits, bytes);
  }
  const auto level =
      std::find_if(theory.levels.begin(), theory.levels.end(),
                   [&](const auto& candidate) { return candidate.level == planned.level; });
  if (level == theory.levels.end()) {
    return std::nullopt;
  }
  return slower_direction(bytes.asked(), bytes.read(), level->read_bytes_per_cycle, bytes.stored,
                          level->write_bytes_per_cycle);
}

std::string limit_source(const Microarchitecture& theory) {
  return fmt::format("machines/microarchitectures.json: {}", theory.name);
}

}  // namespace ridge::bench
