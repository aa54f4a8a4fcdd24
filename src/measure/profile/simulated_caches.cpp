#include "measure/profile/simulated_caches.hpp"

#include <algorithm>
#include <iterator>

namespace ridge::measure {

namespace {

std::uint32_t policy_code(CachePolicy policy) {
  switch (policy) {
    case CachePolicy::inclusive:
      return RIDGE_INCLUSIVE;
    case CachePolicy::victim:
      return RIDGE_VICTIM;
    case CachePolicy::non_inclusive:
      break;
  }
  return RIDGE_NON_INCLUSIVE;
}

std::size_t simulated_levels(const std::vector<Cache>& caches) {
  return std::min<std::size_t>(caches.size(), RIDGE_CACHE_LEVELS_MAX);
}

ridge_cache_levels levels_of(const std::vector<Cache>& shared_by_cores) {
  ridge_cache_levels result{};
  result.level_count = static_cast<std::uint32_t>(simulated_levels(shared_by_cores));
  for (std::size_t i = 0; i < result.level_count; ++i) {
    const Cache& cache = shared_by_cores[i];
    result.levels[i] = {cache.size_bytes,
                        cache.ways,
                        cache.line_bytes,
                        cache.shared_by_threads,
                        policy_code(cache.policy),
                        cache.write_allocate == WriteAllocate::never ? 0U : 1U,
                        0};
  }
  return result;
}

std::vector<Level> levels_below(const std::vector<Cache>& caches, Level memory) {
  std::vector<Level> levels;
  for (std::size_t i = 1; i < simulated_levels(caches); ++i) {
    levels.push_back(caches[i].level);
  }
  levels.push_back(memory);
  return levels;
}

}  // namespace

ridge_cache_config cache_config(const Machine& machine,
                                const std::vector<std::uint32_t>& placement) {
  ridge_cache_config config{};
  config.core_count = std::max(1U, machine.topology.value_or(Topology{}).cores);
  const ridge_cache_levels levels = levels_of(shared_by_cores(machine.caches));
  config.level_count = levels.level_count;
  std::copy(std::begin(levels.levels), std::end(levels.levels), std::begin(config.levels));
  config.placement_count =
      static_cast<std::uint32_t>(std::min<std::size_t>(placement.size(), RIDGE_PLACEMENT_MAX));
  for (std::size_t i = 0; i < config.placement_count; ++i) {
    config.placement[i] = placement[i] % config.core_count;
  }
  return config;
}

std::vector<Level> boundaries_of(const Machine& machine) {
  return levels_below(machine.caches, memory_level(machine));
}

std::vector<Level> boundaries_of(const CachesElsewhere& elsewhere) {
  return levels_below(elsewhere.caches, elsewhere.memory);
}

std::vector<bool> boundaries_of_cores(const Machine& machine) {
  const auto caches = shared_by_cores(machine.caches);
  const unsigned cores = machine.topology.value_or(Topology{}).cores;
  std::vector<bool> depends;
  for (std::size_t i = 0; i < simulated_levels(caches); ++i) {
    depends.push_back(caches[i].shared_by_threads < cores);
  }
  return depends;
}

ridge_cache_levels simulated_levels(const CachesElsewhere& elsewhere) {
  return levels_of(elsewhere.caches);
}

}  // namespace ridge::measure
