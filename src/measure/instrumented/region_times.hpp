// From sums of samples to times with their intervals.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "core/value/profile.hpp"
#include "measure/instrumented/accumulate.hpp"
#include "measure/instrumented/sampler.hpp"
#include "measure/profile/placement.hpp"
#include "measure/profile/sampled_time.hpp"

namespace ridge::measure {

/// Fills time_seconds, cpu_seconds and threads of `region`. `sampled_seconds` is what the
/// samples of its process stand for.
void fill_times(Region& region, const RegionTimes& times, const Accumulator& process,
                double sampled_seconds);

/// The same for a marker, whose own figures are those of everything inside.
void fill_marker_times(Region& region, const RegionTimes& times, const Accumulator& process,
                       double sampled_seconds);

/// By index into `table`; empty where the kernel's counts could not be read. `sampled_seconds` as
/// above.
[[nodiscard]] std::vector<std::optional<PageFaults>> page_faults(
    const RegionTable& table, const std::vector<RegionTimes>& times, const ProcessSamples& samples,
    double sampled_seconds);

/// CPUs that the threads of `process` may run on, and how many threads of `all` want them besides.
[[nodiscard]] CpusOfProcess cpus_of(const ProcessSamples& process, const SampleSet& all);

}  // namespace ridge::measure
