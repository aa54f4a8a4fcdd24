#include "measure/instrumented/region_times.hpp"

#include <algorithm>
#include <unistd.h>

#include <fmt/format.h>

#include "measure/profile/sampled_time.hpp"

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

void fill_marker_times(Region& region, const RegionTimes& inside, const Accumulator& process,
                       double sampled_seconds) {
  RegionTimes times = inside;
  times.wall_self = times.wall_inclusive;
  times.ticks_self = times.ticks_inclusive;
  times.cpu_self = times.cpu_inclusive;
  times.cpu_samples_self = times.cpu_samples_inclusive;
  times.threads_self = times.threads_inclusive;
  fill_times(region, times, process, sampled_seconds);
  if (region.threads > 1) {
    region.waited_seconds.reset();  // which thread was the busiest is not known
  }
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

}  // namespace ridge::measure
