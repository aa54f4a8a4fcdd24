#include "bench/limits.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace ridge::bench {
namespace {

const Microarchitecture::IsaLimits* isa_limits(const Microarchitecture& theory, Isa isa) {
  const auto found = std::find_if(theory.isas.begin(), theory.isas.end(),
                                  [&](const auto& limits) { return limits.isa == to_string(isa); });
  return found == theory.isas.end() ? nullptr : &*found;
}

bool share_pipes(const Microarchitecture& theory, std::string_view a, std::string_view b) {
  return std::any_of(theory.pipe_groups.begin(), theory.pipe_groups.end(), [&](const auto& group) {
    const auto has = [&](std::string_view operation) {
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
  if (!limits.fma_units || !limits.add_units || !share_pipes(theory, "fma", "add")) {
    return std::nullopt;
  }
  return 1.0 / (1.0 / *limits.fma_units + 1.0 / *limits.add_units);
}

std::optional<double> compute_limit(const Microarchitecture& theory,
                                    const Microarchitecture::IsaLimits& limits,
                                    const PlannedKernel& planned) {
  const unsigned element_bytes = element_bits(planned.precision) / 8;
  const double lanes = vector_bytes(planned.isa, element_bytes) / element_bytes;
  const bool fma = planned.kernel->has(StepKind::fma);
  const bool add = planned.kernel->has(StepKind::add);
  if (fma && add) {
    return times(3.0 * lanes, pairs_per_cycle(theory, limits));
  }
  if (fma) {
    return times(2.0 * lanes, limits.fma_units);
  }
  return times(lanes, add ? limits.add_units : limits.mul_units);
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

}  // namespace

BoundaryModel boundary_bytes(const Machine& machine, std::string_view level, unsigned threads,
                             double loaded, double stored) {
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

std::optional<double> limit_per_cycle(const Microarchitecture& theory, const PlannedKernel& planned,
                                      const BoundaryBytes& bytes) {
  const auto* limits = isa_limits(theory, planned.isa);
  if (planned.is_compute()) {
    return limits == nullptr ? std::nullopt : compute_limit(theory, *limits, planned);
  }
  if (planned.level == "L1") {
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
