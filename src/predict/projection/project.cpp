#include "predict/projection/project.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "predict/projection/common_levels.hpp"
#include "predict/projection/device_terms.hpp"
#include "predict/projection/project_region.hpp"
#include "predict/projection/published_ceilings.hpp"
#include "predict/projection/regions_there.hpp"
#include "predict/projection/traffic_there.hpp"
#include "predict/roof/ceilings.hpp"
#include "predict/roof/figure_choice.hpp"
#include "predict/roof/limits.hpp"
#include "predict/roof/memory.hpp"

namespace ridge::predict {
namespace {

/// Of all precisions the one with most work; empty without work.
std::string main_precision(const Profile& profile) {
  const Region* program = program_region(profile);
  std::pair<std::uint64_t, std::string> most{0, ""};
  for (const Precision precision :
       {Precision::fp64, Precision::fp32, Precision::fp16, Precision::bf16}) {
    const std::uint64_t flops =
        program != nullptr ? known_work(*program).total(precision).value_or(0) : 0;
    if (flops > most.first) {
      most = {flops, std::string(to_string(precision))};
    }
  }
  return most.second;
}

bool is_projected(const ProjectedRegion& region) {
  return region.ideal_seconds && region.seconds;
}

/// Wall time of the whole program by the shares that regions have in the measured time; what is not
/// projected lasts as long. nullopt: nothing is projected, or a projected region lacks this time.
/// `placed` and `regions` belong together; `wall`: measured, s.
std::optional<double> add_up(const std::vector<PlacedRegion>& placed,
                             const std::vector<ProjectedRegion>& regions,
                             std::optional<double> ProjectedRegion::* time, double wall) {
  double all = 0.0;
  double there = 0.0;
  bool any = false;
  for (std::size_t i = 0; i < placed.size(); ++i) {
    const double seconds = seconds_of(*placed[i].region);
    const bool known = is_projected(regions[i]);
    if (known && !(regions[i].*time)) {
      return std::nullopt;
    }
    any = any || known;
    all += seconds;
    there += known ? *(regions[i].*time) : seconds;
  }
  return any ? std::optional(wall * there / all) : std::nullopt;
}

void set_program(MachineProjection& projection, const std::vector<PlacedRegion>& placed,
                 double wall) {
  const auto& regions = projection.regions;
  projection.ideal_seconds = add_up(placed, regions, &ProjectedRegion::ideal_seconds, wall);
  projection.seconds = add_up(placed, regions, &ProjectedRegion::seconds, wall);
  projection.low_seconds = add_up(placed, regions, &ProjectedRegion::low_seconds, wall);
  projection.high_seconds = add_up(placed, regions, &ProjectedRegion::high_seconds, wall);
  double all = 0.0;
  double known = 0.0;
  projection.simulated = true;
  for (std::size_t i = 0; i < placed.size(); ++i) {
    const double seconds = seconds_of(*placed[i].region);
    all += seconds;
    known += is_projected(regions[i]) ? seconds : 0.0;
    projection.simulated =
        projection.simulated && (regions[i].simulated || !is_projected(regions[i]));
  }
  projection.projected_share = known > 0.0 ? known / all : 0.0;
  projection.simulated = projection.simulated && known > 0.0;
}

void note_cores(const ProjectionTarget& target, const ProjectionChoices& choices,
                const CoresChoice& cores, unsigned threads_here, std::vector<Note>& notes) {
  const auto& known = target.machine.figures.cores;
  if (choices.cores && is_cpu(target) && known && *choices.cores > known->value) {
    add_note(notes, "fewer-cores",
             fmt::format("it has {:g} cores, not {}", known->value, *choices.cores));
  }
  if (is_cpu(target) && cores.most && *cores.most > 1 && threads_here == 1) {
    add_note(notes, "parallel-there",
             fmt::format("its loops ran on one thread here: {} cores take an even share each, if "
                         "they can",
                         *cores.most));
  }
  if (!is_cpu(target)) {
    add_note(notes, "whole-device",
             "every loop runs on the whole device, or, where it is refused, as here");
  }
}

/// `drawn`: by `use.cores` cores of a published CPU, byte/s.
void note_memory_per_core(const std::optional<double>& drawn, const PublishedUse& use,
                          const TargetMachine& target, std::vector<Note>& notes) {
  const auto memory = main_memory(target.figures);
  if (memory && drawn_by_one_core(target.figures, *memory)) {
    return;
  }
  if (use.memory_per_core && drawn && *drawn >= *use.memory_per_core * use.cores * 0.999) {
    add_note(notes, "memory-per-core",
             fmt::format("{} of its cores are taken to draw no more from memory than as many here "
                         "({:.3g} GB/s each)",
                         use.cores, *use.memory_per_core / 1e9));
  }
}

void note_levels(const Machine& here, const Machine& there, std::vector<Note>& notes) {
  std::string unknown;
  const auto known = bounded_levels(there);
  for (const Level level : bounded_levels(here)) {
    if (!known.contains(level) && !is_memory_level(level)) {
      unknown += fmt::format("{}{}", unknown.empty() ? "" : ", ", to_string(level));
    }
  }
  if (!unknown.empty()) {
    add_note(notes, "levels-unknown",
             fmt::format("no bandwidth is known there that stands for that of {} here: it does "
                         "not bind",
                         unknown));
  }
}

/// What was assumed and what was not known, beside `notes`. `projection`: all but its notes.
/// `there`: with `use.cores` cores.
std::vector<Note> notes_on(const MachineProjection& projection, const Machine& here,
                           const Machine& there, const PublishedUse& use,
                           const ProjectionTarget& target, std::vector<Note> notes) {
  for (const std::string& change : target.machine.changes) {
    add_note(notes, "what-if", fmt::format("what if {}", change));
  }
  if (!projection.simulated) {
    add_note(notes, "traffic-of-this-machine",
             std::string("the traffic is that of the caches that the program ran on") +
                 (target.caches ? ": `ridge run --also MACHINE` simulates theirs" : ""));
  }
  if (projection.published && is_cpu(target)) {
    note_memory_per_core(projection.bytes_per_second, use, target.machine, notes);
  }
  note_levels(here, there, notes);
  return notes;
}

/// What a chart shows of a machine with so many cores; `precision` empty: no work, no peak.
void set_rates(MachineProjection& projection, const Machine& machine, const std::string& precision,
               unsigned cores) {
  projection.memory = memory_level(machine);
  if (const Ceiling* peak = fastest_mix(machine, precision, cores)) {
    projection.flops_per_second = p90_of(peak->value);
  }
  if (const Ceiling* load =
          find_bandwidth(machine, {projection.memory, Pattern::load, kWidestIsa, cores}).ceiling) {
    projection.bytes_per_second = p90_of(load->traffic_value.value_or(load->value));
  }
}

/// The interval of each region over all readings of the target's figures.
void set_intervals(MachineProjection& projection, const std::vector<PlacedRegion>& placed,
                   const Elsewhere& elsewhere, const PublishedUse& use) {
  projection.interval_of = {
      "every loop at its roof (ideal) to as far from it as here (calibrated)"};
  OtherReadings other = other_readings(elsewhere.target, use, elsewhere.profile.machine);
  for (const PublishedUse& reading : other.uses) {
    widen(projection.regions, regions_there(placed, elsewhere, reading).regions);
  }
  std::move(other.span.begin(), other.span.end(), std::back_inserter(projection.interval_of));
  if (!is_cpu(elsewhere.target)) {
    projection.interval_of.emplace_back(
        "data there already and nests as one kernel, to data sent for each kernel and iterations "
        "of "
        "one loop alone");
  }
}

MachineProjection project_on(const Elsewhere& elsewhere, const CoresChoice& cores,
                             const ProjectionChoices& choices) {
  const auto& [profile, pipes, target, latencies, traffic] = elsewhere;
  const std::vector<PlacedRegion> placed = place_regions(profile, target, cores.most);
  PublishedUse use{.basis = choices.basis,
                   .memory_per_core = drawn_here(profile.machine, memory_level(profile.machine))};
  RegionsThere there = regions_there(placed, elsewhere, use);
  const auto& [most_cores, machine] = *there.machines.rbegin();
  use.cores = most_cores;
  MachineProjection projection;
  projection.machine = target.machine.figures.key;
  projection.name = target.machine.figures.name;
  projection.published = !target.machine.measured;
  projection.cores_are = cores.are;
  projection.cores = is_cpu(target) ? most_cores : cores_of(target.machine.figures);
  projection.regions = std::move(there.regions);
  set_intervals(projection, placed, elsewhere, use);
  set_program(projection, placed, profile.program.wall_seconds.value());
  set_rates(projection, machine, main_precision(profile), most_cores);
  std::vector<Note> notes;
  note_cores(target, choices, cores, most_threads(profile.regions), notes);
  projection.notes = notes_on(projection, profile.machine, machine, use, target, std::move(notes));
  return projection;
}

std::vector<std::string> assumptions_of(const Projection& projection,
                                        const ProjectionChoices& choices) {
  std::vector<std::string> all{
      "the same instructions as compiled here: work and registers-L1 traffic do not change",
      "ideal: every loop reaches its roof there; calibrated: it stays as far from the roof as "
      "here, "
      "by the resources whose rates are known on both machines"};
  all.push_back(
      choices.cores
          ? fmt::format("loops that had most threads here run on {} cores, evenly; others "
                        "on as many cores as they had threads",
                        *choices.cores)
          : std::string("every loop runs on as many cores as it had threads here; on the whole "
                        "target, loops that had most threads run on all its cores, evenly"));
  all.emplace_back(
      "what has no bound (libraries, waiting, unattributed time) lasts as long as here");
  const auto& machines = projection.machines;
  if (std::any_of(machines.begin(), machines.end(), [](const auto& m) { return m.published; })) {
    all.push_back(
        fmt::format("published machines: {} rates there stand against measured ones here; "
                    "the clock of a CPU falls evenly from boost with one core to base with "
                    "all; one socket",
                    to_string(choices.basis)));
  }
  return all;
}

}  // namespace

std::vector<std::string> latency_keys(const TargetMachine& target) {
  std::set<std::string, std::less<>> keys{"compute"};
  if (target.measured) {
    for (const Level level : bounded_levels(*target.measured)) {
      keys.emplace(to_string(level));
    }
  }
  for (const PublishedBandwidth& bandwidth : target.figures.bandwidths) {
    keys.emplace(to_string(bandwidth.level));
  }
  if (target.microarchitecture && !target.measured) {
    keys.emplace(to_string(Level::L1));
    for (const auto& level : target.microarchitecture->levels) {
      keys.emplace(to_string(level.level));
    }
  }
  if (target.figures.kind != MachineKind::cpu) {
    keys.emplace("launch");
    if (choose_link(target, kHostLink) != nullptr) {
      keys.emplace(kHostLink);
    }
  }
  return {keys.begin(), keys.end()};
}

Projection project(const Profile& profile, const Microarchitecture* microarchitecture,
                   const std::vector<ProjectionTarget>& targets, const ProjectionChoices& choices) {
  Projection projection;
  projection.seconds_here = profile.program.wall_seconds.value();
  projection.precision = main_precision(profile);
  for (const ProjectionTarget& target : targets) {
    const Elsewhere elsewhere{profile, microarchitecture, target, choices.latencies,
                              traffic_source(profile, target)};
    for (const CoresChoice& cores : cores_choices(profile, target, choices)) {
      projection.machines.push_back(project_on(elsewhere, cores, choices));
    }
  }
  std::stable_sort(projection.machines.begin(), projection.machines.end(),
                   [](const MachineProjection& a, const MachineProjection& b) {
                     constexpr double kUnknown = std::numeric_limits<double>::infinity();
                     return a.seconds.value_or(kUnknown) < b.seconds.value_or(kUnknown);
                   });
  projection.assumptions = assumptions_of(projection, choices);
  return projection;
}

}  // namespace ridge::predict
