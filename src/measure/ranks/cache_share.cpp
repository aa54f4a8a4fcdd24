#include "measure/ranks/cache_share.hpp"

#include <algorithm>

namespace ridge::measure {

Machine share_of_caches(Machine machine, unsigned local_ranks) {
  const unsigned threads = machine.topology ? machine.topology->threads : 0;
  if (local_ranks < 2 || threads == 0) {
    return machine;
  }
  for (Cache& cache : machine.caches) {
    const unsigned sharing = std::clamp(cache.shared_by_threads, 1U, threads);
    const unsigned ranks = local_ranks * sharing / threads;  // that this cache serves
    if (ranks < 2 || cache.ways == 0) {
      continue;
    }
    const unsigned left = std::max(1U, cache.ways / ranks);
    cache.size_bytes = cache.size_bytes / cache.ways * left;
    cache.ways = left;
  }
  return machine;
}

}  // namespace ridge::measure
