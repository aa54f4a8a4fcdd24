#include "measure/instrumented/region_times.hpp"

#include <algorithm>
#include <set>
#include <unistd.h>

#include <fmt/format.h>

#include "core/quantity/estimate.hpp"

namespace ridge::measure {
namespace {

/// Below this a sample cannot tell a loop from the code around it: the store that marks the region
/// and the loop itself overlap in the processor.
constexpr double kCertainSecondsPerEntry = 50e-9;
/// In shorter visits most readings of the page faults would stand for other regions, too.
constexpr double kReadingsPerVisit = 5.0;

/// Without a sample nothing is known.
void fill_waits(Region& region, const RegionTimes& times) {
  if (times.share > 0.0) {
    region.share_seconds = Seconds(times.share);
  }
  if (times.caused > 0.0) {
    region.caused_wait_seconds = Seconds(times.caused);
  }
  if (const WaitSeconds& waits = times.waits; waits.sum() > 0.0) {
    region.wait_causes =
        WaitCauses{Seconds(waits.imbalance), Seconds(waits.serial), Seconds(waits.oversubscribed),
                   Seconds(waits.busy), Seconds(waits.unexplained)};
  }
}

void note_uncertain_share(Region& region, const RegionTimes& times) {
  if (region.kind != RegionKind::loop || region.entries.value_or(0) == 0 ||
      times.ticks_inclusive == 0) {
    return;
  }
  const double inside =
      times.cpu_samples_inclusive > 0 ? times.cpu_inclusive : times.wall_inclusive;
  const double per_entry = inside / static_cast<double>(*region.entries);
  if (per_entry < kCertainSecondsPerEntry) {
    region.notes.push_back(
        {"uncertain-share",
         fmt::format("about {:.0f} ns per entry: so short that its share of the time is uncertain",
                     per_entry * 1e9)});
  }
}

}  // namespace

std::optional<SampledTime> sampled_time(double seconds, std::uint64_t hits, std::uint64_t trials,
                                        double total_seconds) {
  if (trials == 0) {
    return std::nullopt;
  }
  const auto n = static_cast<double>(trials);
  const double share = static_cast<double>(std::min(hits, trials)) / n;
  const Interval interval = wilson_interval_80(share * n, n);
  // Samples stand for unequal times, so the interval of the share is scaled to this region's.
  const double scale = hits > 0 ? seconds / share : total_seconds;
  return SampledTime{Seconds(seconds), Seconds(interval.low * scale),
                     Seconds(interval.high * scale), hits};
}

SampledTime exact_time(double seconds, std::uint64_t samples) {
  return {Seconds(seconds), Seconds(seconds), Seconds(seconds), samples};
}

void fill_times(Region& region, const RegionTimes& times, const Accumulator& process,
                double sampled_seconds) {
  region.time_seconds.self =
      sampled_time(times.wall_self, times.ticks_self, process.ticks(), sampled_seconds);
  region.time_seconds.inclusive =
      sampled_time(times.wall_inclusive, times.ticks_inclusive, process.ticks(), sampled_seconds);
  region.cpu_seconds.self = sampled_time(times.cpu_self, times.cpu_samples_self,
                                         process.cpu_samples(), process.cpu_seconds());
  region.cpu_seconds.inclusive = sampled_time(times.cpu_inclusive, times.cpu_samples_inclusive,
                                              process.cpu_samples(), process.cpu_seconds());
  if (process.waits_known()) {
    region.waited_seconds = Seconds(times.waited_self);
  }
  fill_waits(region, times);
  // What the self values ran with; a region that only calls has those of its callees.
  region.threads =
      std::max(1U, times.threads_self > 0 ? times.threads_self : times.threads_inclusive);
  note_uncertain_share(region, times);
}

std::vector<std::optional<PageFaults>> page_faults(const RegionTable& table,
                                                   const std::vector<RegionTimes>& times,
                                                   const ProcessSamples& samples,
                                                   double sampled_seconds) {
  if (samples.fault_readings == 0) {
    return {};
  }
  const double per_reading = sampled_seconds / static_cast<double>(samples.fault_readings);
  return samples.faults.resolve(samples.samples.stacks(), table, times,
                                kReadingsPerVisit * per_reading,
                                static_cast<double>(sysconf(_SC_CLK_TCK)));
}

CpusOfProcess cpus_of(const ProcessSamples& process, const SampleSet& all) {
  CpuSet cpus;
  for (const auto& [thread, own] : process.cpus_by_thread) {
    cpus.insert(own.begin(), own.end());
  }
  const unsigned own = process.samples.most_threads();
  return {static_cast<unsigned>(cpus.size()), all.most_threads > own ? all.most_threads - own : 0};
}

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
