// Which core of the simulated machine each thread runs on.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace ridge::measure {

/// Linux CPU numbers that a thread may run on.
using CpuSet = std::set<unsigned>;

/// The core of each thread by its number, from the CPUs that it may run on: a bound thread's own,
/// for the others the first of those with the fewest threads. Where a thread happened to run has no
/// say, so that every run of a program gives the same. `core_of_cpu` maps Linux CPU numbers to
/// cores from 0. Threads that were too short to be seen, and all up to `threads`, may run on
/// `inherited`.
[[nodiscard]] std::vector<std::uint32_t> choose_placement(
    const std::map<std::uint32_t, CpuSet>& cpus_by_thread, const CpuSet& inherited,
    std::uint32_t threads, const std::map<unsigned, std::uint32_t>& core_of_cpu);

}  // namespace ridge::measure
