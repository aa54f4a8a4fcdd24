#include "predict/roof/explain.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/core.h>

#include "core/quantity/words.hpp"
#include "predict/roof/judged_time.hpp"
#include "predict/roof/memory.hpp"

namespace ridge::predict {
namespace {

// Two measurements of a ceiling may differ by some 3 % in core and more beyond: an excess of this
// size says nothing about the region.
constexpr double kRepeatability = 1.05;
// A smaller share of the last level that changes DRAM traffic by more than this: size matters here.
constexpr double kShareMatters = 1.02;

/// Whether DRAM traffic hangs on how much of the last level the program really has.
bool share_matters(const Region& region, Level level) {
  const auto full = region.traffic.find(level);
  if (full == region.traffic.end()) {
    return false;
  }
  const double whole = static_cast<double>(full->second.total());
  return std::any_of(region.traffic_at_share.begin(), region.traffic_at_share.end(),
                     [&](const auto& entry) {
                       return static_cast<double>(entry.second.total()) > kShareMatters * whole;
                     });
}

std::string uncertain_time(const SampledTime& time) {
  return fmt::format(
      "the time is uncertain: {:.3g} to {:.3g} s (80 %, {} samples), and at the upper end the "
      "region is below its roof",
      time.low.value(), time.high.value(), time.samples);
}

std::string above_memory(const Region& region, Level level) {
  if (share_matters(region, level)) {
    return fmt::format(
        "a cache served part of the {} traffic: the traffic hangs on the share of the last level "
        "(see traffic_at_share), which is probably larger in reality than in the model",
        to_string(level));
  }
  return fmt::format(
      "a cache served part of the {0} traffic (data left there before the region began), or the "
      "{0} ceiling was measured in a slow moment: repeat ridge bench",
      to_string(level));
}

std::string above_l1(const Bound& bound, const Machine& machine) {
  const Ceiling* ceiling = find_ceiling(machine, bound.ceiling);
  if (ceiling != nullptr && ceiling->isa && *ceiling->isa != kWidestIsa) {
    return fmt::format(
        "loads and stores are probably wider than the arithmetic: the L1 roof is that of {}, the "
        "width that does most of the work",
        to_string(*ceiling->isa));
  }
  return "the counted loads and stores did not all reach L1: the compiler removed or merged some "
         "after they were counted";
}

/// The most likely reason, chosen from the data; the first that fits.
std::string likely_reason(const Region& region, const Machine& machine, const ThreadChoice& choice,
                          const Bound& bound) {
  const double fraction = bound.fraction.value_or(0.0);
  if (!choice.exact && region.threads > choice.used) {
    return fmt::format("the roof is that of {}, the region ran with up to {}",
                       counted(choice.used, "thread"), region.threads);
  }
  const SampledTime time = judged_time(region)->time;
  if (time.high > time.value && fraction * time.value.value() <= time.high.value()) {
    return uncertain_time(time);
  }
  if (fraction <= kRepeatability) {
    return "within the repeatability of a ceiling";
  }
  const auto level = level_of(bound.ceiling);
  if (!level) {
    return "the compiler removed counted work after counting, or the clock was higher than while "
           "the ceiling was measured";
  }
  if (level == Level::L1) {
    return above_l1(bound, machine);
  }
  if (is_memory(machine, *level)) {
    return above_memory(region, *level);
  }
  return fmt::format(
      "an inner cache served part of the {} traffic: the model has no prefetchers and replaces "
      "strictly by least recent use",
      to_string(*level));
}

/// Traffic over time above the measured bandwidth: model and measurement cannot both hold.
void note_contradictions(const Region& region, const std::vector<Limit>& limits,
                         std::vector<Note>& notes) {
  const double seconds = judged_seconds(region);
  for (const Limit& limit : limits) {
    const Traffic* traffic = limit.level ? find_level(region.traffic, *limit.level) : nullptr;
    if (limit.level == Level::L1 || traffic == nullptr || limit.seconds <= seconds) {
      continue;
    }
    constexpr double kGiga = 1e9;
    const double bytes = static_cast<double>(traffic->total());
    add_note(notes, "model_contradiction",
             fmt::format("{} traffic of {:.4g} GB in {:.3g} s is {:.4g} GB/s; {:.4g} GB/s were "
                         "measured for this mix of reads and writes ({})",
                         to_string(*limit.level), bytes / kGiga, seconds, bytes / seconds / kGiga,
                         bytes / limit.seconds / kGiga, limit.ceiling));
  }
}

}  // namespace

void explain(const Region& region, const Machine& machine, const ThreadChoice& choice,
             const std::vector<Limit>& limits, RegionPrediction& result) {
  constexpr double kRounding = 1.0 + 1e-9;
  if (result.code && result.machine &&
      result.code->attainable > kRounding * result.machine->attainable) {
    add_note(result.notes, "code-above-machine",
             fmt::format("the bound of the code ({}) lies above that of the machine ({}): more "
                         "threads or wider vectors measured slower here, or a ceiling is missing",
                         result.code->ceiling, result.machine->ceiling));
  }
  if (!result.code || !result.code->fraction) {
    return;
  }
  if (*result.code->fraction > 1.0) {
    constexpr double kPercent = 100.0;
    add_note(
        result.notes, "above-roof",
        fmt::format("{:.0f} % of the roof of {}: {}", kPercent * *result.code->fraction,
                    result.code->ceiling, likely_reason(region, machine, choice, *result.code)));
  }
  note_contradictions(region, limits, result.notes);
}

}  // namespace ridge::predict
