#include "measure/profile/placement.hpp"

#include <algorithm>

namespace ridge::measure {

namespace {

std::set<std::uint32_t> cores_of(const CpuSet& cpus,
                                 const std::map<unsigned, std::uint32_t>& core_of_cpu) {
  std::set<std::uint32_t> cores;
  for (const auto& [cpu, core] : core_of_cpu) {
    if (cpus.contains(cpu)) {
      cores.insert(core);
    }
  }
  return cores;
}

}  // namespace

std::vector<std::uint32_t> choose_placement(const std::map<std::uint32_t, CpuSet>& cpus_by_thread,
                                            const CpuSet& inherited, std::uint32_t threads,
                                            const std::map<unsigned, std::uint32_t>& core_of_cpu) {
  std::vector<std::set<std::uint32_t>> cores_by_thread;
  std::map<std::uint32_t, unsigned> threads_on;
  for (std::uint32_t ordinal = 0; ordinal < threads; ++ordinal) {
    const auto seen = cpus_by_thread.find(ordinal);
    cores_by_thread.push_back(
        cores_of(seen != cpus_by_thread.end() ? seen->second : inherited, core_of_cpu));
    if (cores_by_thread.back().size() == 1) {
      ++threads_on[*cores_by_thread.back().begin()];
    }
  }
  std::vector<std::uint32_t> placement;
  for (const auto& cores : cores_by_thread) {
    if (cores.empty()) {
      break;  // those behind it go round robin
    }
    const auto emptiest = std::min_element(
        cores.begin(), cores.end(), [&](auto a, auto b) { return threads_on[a] < threads_on[b]; });
    threads_on[*emptiest] += cores.size() == 1 ? 0 : 1;
    placement.push_back(*emptiest);
  }
  return placement;
}

}  // namespace ridge::measure
