#include "predict/roof/roofline.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/quantity/words.hpp"
#include "predict/roof/ceilings.hpp"
#include "predict/roof/explain.hpp"
#include "predict/roof/judged_time.hpp"
#include "predict/roof/limits.hpp"
#include "predict/roof/memory.hpp"

namespace ridge::predict {
namespace {

/// Levels of the traffic beyond L1, innermost first; levels that the machine lacks come last.
std::vector<Level> levels_with_traffic(const Region& region, const Machine& machine) {
  std::vector<Level> levels;
  for (const Cache& cache : machine.caches) {
    levels.push_back(cache.level);
  }
  for (const MemoryNode& memory : machine.memories) {
    levels.push_back(memory.level);
  }
  for (const auto& [level, traffic] : region.traffic) {
    if (std::find(levels.begin(), levels.end(), level) == levels.end()) {
      levels.push_back(level);
    }
  }
  std::erase_if(levels,
                [&](Level level) { return level == Level::L1 || !region.traffic.contains(level); });
  return levels;
}

/// The compute limit (when there is one), then L1, then the outer levels.
std::vector<Limit> all_limits(const Region& region, const CeilingIndex& ceilings,
                              std::optional<Limit> compute, Isa l1_isa, unsigned threads,
                              std::vector<Note>& notes) {
  std::vector<Limit> limits;
  const auto keep = [&](std::optional<Limit> limit) {
    if (limit && std::isfinite(limit->seconds) && limit->seconds > 0.0) {
      limits.push_back(std::move(*limit));
    }
  };
  keep(std::move(compute));
  keep(l1_limit(l1_bytes(region), ceilings, l1_isa, threads, notes));
  for (const Level level : levels_with_traffic(region, ceilings.machine())) {
    keep(boundary_limit(boundary_traffic(region, level, ceilings.machine()), level, ceilings,
                        threads, notes));
  }
  return limits;
}

/// The slowest limit binds; of equal ones the first. The next one binds once it is lifted.
std::optional<Bound> bound_from(std::vector<Limit> limits, const Axis& axis, const Region& region) {
  if (limits.empty()) {
    return std::nullopt;
  }
  std::stable_sort(limits.begin(), limits.end(),
                   [](const Limit& a, const Limit& b) { return a.seconds > b.seconds; });
  Bound bound{limits.front().ceiling, axis.unit, axis.amount / limits.front().seconds, {}, {}, {}};
  if (limits.size() > 1) {
    bound.next = limits[1].ceiling;
    bound.next_attainable = axis.amount / limits[1].seconds;
  }
  if (const double seconds = judged_seconds(region); seconds > 0.0) {
    const double fraction = limits.front().seconds / seconds;
    bound.fraction = std::isfinite(fraction) ? std::optional(fraction) : std::nullopt;
  }
  return bound;
}

void note_threads(std::vector<Note>& notes, const Region& region, const ThreadChoice& choice) {
  if (!choice.exact) {
    add_note(notes, "threads-not-measured",
             fmt::format("no ceiling with {}: that of {} is used; measured neighbours: {}",
                         counted(region.threads, "thread"), choice.used,
                         fmt::join(choice.neighbours, ", ")));
  }
}

void note_missing_traffic(std::vector<Note>& notes) {
  add_note(notes, "no-traffic",
           "the traffic beyond L1 is unknown: only compute and L1 can bind, so the true roof may "
           "be lower");
}

void note_cpu_time(std::vector<Note>& notes, const Region& region) {
  if (const auto time = judged_time(region); time && time->by_cpu) {
    add_note(notes, "cpu-time",
             "its threads waited for a CPU: % of roof and gain go by the CPU time of the busiest "
             "thread");
  }
}

}  // namespace

std::vector<Limit> code_limits(const Region& region, const CeilingIndex& ceilings,
                               const Microarchitecture* microarchitecture, unsigned threads,
                               std::vector<Note>& notes) {
  return all_limits(region, ceilings,
                    own_mix_limit(known_work(region), ceilings, microarchitecture, threads, notes),
                    dominating_isa(known_work(region)), threads, notes);
}

std::vector<Limit> machine_limits(const Region& region, const CeilingIndex& ceilings,
                                  const std::vector<Limit>& code) {
  std::vector<Note> unused;  // the code bound has said what is missing
  const unsigned threads = ceilings.threads().back();
  const bool has_own_mix = !code.empty() && !code.front().level;
  const auto own_mix = has_own_mix ? std::optional(code.front()) : std::nullopt;
  return all_limits(region, ceilings,
                    best_mix_limit(known_work(region), ceilings, threads, own_mix), kWidestIsa,
                    threads, unused);
}

std::optional<Axis> axis_of(const Region& region, const Machine& machine) {
  if (!region.flops) {
    return std::nullopt;  // what is not counted may bind
  }
  if (const auto flops = region.flops->total(); flops > 0) {
    return Axis{BoundUnit::flops_per_second, static_cast<double>(flops)};
  }
  const auto bytes = [](Traffic traffic) {
    return static_cast<double>(traffic.read) + static_cast<double>(traffic.written);
  };
  if (const double l1 = bytes(l1_bytes(region)); l1 > 0.0) {
    return Axis{BoundUnit::bytes_per_second, l1};
  }
  for (const Level level : levels_with_traffic(region, machine)) {
    if (const double beyond = bytes(region.traffic.at(level)); beyond > 0.0) {
      return Axis{BoundUnit::bytes_per_second, beyond};
    }
  }
  return std::nullopt;
}

RegionRoof roof_of(const Region& region, const CeilingIndex& ceilings,
                   const Microarchitecture* microarchitecture) {
  const Machine& machine = ceilings.machine();
  RegionRoof roof;
  RegionPrediction& result = roof.prediction;
  result.region = region.id;
  const auto axis = axis_of(region, machine);
  if (!axis) {
    if (!region.flops && region.kind != RegionKind::library) {
      add_note(result.notes, "work-unknown",
               "its operations were not counted, and may bind it: no roof, so no bound");
    }
    if (region.intops.value_or(0) > 0) {
      add_note(result.notes, "integers-only",
               "integer work in registers only: how wide its integers are is not counted, so no "
               "bound; --intops shows it beside the ceilings of integers");
    }
    return roof;
  }
  const auto choice = choose_threads(ceilings, region.threads);
  if (!choice) {
    add_note(result.notes, "no-ceiling", "the machine has no ceilings: run ridge bench");
    return roof;
  }
  note_threads(result.notes, region, *choice);
  note_cpu_time(result.notes, region);
  const auto limits = code_limits(region, ceilings, microarchitecture, choice->used, result.notes);
  roof.memory_may_bind = memory_may_bind(region, ceilings, choice->used, limits);
  if (roof.memory_may_bind) {
    note_missing_traffic(result.notes);
  }
  result.code = bound_from(limits, *axis, region);
  result.machine = bound_from(machine_limits(region, ceilings, limits), *axis, region);
  for (const unsigned threads : choice->neighbours) {
    std::vector<Note> unused;
    const auto bound = bound_from(code_limits(region, ceilings, microarchitecture, threads, unused),
                                  *axis, region);
    if (bound) {
      result.code_at_neighbouring_threads.push_back(*bound);
    }
  }
  explain(region, machine, *choice, limits, result);
  return roof;
}

}  // namespace ridge::predict
