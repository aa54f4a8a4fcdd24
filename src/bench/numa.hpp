// Load bandwidth and latency from the cores of each NUMA node to the memory of each.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/plan.hpp"
#include "core/result.hpp"
#include "core/value/machine.hpp"
#include "platform/clock.hpp"
#include "platform/topology.hpp"

namespace ridge::bench {

/// One pair of nodes.
struct NumaProbe {
  unsigned cpu_node = 0;
  unsigned memory_node = 0;
  Level memory = Level::DRAM;
  std::vector<unsigned> cpus;  ///< one per core of the first node

  [[nodiscard]] bool near() const { return cpu_node == memory_node; }
};

/// Each node with allowed CPUs by each node with memory, ascending. Of nodes with the same CPUs
/// (DRAM and HBM of one socket) the first stands for these CPUs. Pure.
[[nodiscard]] std::vector<NumaProbe> plan_numa(const std::vector<platform::NumaNode>& nodes);

/// The kernels of the ceilings that the matrix is made of, from any number of threads.
struct NumaKernels {
  PlannedKernel load;                    ///< from memory
  std::optional<PlannedKernel> latency;  ///< likewise
};
/// nullopt when the plan has no loads from memory.
[[nodiscard]] std::optional<NumaKernels> numa_kernels(const std::vector<PlannedKernel>& planned,
                                                      const Machine& machine, Isa widest);

/// Spends about `budget`. `bind`: place the memory on its node, which the system may forbid;
/// without it, it lies where it is touched first, near to the CPUs. Errors: `unavailable`: no
/// memory, no permission, threads that cannot be pinned.
[[nodiscard]] Result<NumaEntry> measure_numa(const NumaProbe& probe, const NumaKernels& kernels,
                                             bool bind, const platform::ClockProbe& clock,
                                             Seconds budget);

/// The one entry of a machine with one node, from its ceilings of memory: the fastest loads of one
/// thread per core (or of the most threads below that), and the latency on huge pages if there is
/// one. Empty without such a ceiling. Pure.
[[nodiscard]] std::vector<NumaEntry> only_node(const NumaProbe& probe, const Machine& machine);

}  // namespace ridge::bench
