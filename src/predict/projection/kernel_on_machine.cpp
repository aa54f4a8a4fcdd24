#include "predict/projection/kernel_on_machine.hpp"

#include <algorithm>
#include <string>

#include <fmt/core.h>

#include "core/quantity/words.hpp"
#include "predict/roof/limits.hpp"

namespace ridge::predict {
namespace {

/// The outermost cache that lies before a level of data; nullopt for L1.
std::optional<Level> cache_before(const TargetMachine& target, Level level) {
  std::optional<Level> before;
  for (const Level cache : kCacheLevels) {
    if (cache == level) {
      break;
    }
    if (cache_named(target, cache) != nullptr) {
      before = cache;
    }
  }
  return before;
}

/// Room before a level, whose it is, and what the kernel moves below it.
struct Below {
  double room = 0.0;
  std::string_view whose;
  std::optional<StreamTraffic> traffic;
};

double registers_of(const TargetMachine& target, const Kernel& kernel) {
  const auto& registers = target.figures.registers;
  return kernel.blocks_registers && registers ? registers->value : 0.0;
}

Below below_on_cpu(const SizedKernel& kernel, const TargetMachine& target, Level level) {
  if (level == Level::L1) {
    const double room = registers_of(target, *kernel.kernel);
    return {room, "registers", kernel.below(room)};
  }
  const auto before = cache_before(target, level);
  const auto room = before ? cache_room(target, *before, kernel.kernel->per_thread) : std::nullopt;
  return room ? Below{*room, to_string(*before), kernel.below(*room)} : Below{};
}

/// Every GPU has a cache for all multiprocessors. Where its size is not known the least traffic
/// stands for the memory: more would be a bound that the machine may beat.
bool hides_last_cache(const TargetMachine& target, Level level) {
  const auto before = cache_before(target, level);
  return target.figures.kind == MachineKind::gpu && is_memory_level(level) &&
         (!before || *before == Level::L1);
}

Below below_on_gpu(const SizedKernel& kernel, const TargetMachine& target, Level level) {
  const auto below = [&](GpuBoundary boundary, double room, std::string_view whose) {
    return Below{room, whose, kernel.below_on_gpu(boundary, room)};
  };
  if (level == Level::L1) {
    return below(GpuBoundary::registers, registers_of(target, *kernel.kernel), "registers");
  }
  const auto before = cache_before(target, level);
  if (before && *before != Level::L1) {
    return below(GpuBoundary::device, cache_room(target, *before, false).value_or(0.0),
                 to_string(*before));
  }
  if (hides_last_cache(target, level)) {
    return {0.0, {}, kernel.demand.least};
  }
  const auto room = multiprocessor_room(target);
  return room ? below(GpuBoundary::multiprocessor, *room,
                      "registers and L1 or shared memory of a multiprocessor")
              : Below{};
}

}  // namespace

LevelTraffic level_traffic(const SizedKernel& kernel, const TargetMachine& target,
                           std::vector<Note>& notes) {
  LevelTraffic traffic;
  if (kernel.kernel->below == nullptr) {
    return traffic;
  }
  const bool gpu = target.figures.kind == MachineKind::gpu;
  // Registers-L1 is wanted for the cache-aware model even where no bandwidth of L1 is known.
  std::vector<Level> levels = bandwidth_levels(target);
  if (std::find(levels.begin(), levels.end(), Level::L1) == levels.end()) {
    levels.push_back(Level::L1);
  }
  for (const Level level : levels) {
    const Below below =
        gpu ? below_on_gpu(kernel, target, level) : below_on_cpu(kernel, target, level);
    if (!below.traffic) {
      continue;
    }
    traffic[level] = *below.traffic;
    if (hides_last_cache(target, level)) {
      add_note(notes, "cache-unknown",
               fmt::format("{} traffic is the least possible: the size of L2 is not known",
                           to_string(level)));
    }
    if (below.room > 0.0 && *below.traffic != kernel.demand.least) {
      add_note(notes, "cache-size",
               fmt::format("{} traffic is that below a cache of {} ({}{})", to_string(level),
                           binary_size(below.room), below.whose,
                           kernel.kernel->per_thread && !gpu ? ", a core's share" : ""));
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
  LevelTraffic traffic = level_traffic(kernel, target, notes);
  const RepeatedData data{choices.working_set.value_or(kernel.working_set()),
                          kernel.kernel->matrix || kernel.kernel->shared_data};
  ResourcePrediction prediction =
      predict_repeated(kernel.demand, data, target, choices, std::move(traffic));
  prediction.notes.insert(prediction.notes.end(), notes.begin(), notes.end());
  return prediction;
}

}  // namespace ridge::predict
