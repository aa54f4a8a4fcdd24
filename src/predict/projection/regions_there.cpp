#include "predict/projection/regions_there.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include <fmt/core.h>

#include "predict/projection/common_levels.hpp"
#include "predict/projection/device_terms.hpp"
#include "predict/roof/ceilings.hpp"

namespace ridge::predict {
namespace {

/// All cores of the target; nullopt: not known, or no CPU.
std::optional<unsigned> all_cores(const ProjectionTarget& target) {
  if (!is_cpu(target)) {
    return std::nullopt;
  }
  if (target.machine.measured) {
    const auto threads = measured_threads(*target.machine.measured);
    return threads.empty() ? std::nullopt : std::optional(threads.back());
  }
  return target.machine.figures.cores ? std::optional(cores_of(target.machine.figures))
                                      : std::nullopt;
}

/// `widest`: no region has more threads.
unsigned cores_for(const Region& region, bool widest, const ProjectionTarget& target,
                   std::optional<unsigned> most) {
  if (!is_cpu(target)) {
    return 1;
  }
  const unsigned wanted = std::max(1U, most && widest ? *most : region.threads);
  return target.machine.measured || !target.machine.figures.cores
             ? wanted
             : std::min(wanted, cores_of(target.machine.figures));
}

/// The machine there for each number of cores that regions run on; for one core without regions. A
/// victim cache counts as one where the traffic is its.
std::map<unsigned, Machine> machines_there(const std::vector<PlacedRegion>& placed,
                                           const Elsewhere& elsewhere, PublishedUse use) {
  std::set<unsigned> cores;
  for (const PlacedRegion& region : placed) {
    cores.insert(region.cores);
  }
  if (cores.empty()) {
    cores.insert(1);
  }
  const TargetMachine& target = elsewhere.target.machine;
  std::map<unsigned, Machine> machines;
  for (const unsigned count : cores) {
    use.cores = count;
    Machine& machine = machines[count];
    machine = target.measured ? *target.measured
                              : published_machine(target, elsewhere.target.caches, use);
    if (!elsewhere.traffic.simulated) {
      machine.caches = elsewhere.profile.machine.caches;
    }
  }
  return machines;
}

/// Cache levels that bind here and of which neither core nor figures of a CPU there say anything:
/// byte/s that one core draws here.
std::map<Level, double> unknown_levels(const ProjectionTarget& target, const PublishedUse& use,
                                       const Machine& here) {
  std::map<Level, double> unknown;
  if (!is_cpu(target)) {
    return unknown;
  }
  const std::set<Level> known =
      bounded_levels(published_machine(target.machine, target.caches, use));
  for (const Level level : {Level::L2, Level::L3}) {
    const auto drawn = drawn_here(here, level);
    if (drawn && !known.contains(level)) {
      unknown[level] = *drawn;
    }
  }
  return unknown;
}

/// Each reading so far with each of these values.
template <class T>
void cross(OtherReadings& other, T PublishedUse::* figure, const std::vector<T>& values,
           std::string words) {
  std::vector<PublishedUse> uses;
  for (const PublishedUse& use : other.uses) {
    for (const T& value : values) {
      uses.push_back(use);
      uses.back().*figure = value;
    }
  }
  other.uses = std::move(uses);
  other.span.push_back(std::move(words));
}

void read_clock(OtherReadings& other, const ProjectionTarget& target) {
  const Specification& figures = target.machine.figures;
  const auto base = published_clock(figures, 1, ClockGuess::base);
  const auto boost = published_clock(figures, 1, ClockGuess::boost);
  if (is_cpu(target) && base && boost && *boost > *base) {
    cross(other, &PublishedUse::clock, {ClockGuess::base, ClockGuess::boost},
          fmt::format("clock of {:.4g} to {:.4g} GHz", *base / 1e9, *boost / 1e9));
  }
}

void read_basis(OtherReadings& other, const Specification& figures) {
  const auto memory = main_memory(figures);
  if (memory && highest_bandwidth(figures, *memory, Basis::theoretical) != nullptr &&
      highest_bandwidth(figures, *memory, Basis::sustained) != nullptr) {
    cross(other, &PublishedUse::basis, {Basis::sustained, Basis::theoretical},
          "sustained to theoretical rates");
  }
}

void read_unknown_levels(OtherReadings& other, std::map<Level, double> unknown) {
  if (unknown.empty()) {
    return;
  }
  std::string names;
  for (const auto& [level, drawn] : unknown) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", to_string(level));
  }
  cross(other, &PublishedUse::unknown_levels_per_core, {{}, std::move(unknown)},
        fmt::format("{} that does not bind to one as fast as here", names));
}

/// Nobody says whether a program has the part to itself. Cores of its own that wait for a serial
/// loop are idle either way.
void read_neighbours(OtherReadings& other, const ProjectionTarget& target,
                     const PublishedUse& use) {
  const Specification& figures = target.machine.figures;
  if (is_cpu(target) && figures.cores && cores_of(figures) > use.cores) {
    cross(other, &PublishedUse::busy_neighbours, {0U, cores_of(figures) - use.cores},
          "other cores of the part busy or idle");
  }
}

}  // namespace

std::optional<double> drawn_here(const Machine& machine, Level level) {
  const Ceiling* one = find_bandwidth(machine, {level, Pattern::load, kWidestIsa, 1}).ceiling;
  return one != nullptr && one->threads == 1 ? std::optional(p90_of(one->value)) : std::nullopt;
}

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

std::vector<CoresChoice> cores_choices(const Profile& profile, const ProjectionTarget& target,
                                       const ProjectionChoices& choices) {
  if (!is_cpu(target)) {
    return {{CoresThere::whole, std::nullopt}};
  }
  if (choices.cores) {
    return {{CoresThere::chosen, choices.cores}};
  }
  std::vector<CoresChoice> made{{CoresThere::as_here, std::nullopt}};
  const auto all = all_cores(target);
  if (all && *all > most_threads(profile.regions)) {
    made.push_back({CoresThere::whole, all});
  }
  return made;
}

std::vector<PlacedRegion> place_regions(const Profile& profile, const ProjectionTarget& target,
                                        std::optional<unsigned> most) {
  const unsigned threads = most_threads(profile.regions);
  std::vector<PlacedRegion> placed;
  for (const Region& region : profile.regions) {
    if (!is_sum(region) && seconds_of(region) > 0.0) {
      placed.push_back({&region, cores_for(region, region.threads >= threads, target, most)});
    }
  }
  return placed;
}

RegionsThere regions_there(const std::vector<PlacedRegion>& placed, const Elsewhere& elsewhere,
                           const PublishedUse& use) {
  RegionsThere there{machines_there(placed, elsewhere, use), {}};
  const TargetMachine& target = elsewhere.target.machine;
  const Microarchitecture* pipes = core_of_counted_family(target);
  for (const auto& [region, cores] : placed) {
    ProjectedRegion projected = project_region(
        *region, elsewhere.traffic, cores, {elsewhere.profile.machine, elsewhere.pipes},
        {there.machines.at(cores), pipes, !target.measured}, elsewhere.latencies);
    if (!is_cpu(elsewhere.target)) {
      projected.cores = cores_of(target.figures);
      if (!region->device) {
        add_device_terms(projected,
                         place_on_device(*region, elsewhere.profile, target, elsewhere.latencies));
      }
    }
    there.regions.push_back(std::move(projected));
  }
  return there;
}

OtherReadings other_readings(const ProjectionTarget& target, const PublishedUse& use,
                             const Machine& here) {
  OtherReadings other;
  if (target.machine.measured) {
    return other;
  }
  other.uses = {use};
  read_clock(other, target);
  read_basis(other, target.machine.figures);
  read_unknown_levels(other, unknown_levels(target, use, here));
  read_neighbours(other, target, use);
  std::erase(other.uses, use);
  return other;
}

void widen(std::vector<ProjectedRegion>& regions, const std::vector<ProjectedRegion>& other) {
  for (std::size_t i = 0; i < regions.size() && i < other.size(); ++i) {
    ProjectedRegion& region = regions[i];
    if (region.low_seconds && other[i].low_seconds) {
      region.low_seconds = std::min(*region.low_seconds, *other[i].low_seconds);
    }
    if (region.high_seconds && other[i].high_seconds) {
      region.high_seconds = std::max(*region.high_seconds, *other[i].high_seconds);
    }
  }
}

}  // namespace ridge::predict
