#include "predict/projection/project.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "predict/projection/common_levels.hpp"
#include "predict/projection/project_region.hpp"
#include "predict/projection/published_ceilings.hpp"
#include "predict/projection/traffic_there.hpp"
#include "predict/roof/ceilings.hpp"
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

/// A region with time, and how many cores it runs on there.
struct PlacedRegion {
  const Region* region = nullptr;
  unsigned cores = 1;
};

bool is_cpu(const ProjectionTarget& target) {
  return target.machine.figures.kind == MachineKind::cpu;
}

unsigned most_threads(const std::vector<Region>& regions) {
  unsigned most = 1;
  for (const Region& region : regions) {
    most = std::max(most, seconds_of(region) > 0.0 ? region.threads : 1U);
  }
  return most;
}

/// `widest`: no region has more threads. Published machines lend no more cores than they have.
unsigned cores_for(const Region& region, bool widest, const ProjectionTarget& target,
                   const ProjectionChoices& choices) {
  if (!is_cpu(target)) {
    return 1;
  }
  const unsigned wanted = choices.cores && widest ? *choices.cores : region.threads;
  const auto& known = target.machine.figures.cores;
  const unsigned there =
      known ? std::max(1U, static_cast<unsigned>(known->value)) : std::max(1U, wanted);
  return target.machine.measured ? std::max(1U, wanted) : std::clamp(wanted, 1U, there);
}

/// Those with time, in the order of the profile.
std::vector<PlacedRegion> place_regions(const Profile& profile, const ProjectionTarget& target,
                                        const ProjectionChoices& choices) {
  const unsigned most = most_threads(profile.regions);
  std::vector<PlacedRegion> placed;
  for (const Region& region : profile.regions) {
    if (region.kind != RegionKind::program && seconds_of(region) > 0.0) {
      placed.push_back({&region, cores_for(region, region.threads >= most, target, choices)});
    }
  }
  return placed;
}

/// What one core draws from memory, byte/s; nullopt where loads on one thread were not measured.
std::optional<double> memory_per_core(const Machine& machine) {
  const Ceiling* one =
      find_bandwidth(machine, {memory_level(machine), Pattern::load, kWidestIsa, 1}).ceiling;
  return one != nullptr && one->threads == 1 ? std::optional(p90_of(one->value)) : std::nullopt;
}

/// The machine there for each number of cores that regions run on; for one core without regions.
/// `caches`: those that the traffic is of, where they are not those there: a victim cache counts as
/// one where the traffic is its.
std::map<unsigned, Machine> machines_there(const std::vector<PlacedRegion>& placed,
                                           const ProjectionTarget& target, PublishedUse use,
                                           const std::optional<std::vector<Cache>>& caches) {
  std::set<unsigned> cores;
  for (const PlacedRegion& region : placed) {
    cores.insert(region.cores);
  }
  if (cores.empty()) {
    cores.insert(1);
  }
  std::map<unsigned, Machine> machines;
  for (const unsigned count : cores) {
    use.cores = count;
    Machine& machine = machines[count];
    machine = target.machine.measured ? *target.machine.measured
                                      : published_machine(target.machine, target.caches, use);
    if (caches) {
      machine.caches = *caches;
    }
  }
  return machines;
}

/// Of the whole program.
struct ProgramTimes {
  std::optional<double> ideal_seconds;
  std::optional<double> calibrated_seconds;
  double projected_share = 0.0;  ///< of the measured time
  bool simulated = false;        ///< all that is projected
};

/// By the shares that regions have in the measured time; what is not projected lasts as long.
/// `projected`: each of `placed`. `wall`: measured, s.
ProgramTimes add_up(const std::vector<PlacedRegion>& placed,
                    const std::vector<ProjectedRegion>& projected, double wall) {
  double all = 0.0;
  double known_part = 0.0;
  double ideal = 0.0;
  double calibrated = 0.0;
  bool simulated = true;
  for (std::size_t i = 0; i < placed.size(); ++i) {
    const ProjectedRegion& region = projected[i];
    const double seconds = seconds_of(*placed[i].region);
    const bool known = region.ideal_seconds && region.seconds;
    all += seconds;
    known_part += known ? seconds : 0.0;
    ideal += known ? *region.ideal_seconds : seconds;
    calibrated += known ? *region.seconds : seconds;
    simulated = simulated && (region.simulated || !known);
  }
  if (!(known_part > 0.0)) {
    return {};
  }
  return {wall * ideal / all, wall * calibrated / all, known_part / all, simulated};
}

void note_cores(const ProjectionTarget& target, const ProjectionChoices& choices,
                std::vector<Note>& notes) {
  const auto& known = target.machine.figures.cores;
  if (choices.cores && is_cpu(target) && known && *choices.cores > known->value) {
    add_note(notes, "fewer-cores",
             fmt::format("it has {:g} cores, not {}", known->value, *choices.cores));
  }
  if (!is_cpu(target)) {
    add_note(notes, "whole-device", "every loop runs on the whole device");
  }
}

/// `drawn`: by `use.cores` cores of a published CPU, byte/s.
void note_memory_per_core(const std::optional<double>& drawn, const PublishedUse& use,
                          std::vector<Note>& notes) {
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
  for (const std::string& level : bounded_levels(here)) {
    if (!known.contains(level) && !is_memory_level(level)) {
      unknown += fmt::format("{}{}", unknown.empty() ? "" : ", ", level);
    }
  }
  if (!unknown.empty()) {
    add_note(notes, "levels-unknown",
             fmt::format("no bandwidth is known there that stands for that of {} here: it does "
                         "not bind",
                         unknown));
  }
}

/// What was assumed and what was not known. `projection`: all but its notes. `there`: with
/// `use.cores` cores.
std::vector<Note> notes_on(const MachineProjection& projection, const Machine& here,
                           const Machine& there, const PublishedUse& use,
                           const ProjectionTarget& target, const ProjectionChoices& choices) {
  std::vector<Note> notes;
  for (const std::string& change : target.machine.changes) {
    add_note(notes, "what-if", fmt::format("what if {}", change));
  }
  if (!projection.simulated) {
    add_note(notes, "traffic-of-this-machine",
             std::string("the traffic is that of the caches that the program ran on") +
                 (target.caches ? ": `ridge run --also MACHINE` simulates theirs" : ""));
  }
  note_cores(target, choices, notes);
  if (projection.published && is_cpu(target)) {
    note_memory_per_core(projection.bytes_per_second, use, notes);
  }
  note_levels(here, there, notes);
  return notes;
}

/// `machines`: of the target, by cores.
std::vector<ProjectedRegion> project_regions(const std::vector<PlacedRegion>& placed,
                                             const TrafficSource& traffic, const RatedMachine& here,
                                             const std::map<unsigned, Machine>& machines,
                                             const ProjectionTarget& target) {
  const auto& pipes = target.machine.microarchitecture;
  std::vector<ProjectedRegion> projected;
  for (const auto& [region, cores] : placed) {
    projected.push_back(
        project_region(*region, traffic, cores, here,
                       {machines.at(cores), pipes ? &*pipes : nullptr, !target.machine.measured}));
  }
  return projected;
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

/// `pipes`: of the machine of the profile; null: unknown.
MachineProjection project_on(const ProjectionTarget& target, const Profile& profile,
                             const Microarchitecture* pipes, const ProjectionChoices& choices) {
  const TrafficSource traffic = traffic_source(profile, target);
  const std::vector<PlacedRegion> placed = place_regions(profile, target, choices);
  PublishedUse use{.basis = choices.basis, .memory_per_core = memory_per_core(profile.machine)};
  const auto machines =
      machines_there(placed, target, use,
                     traffic.simulated ? std::nullopt : std::optional(profile.machine.caches));
  MachineProjection projection;
  projection.machine = target.machine.figures.key;
  projection.name = target.machine.figures.name;
  projection.published = !target.machine.measured;
  projection.regions = project_regions(placed, traffic, {profile.machine, pipes}, machines, target);
  const ProgramTimes program =
      add_up(placed, projection.regions, profile.program.wall_seconds.value());
  projection.ideal_seconds = program.ideal_seconds;
  projection.seconds = program.calibrated_seconds;
  projection.projected_share = program.projected_share;
  projection.simulated = program.simulated;
  const auto& [most_cores, machine] = *machines.rbegin();
  use.cores = most_cores;
  set_rates(projection, machine, main_precision(profile), most_cores);
  projection.notes = notes_on(projection, profile.machine, machine, use, target, choices);
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
          : std::string("every loop runs on as many cores as it had threads here"));
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

Projection project(const Profile& profile, const Microarchitecture* microarchitecture,
                   const std::vector<ProjectionTarget>& targets, const ProjectionChoices& choices) {
  Projection projection;
  projection.seconds_here = profile.program.wall_seconds.value();
  projection.precision = main_precision(profile);
  for (const ProjectionTarget& target : targets) {
    projection.machines.push_back(project_on(target, profile, microarchitecture, choices));
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
