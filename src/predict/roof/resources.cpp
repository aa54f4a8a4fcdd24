#include "predict/roof/resources.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "predict/roof/bottleneck.hpp"
#include "predict/roof/ceilings.hpp"
#include "predict/roof/figure_choice.hpp"
#include "predict/roof/limits.hpp"

namespace ridge::predict {
namespace {

double as_real(std::uint64_t count) {
  return static_cast<double>(count);
}

std::string_view work_unit(std::string_view precision) {
  return precision.starts_with("int") ? "op" : "flop";
}

Basis basis_for(const TargetMachine& target, const PredictionChoices& choices) {
  return choices.basis.value_or(target.measured ? Basis::sustained : Basis::theoretical);
}

/// Ceilings of the measured machine speak for themselves unless theory was asked for.
bool by_ceilings(const TargetMachine& target, const PredictionChoices& choices) {
  return target.measured && basis_for(target, choices) == Basis::sustained;
}

unsigned all_threads(const Machine& machine) {
  const auto threads = measured_threads(machine);
  return threads.empty() ? 1U : threads.back();
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

// ---- compute ----

struct PeakChoice {
  const PublishedPeak* peak = nullptr;
  Pipes pipes = Pipes::vector;
};

PeakChoice peak_for(const Demand& demand, const TargetMachine& target,
                    const PredictionChoices& choices, Basis basis) {
  PeakChoice best;
  for (const Pipes pipes : {Pipes::vector, Pipes::matrix}) {
    const bool usable =
        choices.pipes ? pipes == *choices.pipes : pipes == Pipes::vector || demand.matrix;
    const auto* peak = usable ? choose_peak(target, demand.precision, pipes, basis) : nullptr;
    if (peak != nullptr && (best.peak == nullptr || best.peak->figure.value < peak->figure.value)) {
      best = {peak, pipes};
    }
  }
  return best;
}

/// Flop-equivalents at the fma peak: on a shared pipe every instruction takes the place of an fma.
double charged_flops(const OperationCounts& work, bool shared) {
  if (!shared) {
    return as_real(work.flops());
  }
  return as_real(work.fma) + as_real(work.any) +
         2.0 * (as_real(work.add) + as_real(work.mul) + as_real(work.div) + as_real(work.sqrt));
}

void note_compute(const Demand& demand, const TargetMachine& target, std::vector<Note>& notes) {
  const OperationCounts& work = demand.work;
  if (!target.fma_shares_pipe && fma_share(work).value_or(1.0) < 1.0) {
    add_note(notes, "pipes-unknown",
             "whether add, mul and fma share a pipe here is not known: the compute time is that of "
             "the fma peak, which a mix with few fma may not reach");
  }
  if (work.div + work.sqrt > 0) {
    add_note(notes, "division-unknown",
             "no rate of division and square root is known here: each is charged as one addition");
  }
}

std::string missing_peak(const Demand& demand, const TargetMachine& target,
                         const PredictionChoices& choices, Basis basis) {
  const bool vector_only = choices.pipes ? *choices.pipes == Pipes::vector : !demand.matrix;
  if (vector_only && choose_peak(target, demand.precision, Pipes::matrix, basis) != nullptr) {
    return fmt::format("no {} peak of the vector pipes known (matrix pipes alone)",
                       demand.precision);
  }
  if (choices.pipes == Pipes::matrix) {
    return fmt::format("no {} peak of matrix pipes known", demand.precision);
  }
  return fmt::format("no {} peak known", demand.precision);
}

std::optional<ResourceTime> compute_by_figures(const Demand& demand, const TargetMachine& target,
                                               const PredictionChoices& choices,
                                               ResourcePrediction& prediction) {
  const Basis basis = basis_for(target, choices);
  const PeakChoice choice = peak_for(demand, target, choices, basis);
  if (choice.peak == nullptr) {
    prediction.missing = missing_peak(demand, target, choices, basis);
    return std::nullopt;
  }
  std::string name = fmt::format("{} {}", demand.precision, to_string(choice.pipes));
  note_other_basis(prediction.notes, basis, choice.peak->basis, fmt::format("the {} peak", name));
  ResourceTime time = from_figure("compute", choice.peak->figure, std::move(name));
  time.basis = choice.peak->basis;
  const bool shared = choice.pipes == Pipes::vector && target.fma_shares_pipe.value_or(false);
  if (choice.pipes == Pipes::vector) {
    note_compute(demand, target, prediction.notes);
  }
  const double charged = charged_flops(demand.work, shared);
  time.amount = as_real(demand.work.flops());
  time.rate *= time.amount / charged;
  if (charged > time.amount) {
    time.rate_name += fmt::format(" x {:.3g} for its mix", time.amount / charged);
  }
  return time;
}

Work work_terms(const Demand& demand, Precision precision, unsigned width) {
  Work work;
  const OperationCounts& counts = demand.work;
  const auto add = [&](OperationKind kind, std::uint64_t flops) {
    if (flops > 0) {
      work.add(precision, kind, width, flops);
    }
  };
  add(OperationKind::add, counts.add);
  add(OperationKind::mul, counts.mul);
  add(OperationKind::fma, counts.fma + counts.any);
  add(OperationKind::div, counts.div);
  add(OperationKind::sqrt, counts.sqrt);
  return work;
}

/// Width in bits of the instruction set that has the fastest mix of this precision; that of one
/// element where it is scalar or its registers have no fixed width.
unsigned best_width(const Machine& machine, Precision precision, unsigned threads) {
  const Ceiling* fastest = fastest_mix(machine, to_string(precision), threads);
  const bool ranked =
      fastest != nullptr && fastest->isa && properties_of(*fastest->isa).rank.has_value();
  const auto bits = ranked ? properties_of(*fastest->isa).vector_bits : std::nullopt;
  return bits.value_or(element_bits(precision));
}

std::optional<ResourceTime> compute_by_ceilings(const Demand& demand, const TargetMachine& target,
                                                const PredictionChoices& choices,
                                                ResourcePrediction& prediction) {
  const Machine& machine = *target.measured;
  const unsigned threads = all_threads(machine);
  const auto precision = parse_precision(demand.precision);
  const bool matrix = choices.pipes == Pipes::matrix;
  if (!precision || matrix || fastest_mix(machine, demand.precision, threads) == nullptr) {
    return compute_by_figures(demand, target, choices, prediction);
  }
  const Work work = work_terms(demand, *precision, best_width(machine, *precision, threads));
  const Microarchitecture* pipes = target.microarchitecture ? &*target.microarchitecture : nullptr;
  const auto limit = own_mix_limit(work, machine, pipes, threads, prediction.notes);
  if (!limit) {
    return compute_by_figures(demand, target, choices, prediction);
  }
  const Ceiling* ceiling = find_ceiling(machine, limit->ceiling);
  ResourceTime time;
  time.resource = "compute";
  time.amount = as_real(demand.work.flops());
  time.rate = time.amount / limit->seconds;
  time.rate_name = limit->ceiling;
  time.basis = Basis::sustained;
  time.origin = ceiling != nullptr
                    ? std::visit([](const auto& value) { return value.origin; }, ceiling->value)
                    : Origin::measured;
  return time;
}

void add_compute(const Demand& demand, const TargetMachine& target,
                 const PredictionChoices& choices, ResourcePrediction& prediction) {
  if (demand.work.flops() == 0) {
    return;
  }
  auto time = by_ceilings(target, choices)
                  ? compute_by_ceilings(demand, target, choices, prediction)
                  : compute_by_figures(demand, target, choices, prediction);
  if (time) {
    time->unit = work_unit(demand.precision);
    time->overlap = Overlap::compute;
    time->roof = time->rate;
    prediction.resources.push_back(std::move(*time));
  }
}

// ---- levels ----

std::optional<ResourceTime> level_by_ceilings(const Traffic& traffic, const std::string& level,
                                              const Machine& machine, std::vector<Note>& notes) {
  const unsigned threads = all_threads(machine);
  const auto limit = level == "L1" ? l1_limit(traffic, machine, kWidestIsa, threads, notes)
                                   : boundary_limit(traffic, level, machine, threads, notes);
  if (!limit) {
    return std::nullopt;
  }
  const Ceiling* ceiling = find_ceiling(machine, limit->ceiling);
  ResourceTime time;
  time.resource = level;
  time.rate = as_real(traffic.total()) / limit->seconds;
  time.rate_name = limit->ceiling;
  time.basis = Basis::sustained;
  time.origin = ceiling != nullptr
                    ? std::visit([](const auto& value) { return value.origin; }, ceiling->value)
                    : Origin::measured;
  return time;
}

std::optional<ResourceTime> level_by_figures(const Traffic& traffic, const std::string& level,
                                             const TargetMachine& target, Basis basis,
                                             std::vector<Note>& notes) {
  const double share = as_real(traffic.written) / as_real(traffic.total());
  const PublishedBandwidth* bandwidth = choose_bandwidth(target, level, basis, share);
  if (bandwidth == nullptr) {
    return std::nullopt;
  }
  note_other_basis(notes, basis, bandwidth->basis, fmt::format("the {} bandwidth", level));
  std::string name = level;
  if (bandwidth->pattern) {
    name += " " + *bandwidth->pattern;
  }
  ResourceTime time = from_figure(level, bandwidth->figure, std::move(name));
  time.basis = bandwidth->basis;
  return time;
}

void add_levels(const Demand& demand, const TargetMachine& target, const PredictionChoices& choices,
                const LevelTraffic& traffic, ResourcePrediction& prediction) {
  for (const std::string& level : bandwidth_levels(target)) {
    const auto own = traffic.find(level);
    const StreamTraffic& streams = own != traffic.end() ? own->second : demand.least;
    // Between registers and L1 only what the code asks for crosses.
    const bool allocate = level != "L1" && target.write_allocate != WriteAllocate::never;
    const Traffic bytes{streams.read + (allocate ? streams.allocate : 0), streams.written};
    if (bytes.total() == 0) {
      continue;
    }
    auto time =
        by_ceilings(target, choices)
            ? level_by_ceilings(bytes, level, *target.measured, prediction.notes)
            : level_by_figures(bytes, level, target, basis_for(target, choices), prediction.notes);
    if (!time) {
      continue;
    }
    time->unit = "byte";
    time->amount = as_real(bytes.total());
    if (demand.work.flops() > 0) {
      time->intensity = as_real(demand.work.flops()) / time->amount;
      time->roof = *time->intensity * time->rate;
    }
    prediction.resources.push_back(std::move(*time));
  }
}

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

// ---- what follows ----

/// One intensity, that of registers-L1, against the bandwidth of every level.
void add_cache_aware_roofs(const Demand& demand, const LevelTraffic& traffic,
                           ResourcePrediction& prediction) {
  const auto own = traffic.find("L1");
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

std::optional<EnergyPrediction> energy_of(const Demand& demand, const TargetMachine& target,
                                          const ResourcePrediction& prediction) {
  const PublishedEnergy& energy = target.figures.energy;
  if (energy.empty() || !energy.constant_power) {
    return std::nullopt;
  }
  EnergyPrediction result;
  for (const ResourceTime& resource : prediction.resources) {
    const bool compute = resource.resource == "compute";
    const auto& costs = compute ? energy.per_flop : energy.per_byte;
    const auto cost = costs.find(compute ? demand.precision : resource.resource);
    if (cost != costs.end()) {
      result.dynamic_joules += resource.amount * cost->second.value;
    } else if (compute || is_memory_level(resource.resource)) {
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
                   ResourcePrediction& prediction) {
  const std::string memory = main_memory(target.figures);
  const double needed = std::max(as_real(demand.least.read), as_real(demand.least.written));
  for (const PublishedMemory& candidate : target.figures.memories) {
    if (candidate.level == memory && candidate.size.value < needed) {
      add_note(prediction.notes, "exceeds-memory",
               fmt::format("at least {:.3g} GB of data do not fit into {:.3g} GB of {}",
                           needed / 1e9, candidate.size.value / 1e9, memory));
    }
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

}  // namespace

std::optional<double> fma_share(const OperationCounts& work) {
  const double fma = as_real(work.fma) / 2.0;
  const double all = fma + as_real(work.add) + as_real(work.mul);
  return all > 0.0 ? std::optional(fma / all) : std::nullopt;
}

std::vector<std::string> bandwidth_levels(const TargetMachine& target) {
  std::vector<std::string> levels;
  for (const std::string_view cache : {"L1", "L2", "L3", "L4"}) {
    for (const PublishedBandwidth& bandwidth : target.figures.bandwidths) {
      if (bandwidth.level == cache) {
        levels.emplace_back(cache);
        break;
      }
    }
  }
  if (const std::string memory = main_memory(target.figures); !memory.empty()) {
    levels.push_back(memory);
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
  if (choices.cache_aware) {
    add_cache_aware_roofs(demand, traffic, prediction);
  }
  if (choices.transfer) {
    add_transfer(demand, target, *choices.transfer, prediction);
  }
  for (ResourceTime& resource : prediction.resources) {
    const auto latency = choices.latencies.find(resource.resource);
    resource.latency = latency != choices.latencies.end() ? latency->second : 0.0;
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
  note_capacity(demand, target, prediction);
  conclude(demand, target, prediction);
  return prediction;
}

}  // namespace ridge::predict
