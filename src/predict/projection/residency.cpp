#include "predict/projection/residency.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/core.h>

#include "core/quantity/words.hpp"
#include "predict/projection/derived_machine.hpp"
#include "predict/roof/cache_geometry.hpp"
#include "predict/roof/limits.hpp"

namespace ridge::predict {
namespace {

std::string bytes_text(double bytes) {
  return bytes < 1e3   ? fmt::format("{:.4g} byte", bytes)
         : bytes < 1e6 ? fmt::format("{:.4g} kB", bytes / 1e3)
         : bytes < 1e9 ? fmt::format("{:.4g} MB", bytes / 1e6)
                       : fmt::format("{:.4g} GB", bytes / 1e9);
}

/// "32 KiB", "64 of 32 KiB".
std::string capacity_text(const TargetMachine& target, Level level, bool shared) {
  const PublishedCache& cache = *cache_named(target, level);
  const double count = shared ? 1.0 : instances_of(target, cache).used;
  const std::string one = binary_size(cache.size.value);
  return count > 1.0 ? fmt::format("{:g} of {}", count, one) : one;
}

/// Nothing crosses the levels beyond the one that holds the data, but what goes past the caches.
void keep_in(Level holder, const Demand& demand, const TargetMachine& target,
             const PredictionChoices& choices, LevelTraffic& traffic) {
  for (const Level level : kCacheLevels) {
    if (InnermostFirst()(holder, level)) {
      traffic[level] = {};
    }
  }
  if (const auto memory = main_memory(target.figures)) {
    const bool past = choices.stores == Stores::nontemporal;
    traffic[*memory] = {0, past ? std::min(demand.least.allocate, demand.least.written) : 0, 0};
  }
}

/// Whose size is not known of a CPU, so that data may stay there; empty: none. A machine of the
/// user's own without a word of caches is taken to have none.
std::string caches_of_unknown_size(const TargetMachine& target) {
  const Specification& figures = target.figures;
  if (figures.kind != MachineKind::cpu || target.measured) {
    return {};
  }
  const bool told = figures.sources.contains(std::string(kDerivedSource));
  if (figures.caches.empty() && !told) {
    return "its caches";
  }
  std::string unknown;
  for (const Level level : bandwidth_levels(target)) {
    if (!is_memory_level(level) && cache_named(target, level) == nullptr) {
      unknown = to_string(level);
    }
  }
  return unknown;
}

/// Data of more than any CPU caches do not fit, whatever the size.
void say_what_may_hold(double bytes, const TargetMachine& target, std::vector<Note>& notes) {
  constexpr double kLargestCache = 2e9;
  const std::string caches = caches_of_unknown_size(target);
  if (caches.empty() || bytes <= 0.0 || bytes > kLargestCache) {
    return;
  }
  add_note(notes, "cache-unknown",
           fmt::format("the size of {} is not known: {} of data are taken to come from the memory, "
                       "and a loop that repeats over data that fit may be faster",
                       caches, bytes_text(bytes)));
}

/// Which bound stands where the level that holds the data has none.
void say_what_stands(Level holder, ResourcePrediction& prediction) {
  const auto known = std::find_if(
      prediction.resources.begin(), prediction.resources.end(),
      [&](const ResourceTime& resource) { return resource.resource == to_string(holder); });
  if (known != prediction.resources.end()) {
    return;
  }
  if (!prediction.binding) {
    prediction.missing =
        prediction.missing == "nothing to do"
            ? fmt::format("no {} bandwidth known, where the data stay", to_string(holder))
            : prediction.missing;
    return;
  }
  add_note(prediction.notes, "no-bound-of-level",
           fmt::format("no bandwidth of {} is known here: the bound by {} stands, which is looser",
                       to_string(holder), prediction.resources[*prediction.binding].resource));
}

}  // namespace

ResourcePrediction predict_repeated(const Demand& demand, const RepeatedData& data,
                                    const TargetMachine& target, const PredictionChoices& choices,
                                    LevelTraffic traffic) {
  const bool past = choices.stores == Stores::nontemporal;
  const double cached = data.bytes - (past ? static_cast<double>(demand.least.allocate) : 0.0);
  const auto holder = choices.cold || data.bytes <= 0.0
                          ? std::nullopt
                          : resident_level(target, std::max(cached, 0.0), data.shared);
  if (!holder) {
    ResourcePrediction prediction = predict_demand(demand, target, choices, traffic);
    if (!choices.cold) {
      say_what_may_hold(cached, target, prediction.notes);
    }
    return prediction;
  }
  keep_in(*holder, demand, target, choices, traffic);
  ResourcePrediction prediction = predict_demand(demand, target, choices, traffic);
  add_note(
      prediction.notes, "resident",
      fmt::format(
          "{} of data stay in {} ({}) while the loop repeats: {} crosses beyond it. "
          "--cold: they come from the memory once",
          bytes_text(cached), to_string(*holder), capacity_text(target, *holder, data.shared),
          past && demand.least.allocate > 0 ? "only what is stored past the caches" : "nothing"));
  say_what_stands(*holder, prediction);
  return prediction;
}

ResourcePrediction predict_figures(const Demand& demand, const TargetMachine& target,
                                   const PredictionChoices& choices, LevelTraffic traffic) {
  // Bytes that were given for a level are those that crossed it.
  return choices.working_set && traffic.empty()
             ? predict_repeated(demand, {*choices.working_set, false}, target, choices,
                                std::move(traffic))
             : predict_demand(demand, target, choices, traffic);
}

}  // namespace ridge::predict
