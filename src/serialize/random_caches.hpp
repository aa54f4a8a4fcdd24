// Random caches of other machines.
#pragma once

#include <cstddef>

#include "core/describe/known_caches.hpp"
#include "serialize/described/random_value.hpp"

namespace ridge::serialize {

template <>
struct Mend<CachesElsewhere> {
  /// Levels without a gap, of whole sets and lines of one size, shared by more cores further out.
  static void mend(Random& random, CachesElsewhere& elsewhere) {
    constexpr unsigned kLine = 64;
    unsigned cores = 1;
    for (std::size_t i = 0; i < elsewhere.caches.size(); ++i) {
      Cache& cache = elsewhere.caches[i];
      cache.level = kCacheLevels.at(i);
      cache.line_bytes = kLine;
      cache.ways = 1 + static_cast<unsigned>(random() % 32);
      cache.size_bytes = std::uint64_t{kLine} * cache.ways * (1 + random() % 4096);
      cores *= 1 + static_cast<unsigned>(random() % 4);
      cache.shared_by_threads = cores;
    }
  }
};

}  // namespace ridge::serialize
