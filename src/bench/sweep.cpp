#include "bench/sweep.hpp"

namespace ridge::bench {

std::vector<std::uint64_t> sweep_sizes(const Cache& cache) {
  return {cache.size_bytes / 4, cache.size_bytes / 8 * 5, cache.size_bytes * 4};
}

bool confirms(const std::vector<SweepPoint>& points) {
  constexpr double kLeastDrop = 1.1;
  constexpr double kLeastServed = 1.0 / 3.0;
  if (points.size() != 3 || points[0].rate <= kLeastDrop * points[2].rate ||
      points[1].rate.value() <= 0.0) {
    return false;
  }
  const double hit_cost = 1.0 / points[0].rate.value();
  const double miss_cost = 1.0 / points[2].rate.value();
  const double cost = 1.0 / points[1].rate.value();
  return miss_cost - cost >= kLeastServed * (miss_cost - hit_cost);
}

namespace {

using MeasureRate = std::function<Result<BytesPerSecond>(std::uint64_t set_bytes)>;

Result<bool> try_to_confirm(const Cache& cache, const MeasureRate& measure) {
  std::vector<SweepPoint> points;
  for (const std::uint64_t bytes : sweep_sizes(cache)) {
    const auto rate = measure(bytes);
    if (!rate) {
      return tl::make_unexpected(rate.error());
    }
    points.push_back({bytes, *rate});
  }
  return confirms(points);
}

}  // namespace

Result<std::vector<Level>> unconfirmed_levels(const std::vector<Cache>& caches,
                                              const MeasureRate& measure) {
  constexpr int kTries = 3;
  std::vector<Level> levels;
  for (const Cache& cache : caches) {
    bool confirmed = false;
    for (int attempt = 0; attempt < kTries && !confirmed; ++attempt) {
      const auto tried = try_to_confirm(cache, measure);
      if (!tried) {
        return tl::make_unexpected(tried.error());
      }
      confirmed = *tried;
    }
    if (!confirmed) {
      levels.push_back(cache.level);
    }
  }
  return levels;
}

}  // namespace ridge::bench
