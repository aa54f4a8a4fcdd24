#include "predict/roof/cache_geometry.hpp"

#include <algorithm>
#include <cmath>

namespace ridge::predict {
namespace {

/// In use; nullopt: not known.
std::optional<double> cores_in_use(const TargetMachine& target) {
  return target.figures.cores ? std::optional(std::max(1.0, target.figures.cores->value))
                              : std::nullopt;
}

}  // namespace

const PublishedCache* cache_named(const TargetMachine& target, Level level) {
  for (const PublishedCache& cache : target.figures.caches) {
    if (cache.level == level) {
      return &cache;
    }
  }
  return nullptr;
}

bool is_of_a_core(const TargetMachine& target, const PublishedCache& cache) {
  const bool inner = cache.level == Level::L1 || cache.level == Level::L2;
  const bool by_rule = inner && target.figures.kind == MachineKind::cpu && !target.measured;
  return cache.per_core || cache.shared_by_cores == 1U || (by_rule && !cache.shared_by_cores);
}

CacheInstances instances_of(const TargetMachine& target, const PublishedCache& cache) {
  const auto in_use = cores_in_use(target);
  const double cores = in_use.value_or(1.0);
  if (is_of_a_core(target, cache)) {
    return {cores, target.part_cores.value_or(cores), 1.0};
  }
  if (!cache.shared_by_cores || !in_use) {
    return {1.0, 1.0, cores};
  }
  const double there = target.part_cores.value_or(cores);
  const double all = std::max(1.0, std::ceil(there / *cache.shared_by_cores));
  return {std::min(cores, all), all, std::ceil(cores / all)};
}

std::optional<double> cache_room(const TargetMachine& target, Level level, bool per_thread) {
  const PublishedCache* cache = cache_named(target, level);
  if (cache == nullptr) {
    return std::nullopt;
  }
  const bool divided = per_thread && target.figures.kind == MachineKind::cpu;
  return divided ? cache->size.value / instances_of(target, *cache).cores_of_one
                 : cache->size.value;
}

std::optional<double> cache_capacity(const TargetMachine& target, Level level, bool shared) {
  const PublishedCache* cache = cache_named(target, level);
  if (cache == nullptr) {
    return std::nullopt;
  }
  return shared ? cache->size.value : cache->size.value * instances_of(target, *cache).used;
}

std::optional<double> multiprocessor_room(const TargetMachine& target) {
  const Specification& figures = target.figures;
  const auto size = [](const std::optional<Figure>& figure) {
    return figure ? figure->value : 0.0;
  };
  const PublishedCache* l1 = cache_named(target, Level::L1);
  const double inner = std::max(l1 != nullptr ? l1->size.value : 0.0, size(figures.shared_memory));
  const double room = inner + size(figures.registers);
  return room > 0.0 ? std::optional(room) : std::nullopt;
}

std::optional<Level> resident_level(const TargetMachine& target, double bytes, bool shared) {
  for (const Level level : kCacheLevels) {
    const bool lasts = target.figures.kind == MachineKind::cpu || level != Level::L1;
    const auto capacity = cache_capacity(target, level, shared);
    if (lasts && capacity && bytes <= *capacity) {
      return level;
    }
  }
  return std::nullopt;
}

}  // namespace ridge::predict
