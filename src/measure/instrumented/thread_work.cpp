#include "measure/instrumented/thread_work.hpp"

#include <set>

#include "measure/instrumented/region_times.hpp"

namespace ridge::measure {
namespace {

/// The region itself, what encloses it, up to the function that holds it.
std::set<std::uint32_t> who_took_part(const RegionTable& table, std::uint32_t index,
                                      const RegionTimes& times) {
  std::set<std::uint32_t> threads;
  for (const auto& [thread, cpu] : times.cpu_self_by_thread) {
    threads.insert(thread);
  }
  for (auto at = index;; at = *table.regions[at].parent) {
    const MergedRegion& region = table.regions[at];
    for (const auto& [thread, counts] : region.by_thread) {
      threads.insert(thread);
    }
    if (region.kind == RegionKind::function || !region.parent) {
      return threads;
    }
  }
}

}  // namespace

std::vector<ThreadWork> thread_work(const RegionTable& table, std::uint32_t index,
                                    const RegionTimes& times, const Accumulator* samples) {
  const MergedRegion& region = table.regions[index];
  std::vector<ThreadWork> work;
  if (region.kind == RegionKind::library || region.kind == RegionKind::marker) {
    return work;
  }
  const auto threads = who_took_part(table, index, times);
  for (const std::uint32_t thread : threads) {
    ThreadWork own;
    own.thread = thread;
    if (const auto counts = region.by_thread.find(thread); counts != region.by_thread.end()) {
      own.flops = counts->second.flops;
      own.bytes = counts->second.bytes;
      if (region.kind == RegionKind::loop) {
        own.iterations =
            region.counts.iterations ? counts->second.iterations : counts->second.header_executions;
      }
    }
    const auto cpu = times.cpu_self_by_thread.find(thread);
    if (samples != nullptr && cpu != times.cpu_self_by_thread.end()) {
      own.cpu_seconds = sampled_time(cpu->second.seconds, cpu->second.samples,
                                     samples->cpu_samples(), samples->cpu_seconds());
    }
    work.push_back(own);
  }
  return work.size() > 1 ? work : std::vector<ThreadWork>{};
}

}  // namespace ridge::measure
