#include "bench/numa.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "bench/runner.hpp"
#include "core/quantity/estimate.hpp"
#include "platform/memory_policy.hpp"

namespace ridge::bench {
namespace {

std::vector<platform::NumaNode> nodes_with_cpus(const std::vector<platform::NumaNode>& nodes) {
  std::vector<platform::NumaNode> chosen;
  for (const platform::NumaNode& node : nodes) {
    const bool known = std::any_of(chosen.begin(), chosen.end(),
                                   [&](const auto& other) { return other.cpus == node.cpus; });
    if (!node.cpus.empty() && !known) {
      chosen.push_back(node);
    }
  }
  return chosen;
}

/// `kernel` on so many threads, with the same memory in all.
PlannedKernel on(const PlannedKernel& kernel, const NumaProbe& probe, unsigned threads) {
  PlannedKernel planned = kernel;
  planned.id = fmt::format("numa.{}.{}.{}", probe.cpu_node, probe.memory_node, kernel.id);
  planned.threads = threads;
  planned.set_bytes = kernel.set_bytes * kernel.threads / threads;
  planned.warm_up_bytes = kernel.warm_up_bytes * kernel.threads / threads;
  return planned;
}

Result<std::vector<double>> rates_of(Runner& runner, const PlannedKernel& planned, Seconds budget) {
  return runner.run({{&planned, budget}}).map([](const std::vector<Measured>& measured) {
    return measured.front().rates;
  });
}

}  // namespace

std::vector<NumaProbe> plan_numa(const std::vector<platform::NumaNode>& nodes) {
  std::vector<NumaProbe> probes;
  for (const platform::NumaNode& from : nodes_with_cpus(nodes)) {
    for (const platform::NumaNode& to : nodes) {
      probes.push_back({from.number, to.number, to.memory, from.cpus});
    }
  }
  return probes;
}

std::optional<NumaKernels> numa_kernels(const std::vector<PlannedKernel>& planned,
                                        const Machine& machine, Isa widest) {
  const auto in_memory = [&](const PlannedKernel& kernel) {
    return !kernel.is_compute() &&
           std::none_of(machine.caches.begin(), machine.caches.end(),
                        [&](const Cache& cache) { return cache.level == kernel.level; });
  };
  const auto load = std::find_if(planned.begin(), planned.end(), [&](const auto& kernel) {
    return in_memory(kernel) && kernel.kernel->is(Pattern::load) && kernel.isa == widest;
  });
  const auto latency = std::find_if(planned.begin(), planned.end(), [&](const auto& kernel) {
    return in_memory(kernel) && kernel.kernel->kind == CeilingKind::latency && kernel.threads == 1;
  });
  if (load == planned.end()) {
    return std::nullopt;
  }
  return NumaKernels{*load, latency == planned.end() ? std::nullopt : std::optional(*latency)};
}

Result<NumaEntry> measure_numa(const NumaProbe& probe, const NumaKernels& kernels, bool bind,
                               const platform::ClockProbe& clock, Seconds budget) {
  std::optional<platform::MemoryOnNode> bound;
  if (bind) {
    auto set = platform::MemoryOnNode::set(probe.memory_node);
    if (!set) {
      return tl::make_unexpected(set.error());
    }
    bound.emplace(std::move(*set));
  }
  Runner runner(probe.cpus, clock);
  const PlannedKernel load = on(kernels.load, probe, static_cast<unsigned>(probe.cpus.size()));
  NumaEntry entry{probe.cpu_node, probe.memory_node, probe.memory, load.threads, {}, {}};
  const auto loads = rates_of(runner, load, 0.6 * budget);
  if (!loads) {
    return tl::make_unexpected(loads.error());
  }
  entry.load = estimate_from<BytesPerSecond>(*loads);
  if (!kernels.latency) {
    return entry;
  }
  auto accesses = rates_of(runner, on(*kernels.latency, probe, 1), 0.4 * budget);
  if (!accesses) {
    return tl::make_unexpected(accesses.error());
  }
  for (double& rate : *accesses) {
    rate = 1.0 / rate;
  }
  entry.latency = estimate_from<Seconds>(std::move(*accesses));
  return entry;
}

std::vector<NumaEntry> only_node(const NumaProbe& probe, const Machine& machine) {
  const Ceiling* load = nullptr;
  const Ceiling* latency = nullptr;
  const auto rank = [](const Ceiling& ceiling) {
    return std::pair(ceiling.threads, p90_of(ceiling.value));
  };
  for (const Ceiling& ceiling : machine.ceilings) {
    if (ceiling.level != probe.memory || ceiling.device) {
      continue;
    }
    if (ceiling.kind == CeilingKind::bandwidth && ceiling.pattern == Pattern::load &&
        ceiling.threads <= probe.cpus.size() && (load == nullptr || rank(*load) < rank(ceiling))) {
      load = &ceiling;
    }
    if (ceiling.kind == CeilingKind::latency &&
        (latency == nullptr || ceiling.pattern == Pattern::chase_huge)) {
      latency = &ceiling;
    }
  }
  if (load == nullptr) {
    return {};
  }
  NumaEntry entry{probe.cpu_node, probe.memory_node, probe.memory, load->threads, {}, {}};
  entry.load = std::get<Estimate<BytesPerSecond>>(load->value);
  if (latency != nullptr) {
    entry.latency = std::get<Estimate<Seconds>>(latency->value);
  }
  return {entry};
}

}  // namespace ridge::bench
