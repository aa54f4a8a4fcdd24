#include "predict/projection/kernel_on_machine.hpp"

#include <algorithm>
#include <string>

#include <fmt/core.h>

#include "predict/roof/limits.hpp"

namespace ridge::predict {
namespace {

const PublishedCache* cache_named(const TargetMachine& target, std::string_view level) {
  for (const PublishedCache& cache : target.figures.caches) {
    if (cache.level == level) {
      return &cache;
    }
  }
  return nullptr;
}

/// The outermost cache that lies before a level of data; empty for L1.
std::string cache_before(const TargetMachine& target, std::string_view level) {
  std::string before;
  for (const std::string_view cache : {"L1", "L2", "L3", "L4"}) {
    if (cache == level) {
      break;
    }
    if (cache_named(target, cache) != nullptr) {
      before = cache;
    }
  }
  return before;
}

/// Cores that share a cache. Published sizes of L1 and L2 that are not marked are those of a core.
double sharers(const TargetMachine& target, const PublishedCache& cache) {
  const bool inner = cache.level == "L1" || cache.level == "L2";
  if (cache.per_core || target.figures.kind != MachineKind::cpu || (inner && !target.measured)) {
    return 1.0;
  }
  return target.figures.cores ? std::max(1.0, target.figures.cores->value) : 1.0;
}

}  // namespace

std::optional<double> cache_room(const TargetMachine& target, std::string_view level,
                                 bool per_thread) {
  const PublishedCache* cache = cache_named(target, level);
  if (cache == nullptr) {
    return std::nullopt;
  }
  return per_thread ? cache->size.value / sharers(target, *cache) : cache->size.value;
}

LevelTraffic level_traffic(const SizedKernel& kernel, const TargetMachine& target,
                           std::vector<Note>& notes) {
  LevelTraffic traffic;
  if (kernel.kernel->below == nullptr) {
    return traffic;
  }
  // Registers-L1 is wanted for the cache-aware model even where no bandwidth of L1 is known.
  std::vector<std::string> levels = bandwidth_levels(target);
  if (std::find(levels.begin(), levels.end(), "L1") == levels.end()) {
    levels.emplace_back("L1");
  }
  for (const std::string& level : levels) {
    const std::string before = cache_before(target, level);
    const auto room =
        level == "L1" ? std::optional(0.0) : cache_room(target, before, kernel.kernel->per_thread);
    const auto below = room ? kernel.below(*room) : std::nullopt;
    if (!below) {
      continue;
    }
    traffic[level] = *below;
    if (*room > 0.0 && *below != kernel.demand.least) {
      add_note(
          notes, "cache-size",
          fmt::format("{} traffic is that below a cache of {:.4g} KiB ({}{})", level,
                      *room / 1024.0, before, kernel.kernel->per_thread ? ", a core's share" : ""));
    }
  }
  return traffic;
}

std::vector<BelowCache> traffic_by_cache(const SizedKernel& kernel) {
  constexpr std::uint64_t kSmallest = 16U << 10U;
  constexpr std::uint64_t kLargest = 1U << 30U;
  std::vector<BelowCache> rows;
  for (std::uint64_t size = kSmallest; size <= kLargest; size *= 4) {
    const auto bytes = static_cast<double>(size);
    const auto traffic = kernel.below(bytes);
    if (traffic && (rows.empty() || rows.back().traffic != *traffic)) {
      rows.push_back({bytes, *traffic});
    }
  }
  return rows;
}

ResourcePrediction predict_kernel(const SizedKernel& kernel, const TargetMachine& target,
                                  const PredictionChoices& choices) {
  std::vector<Note> notes;
  const LevelTraffic traffic = level_traffic(kernel, target, notes);
  ResourcePrediction prediction = predict_demand(kernel.demand, target, choices, traffic);
  prediction.notes.insert(prediction.notes.end(), notes.begin(), notes.end());
  return prediction;
}

}  // namespace ridge::predict
