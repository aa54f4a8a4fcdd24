#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "predict/roof/cache_geometry.hpp"
#include "predict/roof/ceilings.hpp"
#include "predict/roof/demand_parts.hpp"
#include "predict/roof/figure_choice.hpp"
#include "predict/roof/limits.hpp"

namespace ridge::predict {
namespace {

constexpr double kLine = 64.0;  // byte

std::optional<ResourceTime> level_by_ceilings(const Traffic& traffic, Level level,
                                              const TargetMachine& target,
                                              std::vector<Note>& notes) {
  const Machine& machine = *target.measured;
  const unsigned threads = threads_of(target);
  const auto limit = level == Level::L1 ? l1_limit(traffic, machine, kWidestIsa, threads, notes)
                                        : boundary_limit(traffic, level, machine, threads, notes);
  if (!limit) {
    return std::nullopt;
  }
  const Ceiling* ceiling = find_ceiling(machine, limit->ceiling);
  ResourceTime time;
  time.resource = to_string(level);
  time.rate = as_real(traffic.total()) / limit->seconds;
  time.rate_name = limit->ceiling;
  time.basis = Basis::sustained;
  time.origin = ceiling != nullptr
                    ? std::visit([](const auto& value) { return value.origin; }, ceiling->value)
                    : Origin::measured;
  return time;
}

std::string_view words_of_mix(double written_share) {
  return written_share <= 0.0 ? "load" : written_share >= 1.0 ? "store" : "load and store";
}

void note_core(std::vector<Note>& notes, const TargetMachine& target) {
  add_note(
      notes, "derived-rate",
      fmt::format("cache bandwidths are derived from the microarchitecture{} (byte per cycle x "
                  "clock x cores): nobody published those of this part",
                  target.microarchitecture ? " " + target.microarchitecture->name : ""));
}

std::optional<ResourceTime> level_by_figures(const Traffic& traffic, Level level,
                                             const TargetMachine& target, Basis basis,
                                             std::vector<Note>& notes) {
  const double share =
      traffic.total() > 0 ? as_real(traffic.written) / as_real(traffic.total()) : 0.0;
  const PublishedBandwidth* bandwidth = choose_bandwidth(target, level, basis, share);
  if (bandwidth == nullptr) {
    return std::nullopt;
  }
  note_other_basis(notes, basis, bandwidth->basis,
                   fmt::format("the {} bandwidth", to_string(level)));
  std::string name(to_string(level));
  if (bandwidth->pattern) {
    name += " " + *bandwidth->pattern;
  }
  ResourceTime time =
      from_figure(std::string(to_string(level)), bandwidth->figure, std::move(name));
  time.basis = bandwidth->basis;
  if (!follows_from_core(bandwidth->figure)) {
    return time;
  }
  const auto rate = rate_of_core_mix(target, level, share);
  if (!rate) {
    return std::nullopt;
  }
  time.rate = *rate;
  time.rate_name = fmt::format("{} {}", to_string(level), words_of_mix(share));
  if (traffic.total() > 0) {
    note_core(notes, target);
  }
  return time;
}

// ---- fewer cores than the part has ----

std::string_view core_word(const TargetMachine& target) {
  return target.figures.kind == MachineKind::gpu ? "multiprocessor" : "core";
}

/// "By Little's law ..."; empty when no latency is known.
std::string concurrency_words(const TargetMachine& target, Level level, double rate) {
  const PublishedLatency* latency = latency_of(target.figures, level);
  return latency == nullptr ? std::string()
                            : fmt::format(
                                  ". By Little's law {:.0f} lines of 64 byte must be under way for "
                                  "that ({:.3g} ns "
                                  "x {:.3g} GB/s); how many one {} holds is not known",
                                  std::ceil(latency->figure.value * rate / kLine),
                                  latency->figure.value * 1e9, rate / 1e9, core_word(target));
}

/// b(n) = min(n b(1), b): cores add up until the level is saturated.
void saturate(ResourceTime& time, Level level, const TargetMachine& target,
              std::vector<Note>& notes) {
  const PublishedBandwidth* one = one_core_bandwidth(target.figures, level);
  const double cores = target.figures.cores->value;
  const double all = time.rate;
  if (one == nullptr) {
    add_note(notes, "core-bandwidth-unknown",
             fmt::format("what {:g} of {:g} {}s draw from {} is not known: the {:.4g} GB/s that "
                         "all draw together stand, an upper bound{}",
                         cores, *target.part_cores, core_word(target), to_string(level), all / 1e9,
                         concurrency_words(target, level, all)));
    return;
  }
  const double alone = one->figure.value;
  add_note(notes, "core-bandwidth",
           fmt::format("one {0} draws {1:.4g} GB/s from {2}, all draw {3:.4g} GB/s: {4:.0f} {0}s "
                       "saturate it",
                       core_word(target), alone / 1e9, to_string(level), all / 1e9,
                       std::ceil(all / alone)));
  if (cores * alone < all) {
    ResourceTime limited =
        from_figure(time.resource, one->figure,
                    fmt::format("{} of one {} x {:g}", time.rate_name, core_word(target), cores));
    limited.rate = cores * alone;
    limited.basis = one->basis;
    time = std::move(limited);
  }
}

/// Caches of a core are scaled with the cores where these are chosen (core_share.hpp). Of a
/// measured machine the ceilings of the threads speak.
void limit_to_cores(ResourceTime& time, Level level, const TargetMachine& target,
                    std::vector<Note>& notes) {
  const auto& cores = target.figures.cores;
  if (target.measured || !cores || !target.part_cores || cores->value >= *target.part_cores) {
    return;
  }
  const PublishedCache* cache = cache_named(target, level);
  if (cache != nullptr && is_of_a_core(target, *cache)) {
    return;
  }
  if (cache != nullptr) {
    const CacheInstances instances = instances_of(target, *cache);
    time.rate *= instances.used / instances.all;
  }
  saturate(time, level, target, notes);
}

// ---- what crosses ----

struct LevelShare {
  Level level = Level::DRAM;
  double share = 1.0;  ///< of the traffic that is looked up under `traffic`
  Level traffic = Level::DRAM;
};

/// Caches, then the nodes of the memory: those that were chosen, or the main one and others that
/// have traffic of their own; sets `missing` where a chosen one is not known.
std::vector<LevelShare> level_shares(const TargetMachine& target, const PredictionChoices& choices,
                                     const LevelTraffic& traffic, ResourcePrediction& prediction) {
  std::vector<LevelShare> levels;
  const auto main = main_memory(target.figures);
  for (const Level level : bandwidth_levels(target)) {
    if (!is_memory_level(level)) {
      levels.push_back({level, 1.0, level});
    }
  }
  for (const MemoryShare& part : memory_shares(target, choices)) {
    const auto known = memory_nodes(target);
    if (std::find(known.begin(), known.end(), part.node) == known.end()) {
      std::vector<std::string_view> names;
      for (const Level level : known) {
        names.push_back(to_string(level));
      }
      prediction.missing =
          fmt::format("no {} bandwidth known, of {}", to_string(part.node),
                      names.empty() ? "no memory" : fmt::format("{}", fmt::join(names, " and ")));
      continue;
    }
    levels.push_back({part.node, part.share, main.value_or(part.node)});
  }
  for (const Level node : choices.memory.empty() ? memory_nodes(target) : std::vector<Level>()) {
    if (node != main && traffic.contains(node)) {
      levels.push_back({node, 1.0, node});
    }
  }
  return levels;
}

/// `allocate` counts stores to lines that are in no cache: they read the line first, or, past the
/// caches, cross no boundary but those of L1 and of the memory.
Traffic crossing(const StreamTraffic& streams, Level level, double share,
                 const TargetMachine& target, const PredictionChoices& choices) {
  const auto part = [share](std::uint64_t bytes) {
    return share == 1.0 ? bytes : static_cast<std::uint64_t>(std::llround(share * as_real(bytes)));
  };
  if (level == Level::L1) {  // only what the code asks for
    return {streams.read, streams.written};
  }
  const bool past = choices.stores == Stores::nontemporal;
  const bool reads = choices.stores ? !past : target.write_allocate != WriteAllocate::never;
  const std::uint64_t beside =
      past && !is_memory_level(level) ? std::min(streams.allocate, streams.written) : 0;
  return {part(streams.read + (reads ? streams.allocate : 0)), part(streams.written - beside)};
}

}  // namespace

std::vector<Level> memory_nodes(const TargetMachine& target) {
  std::vector<Level> nodes;
  for (const Level level : kLevels) {
    for (const Basis basis : {Basis::theoretical, Basis::sustained}) {
      if (is_memory_level(level) && highest_bandwidth(target.figures, level, basis) != nullptr) {
        nodes.push_back(level);
        break;
      }
    }
  }
  return nodes;
}

void add_levels(const Demand& demand, const TargetMachine& target, const PredictionChoices& choices,
                const LevelTraffic& traffic, ResourcePrediction& prediction) {
  for (const LevelShare& part : level_shares(target, choices, traffic, prediction)) {
    const auto own = traffic.find(part.traffic);
    const bool given = own != traffic.end();
    if (!given && lies_beyond(part.level, choices)) {
      continue;
    }
    const Traffic bytes =
        crossing(given ? own->second : demand.least, part.level, part.share, target, choices);
    if (bytes.total() == 0 && !given) {
      continue;
    }
    auto time = by_ceilings(target, choices) && bytes.total() > 0
                    ? level_by_ceilings(bytes, part.level, target, prediction.notes)
                    : level_by_figures(bytes, part.level, target, basis_for(target, choices),
                                       prediction.notes);
    if (!time) {
      continue;
    }
    if (bytes.total() > 0) {
      limit_to_cores(*time, part.level, target, prediction.notes);
    }
    time->unit = "byte";
    time->amount = as_real(bytes.total());
    if (demand.work.flops() > 0 && bytes.total() > 0) {
      time->intensity = as_real(demand.work.flops()) / time->amount;
      time->roof = *time->intensity * time->rate;
    }
    prediction.resources.push_back(std::move(*time));
  }
}

}  // namespace ridge::predict
