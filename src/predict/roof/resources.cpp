#include "predict/roof/resources.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "predict/roof/bottleneck.hpp"
#include "predict/roof/ceilings.hpp"
#include "predict/roof/demand_parts.hpp"
#include "predict/roof/figure_choice.hpp"
#include "predict/roof/limits.hpp"

namespace ridge::predict {
namespace {

// ---- links ----

void add_transfer(const Demand& demand, const TargetMachine& target, const Transfer& transfer,
                  ResourcePrediction& prediction) {
  const PublishedLink* link = choose_link(target, transfer.link);
  if (link == nullptr) {
    prediction.missing = fmt::format("no {} bandwidth known", transfer.link);
    return;
  }
  const double in = as_real(demand.least.read);
  const double out = as_real(demand.least.written);
  ResourceTime time = from_figure(
      transfer.link, link->figure,
      fmt::format("{}, {}", transfer.link,
                  transfer.duplex ? "both directions at once" : "one direction after the other"));
  const double needed = transfer.duplex ? std::max(in, out) : in + out;
  if (needed <= 0.0) {
    return;
  }
  time.unit = "byte";
  time.amount = in + out;
  time.rate = one_way(*link) * time.amount / needed;
  time.overlap = transfer.overlapped ? Overlap::data : Overlap::none;
  if (demand.work.flops() > 0) {
    time.intensity = as_real(demand.work.flops()) / time.amount;
    time.roof = *time.intensity * time.rate;
  }
  prediction.resources.push_back(std::move(time));
}

void add_own(const Demand& demand, const PredictionChoices& choices,
             ResourcePrediction& prediction) {
  for (const OwnResource& own : choices.own) {
    ResourceTime time;
    time.resource = own.name;
    time.unit = own.unit;
    time.amount = own.amount;
    time.rate = own.rate;
    time.latency = own.latency;
    time.rate_name = own.name;
    time.origin = Origin::assumed;
    if (demand.work.flops() > 0 && own.amount > 0.0) {
      time.intensity = as_real(demand.work.flops()) / own.amount;
      time.roof = *time.intensity * own.rate;
    }
    prediction.resources.push_back(std::move(time));
  }
}

/// Between the call of a kernel and its end a GPU needs this time even if there is nothing to do.
void add_launches(const TargetMachine& target, const PredictionChoices& choices,
                  ResourcePrediction& prediction) {
  const auto& latency = target.figures.launch_latency;
  if (target.figures.kind != MachineKind::gpu || !latency || choices.launches == 0) {
    return;
  }
  ResourceTime time =
      from_figure("launch", *latency, choices.launches == 1 ? "one kernel" : "kernels in turn");
  time.unit = "launch";
  time.amount = choices.launches;
  time.rate = 1.0 / latency->value;
  time.overlap = Overlap::none;
  prediction.resources.push_back(std::move(time));
}

// ---- what follows ----

/// One intensity, that of registers-L1, against the bandwidth of every level.
void add_cache_aware_roofs(const Demand& demand, const LevelTraffic& traffic,
                           ResourcePrediction& prediction) {
  const auto own = traffic.find(Level::L1);
  const StreamTraffic& inner = own != traffic.end() ? own->second : demand.least;
  if (demand.work.flops() == 0 || inner.total(false) == 0) {
    return;
  }
  const double intensity = as_real(demand.work.flops()) / as_real(inner.total(false));
  double peak = 0.0;
  for (ResourceTime& resource : prediction.resources) {
    if (resource.resource == "compute") {
      peak = resource.rate;
    } else if (peak > 0.0) {
      resource.cache_aware_roof = naive_roof(peak, resource.rate, intensity);
    }
  }
}

void add_ridge_points(ResourcePrediction& prediction) {
  double peak = 0.0;
  for (ResourceTime& resource : prediction.resources) {
    if (resource.resource == "compute") {
      peak = resource.rate;
    } else if (peak > 0.0 && resource.unit == "byte") {
      resource.ridge_point = peak / resource.rate;
    }
  }
}

/// nullptr: not published.
template <class Key>
const Figure* cost_of(const std::map<Key, Figure>& costs, const Key& key) {
  const auto found = costs.find(key);
  return found == costs.end() ? nullptr : &found->second;
}

std::optional<EnergyPrediction> energy_of(const Demand& demand, const TargetMachine& target,
                                          const ResourcePrediction& prediction) {
  const PublishedEnergy& energy = target.figures.energy;
  if (energy.empty() || !energy.constant_power) {
    return std::nullopt;
  }
  EnergyPrediction result;
  for (const ResourceTime& resource : prediction.resources) {
    const bool compute = resource.resource == "compute";
    const auto level = parse_level(resource.resource);
    const Figure* cost = compute ? cost_of(energy.per_flop, demand.precision)
                         : level ? cost_of(energy.per_byte, *level)
                                 : nullptr;
    if (cost != nullptr) {
      result.dynamic_joules += resource.amount * cost->value;
    } else if (compute || (level && is_memory_level(*level))) {
      return std::nullopt;  // a sum without its largest parts would be no energy
    }
  }
  result.joules = result.dynamic_joules + energy.constant_power->value * *prediction.seconds;
  result.watts = result.joules / *prediction.seconds;
  if (demand.work.flops() > 0) {
    result.flops_per_joule = as_real(demand.work.flops()) / result.joules;
  }
  return result;
}

void note_capacity(const Demand& demand, const TargetMachine& target,
                   const PredictionChoices& choices, ResourcePrediction& prediction) {
  const double all = std::max(as_real(demand.least.read), as_real(demand.least.written));
  for (const MemoryShare& part : memory_shares(target, choices)) {
    for (const PublishedMemory& candidate : target.figures.memories) {
      const double needed = all * part.share;
      if (candidate.level == part.node && candidate.size.value < needed) {
        add_note(prediction.notes, "exceeds-memory",
                 fmt::format("at least {:.3g} GB of data do not fit into {:.3g} GB of {}",
                             needed / 1e9, candidate.size.value / 1e9, to_string(part.node)));
      }
    }
  }
}

/// What carries work or traffic here, and has no rate.
void add_unbounded(const Demand& demand, const TargetMachine& target,
                   const PredictionChoices& choices, const LevelTraffic& traffic,
                   ResourcePrediction& prediction) {
  const auto bounded = [&](std::string_view name) {
    return std::any_of(prediction.resources.begin(), prediction.resources.end(),
                       [&](const ResourceTime& resource) { return resource.resource == name; });
  };
  if (demand.work.flops() > 0 && target.arithmetic_is_free) {
    prediction.unbounded.emplace_back("compute");
  }
  for (const Level level : kCacheLevels) {
    const auto own = traffic.find(level);
    const StreamTraffic& streams = own != traffic.end() ? own->second : demand.least;
    const bool here =
        std::any_of(target.figures.caches.begin(), target.figures.caches.end(),
                    [&](const PublishedCache& cache) { return cache.level == level; });
    if (here && streams.total(true) > 0 && !bounded(to_string(level))) {
      prediction.unbounded.emplace_back(to_string(level));
    }
  }
  const auto memory = main_memory(target.figures);
  const bool bytes_unknown =
      memory && traffic.find(*memory) == traffic.end() && lies_beyond(*memory, choices);
  if (demand.least.total(false) > 0 && (!memory || bytes_unknown)) {
    prediction.unbounded.emplace_back("memory");
  }
  if (bytes_unknown) {
    add_note(prediction.notes, "bytes-unknown",
             fmt::format("bytes are given down to {}: what crosses further out is not known, and "
                         "may bind",
                         to_string(*choices.outermost_known)));
  }
}

void conclude(const Demand& demand, const TargetMachine& target, ResourcePrediction& prediction) {
  const CombinedTime time = combine(prediction.resources);
  if (prediction.missing || !time.binding) {
    if (!prediction.missing) {
      prediction.missing = "nothing to do";
    }
    return;
  }
  prediction.seconds = time.max;
  prediction.ecm_seconds = time.ecm;
  prediction.sum_seconds = time.sum;
  prediction.binding = time.binding;
  prediction.next = time.next;
  prediction.attainable = prediction.work / time.max;
  prediction.attainable_without_overlap = prediction.work / time.sum;
  prediction.energy = energy_of(demand, target, prediction);
}

void combine_as_told(const OverlapExpression& overlap, ResourcePrediction& prediction) {
  if (prediction.missing) {
    return;
  }
  prediction.combination = overlap.text();
  prediction.combined_seconds = overlap.seconds(prediction.resources);
  for (const ResourceTime& resource : prediction.resources) {
    if (resource.seconds > 0.0 && !overlap.uses(resource.resource)) {
      add_note(prediction.notes, "left-out",
               fmt::format("{} is left out of `{}`", resource.resource, overlap.text()));
    }
  }
}

}  // namespace

std::string_view work_unit(std::string_view precision) {
  return precision.starts_with("int") ? "op" : "flop";
}

Basis basis_for(const TargetMachine& target, const PredictionChoices& choices) {
  return choices.basis.value_or(target.measured ? Basis::sustained : Basis::theoretical);
}

bool by_ceilings(const TargetMachine& target, const PredictionChoices& choices) {
  return target.measured && basis_for(target, choices) == Basis::sustained;
}

bool lies_beyond(Level level, const PredictionChoices& choices) {
  return choices.outermost_known && InnermostFirst()(*choices.outermost_known, level);
}

unsigned threads_of(const TargetMachine& target) {
  const auto measured = measured_threads(*target.measured);
  return target.threads.value_or(measured.empty() ? 1U : measured.back());
}

ResourceTime from_figure(std::string resource, const Figure& figure, std::string rate_name) {
  ResourceTime time;
  time.resource = std::move(resource);
  time.rate = figure.value;
  time.rate_name = std::move(rate_name);
  time.origin = figure.origin;
  time.source = figure.source;
  time.verified = figure.verified;
  return time;
}

void note_other_basis(std::vector<Note>& notes, Basis wanted, Basis found,
                      const std::string& what) {
  if (wanted != found) {
    add_note(notes, "other-basis",
             fmt::format("no {} figure is known of {}: the {} one stands in", to_string(wanted),
                         what, to_string(found)));
  }
}

std::optional<double> fma_share(const OperationCounts& work) {
  const double fma = as_real(work.fma) / 2.0;
  const double all = fma + as_real(work.add) + as_real(work.mul);
  return all > 0.0 ? std::optional(fma / all) : std::nullopt;
}

std::vector<MemoryShare> memory_shares(const TargetMachine& target,
                                       const PredictionChoices& choices) {
  if (!choices.memory.empty()) {
    return choices.memory;
  }
  const auto main = main_memory(target.figures);
  return main ? std::vector<MemoryShare>{{*main, 1.0}} : std::vector<MemoryShare>{};
}

std::vector<Level> bandwidth_levels(const TargetMachine& target) {
  std::vector<Level> levels;
  for (const Level cache : kCacheLevels) {
    for (const PublishedBandwidth& bandwidth : target.figures.bandwidths) {
      const bool a_roof = !bandwidth.cores && bandwidth.basis != Basis::achieved;
      if (bandwidth.level == cache && a_roof) {
        levels.push_back(cache);
        break;
      }
    }
  }
  if (const auto memory = main_memory(target.figures)) {
    levels.push_back(*memory);
  }
  return levels;
}

ResourcePrediction predict_demand(const Demand& demand, const TargetMachine& target,
                                  const PredictionChoices& choices, const LevelTraffic& traffic) {
  ResourcePrediction prediction;
  prediction.machine = target.figures.key;
  prediction.machine_name = target.figures.name;
  const bool has_work = demand.work.flops() > 0;
  prediction.unit = has_work ? work_unit(demand.precision) : "byte";
  prediction.work =
      as_real(has_work ? demand.work.flops() : demand.least.read + demand.least.written);
  add_compute(demand, target, choices, prediction);
  add_levels(demand, target, choices, traffic, prediction);
  add_ridge_points(prediction);
  if (choices.cache_aware) {
    add_cache_aware_roofs(demand, traffic, prediction);
  }
  if (choices.transfer) {
    add_transfer(demand, target, *choices.transfer, prediction);
  }
  add_launches(target, choices, prediction);
  add_own(demand, choices, prediction);
  for (ResourceTime& resource : prediction.resources) {
    const auto latency = choices.latencies.find(resource.resource);
    resource.latency = latency != choices.latencies.end() ? latency->second : resource.latency;
    resource.seconds = resource_seconds(resource.amount, resource.rate, resource.latency);
  }
  for (const auto& [name, seconds] : choices.latencies) {
    if (std::none_of(prediction.resources.begin(), prediction.resources.end(),
                     [&](const ResourceTime& resource) { return resource.resource == name; })) {
      add_note(
          prediction.notes, "unused-latency",
          fmt::format("the latency of {} counts nothing here: no such resource is used", name));
    }
  }
  for (const std::string& change : target.changes) {
    add_note(prediction.notes, "what-if", fmt::format("what if {}", change));
  }
  note_capacity(demand, target, choices, prediction);
  add_unbounded(demand, target, choices, traffic, prediction);
  conclude(demand, target, prediction);
  if (choices.overlap) {
    combine_as_told(*choices.overlap, prediction);
  }
  return prediction;
}

}  // namespace ridge::predict
