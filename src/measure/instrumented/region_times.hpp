// From sums of samples to times with their intervals.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "core/value/profile.hpp"
#include "measure/instrumented/accumulate.hpp"
#include "measure/instrumented/sampler.hpp"

namespace ridge::measure {

/// `seconds` seen in `hits` of `trials` samples, which together stand for `total_seconds`. The 80 %
/// interval is Wilson's. nullopt without samples: a program that ended before the first one.
[[nodiscard]] std::optional<SampledTime> sampled_time(double seconds, std::uint64_t hits,
                                                      std::uint64_t trials, double total_seconds);

/// A time that was read from a clock rather than sampled.
[[nodiscard]] SampledTime exact_time(double seconds, std::uint64_t samples);

/// Fills time_seconds, cpu_seconds and threads of `region`. `sampled_seconds` is what the
/// samples of its process stand for.
void fill_times(Region& region, const RegionTimes& times, const Accumulator& process,
                double sampled_seconds);

/// By index into `table`; empty where the kernel's counts could not be read. `sampled_seconds` as
/// above.
[[nodiscard]] std::vector<std::optional<PageFaults>> page_faults(
    const RegionTable& table, const std::vector<RegionTimes>& times, const ProcessSamples& samples,
    double sampled_seconds);

/// CPUs that the threads of `process` may run on, and how many threads of `all` want them besides.
[[nodiscard]] CpusOfProcess cpus_of(const ProcessSamples& process, const SampleSet& all);

/// The core of each thread by its number, from the CPUs that it may run on: a bound thread's own,
/// for the others the first of those with the fewest threads. Where a thread happened to run has no
/// say, so that every run of a program gives the same. `core_of_cpu` maps Linux CPU numbers to
/// cores from 0. Threads that were too short to be seen, and all up to `threads`, may run on
/// `inherited`.
[[nodiscard]] std::vector<std::uint32_t> choose_placement(
    const std::map<std::uint32_t, CpuSet>& cpus_by_thread, const CpuSet& inherited,
    std::uint32_t threads, const std::map<unsigned, std::uint32_t>& core_of_cpu);

}  // namespace ridge::measure
