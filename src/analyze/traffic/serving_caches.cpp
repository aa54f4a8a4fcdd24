#include "analyze/traffic/serving_caches.hpp"

#include <algorithm>

#include "core/value/caches_elsewhere.hpp"

namespace ridge::analyze {

std::vector<ServingCache> serving_caches(const Machine& machine, unsigned cores) {
  const std::vector<Cache> caches = shared_by_cores(machine.caches);
  std::vector<ServingCache> serving;
  for (std::size_t i = 0; i < caches.size(); ++i) {
    const Cache& cache = caches[i];
    const bool is_last = i + 1 == caches.size();
    ServingCache made;
    made.level = cache.level;
    made.beyond = is_last ? memory_level(machine) : caches[i + 1].level;
    made.ways = std::max(1U, cache.ways);
    made.line_bytes = cache.line_bytes;
    const std::uint64_t sharers = std::clamp(cores, 1U, std::max(1U, cache.shared_by_threads));
    const std::uint64_t way_row = std::uint64_t{made.ways} * made.line_bytes;
    const std::uint64_t sets = std::max<std::uint64_t>(1, cache.size_bytes / way_row / sharers);
    made.bytes = sharers == 1 ? cache.size_bytes : sets * way_row;
    made.policy = cache.policy;
    made.allocates_writes = cache.write_allocate != WriteAllocate::never;
    made.feeds_victim = !is_last && caches[i + 1].policy == CachePolicy::victim;
    made.reach_bytes = made.bytes;
    if (cache.policy == CachePolicy::victim && i > 0) {
      made.reach_bytes += serving.back().reach_bytes;
      made.allocates_writes = true;
    }
    made.reads_for_writes = made.allocates_writes || (i > 0 && serving.back().reads_for_writes);
    serving.push_back(made);
  }
  return serving;
}

}  // namespace ridge::analyze
