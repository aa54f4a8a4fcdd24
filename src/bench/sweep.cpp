#include "bench/sweep.hpp"

#include <cmath>

namespace ridge::bench {

std::vector<std::uint64_t> sweep_sizes(const Cache& cache) {
  return {cache.size_bytes / 2, cache.size_bytes / 4 * 3, cache.size_bytes * 2};
}

bool confirms(const std::vector<SweepPoint>& points) {
  constexpr double kLeastDrop = 1.1;
  if (points.size() != 3) {
    return false;
  }
  const double inside = points[0].rate.value();
  const double near_the_end = points[1].rate.value();
  const double outside = points[2].rate.value();
  return inside > kLeastDrop * outside && near_the_end > std::sqrt(inside * outside);
}

Result<std::vector<std::string>> unconfirmed_levels(
    const std::vector<Cache>& caches,
    const std::function<Result<BytesPerSecond>(std::uint64_t set_bytes)>& measure) {
  std::vector<std::string> levels;
  for (const Cache& cache : caches) {
    std::vector<SweepPoint> points;
    for (const std::uint64_t bytes : sweep_sizes(cache)) {
      const auto rate = measure(bytes);
      if (!rate) {
        return tl::make_unexpected(rate.error());
      }
      points.push_back({bytes, *rate});
    }
    if (!confirms(points)) {
      levels.push_back(cache.level);
    }
  }
  return levels;
}

}  // namespace ridge::bench
