#include "measure/ranks/cluster_machine.hpp"

#include <variant>

#include <fmt/format.h>

namespace ridge::measure {
namespace {

template <class Q>
void multiply(Estimate<Q>& estimate, double factor) {
  for (Q* figure : {&estimate.median, &estimate.p90, &estimate.low, &estimate.high}) {
    *figure = Q(factor * figure->value());
  }
}

void multiply(CeilingEstimate& estimate, double factor) {
  std::visit([&](auto& each) { multiply(each, factor); }, estimate);
}

/// "compute.fp64.avx512.fma.t4" of two machines is "compute.fp64.avx512.fma.t8".
std::string id_of_all(const Ceiling& ceiling, unsigned hosts) {
  const std::string threads = fmt::format(".t{}", ceiling.threads);
  return ceiling.id.ends_with(threads) ? ceiling.id.substr(0, ceiling.id.size() - threads.size()) +
                                             fmt::format(".t{}", hosts * ceiling.threads)
                                       : ceiling.id;
}

void take_together(Ceiling& ceiling, unsigned hosts) {
  if (ceiling.kind == CeilingKind::latency) {
    return;
  }
  ceiling.id = id_of_all(ceiling, hosts);
  ceiling.threads *= hosts;
  multiply(ceiling.value, hosts);
  if (ceiling.traffic_value) {
    multiply(*ceiling.traffic_value, hosts);
  }
  if (ceiling.limit) {
    *ceiling.limit *= hosts;
  }
  for (Mode& mode : ceiling.modes) {
    mode.value *= hosts;
  }
}

}  // namespace

Machine cluster_machine(Machine machine, unsigned hosts) {
  if (hosts < 2) {
    return machine;
  }
  machine.name = fmt::format("{} x {}", hosts, machine.name);
  machine.host.reset();
  if (machine.topology) {
    machine.topology->sockets *= hosts;
    machine.topology->numa_nodes *= hosts;
    machine.topology->cores *= hosts;
    machine.topology->threads *= hosts;
  }
  for (MemoryNode& memory : machine.memories) {
    if (memory.size_bytes) {
      *memory.size_bytes *= hosts;
    }
  }
  for (Ceiling& ceiling : machine.ceilings) {
    take_together(ceiling, hosts);
  }
  machine.measured_roofs.clear();
  machine.sustained.clear();
  machine.siblings.clear();
  machine.numa.clear();
  return machine;
}

Machine without_roofs(Machine machine) {
  machine.ceilings.clear();
  machine.measured_roofs.clear();
  machine.sustained.clear();
  machine.siblings.clear();
  machine.numa.clear();
  machine.interconnect.reset();
  return machine;
}

}  // namespace ridge::measure
