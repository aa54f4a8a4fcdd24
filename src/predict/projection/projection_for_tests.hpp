// A published CPU, profiles of loops, and one projection of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "predict/projection/project.hpp"
#include "predict/projection/target_machine.hpp"
#include "predict/roof/machines_for_tests.hpp"

namespace ridge::predict::testing {

inline constexpr std::uint64_t kGiga = 1000000000;

inline Figure figure(double value) {
  return {value, Origin::datasheet, std::nullopt, true};
}

/// 8 cores of 2 GHz (boost 3 GHz) with 32 flop per cycle, 200 GB/s.
inline Specification published() {
  Specification made;
  made.key = "pub";
  made.name = "Published CPU";
  made.cores = figure(8);
  made.clock = figure(2e9);
  made.boost_clock = figure(3e9);
  made.peaks = {{"fp64", Pipes::vector, Basis::theoretical, {}, figure(8 * 2e9 * 32)}};
  made.bandwidths = {{"DRAM", Basis::theoretical, {}, figure(200e9)}};
  return made;
}

inline Microarchitecture wide_core() {
  Microarchitecture pipes = skylake_x_pipes();
  Microarchitecture::IsaLimits scalar;
  scalar.isa = Isa::scalar;
  scalar.fma_units = scalar.add_units = scalar.mul_units = 2.0;
  scalar.load_bytes_per_cycle = 16.0;
  Microarchitecture::IsaLimits wide = scalar;
  wide.isa = Isa::avx512;
  wide.load_bytes_per_cycle = 128.0;
  pipes.isas = {scalar, wide};
  pipes.levels = {{"L2", 64.0, std::nullopt}};
  return pipes;
}

inline Region loop(std::uint32_t id, double seconds, std::uint64_t flops, std::uint64_t dram,
                   unsigned threads = 1, unsigned width = 512) {
  Region region = region_named("loop");
  region.id = id;
  region.threads = threads;
  took(region, seconds);
  work_of(region).add(Precision::fp64, OperationKind::fma, width, flops);
  region.bytes_loaded = dram;
  region.traffic = {{"L1", {dram, 0}}, {"L2", {dram, 0}}, {"L3", {dram, 0}}, {"DRAM", {dram, 0}}};
  return region;
}

inline Profile profile_of(std::vector<Region> loops) {
  Profile profile;
  profile.machine = zen4();
  Region program = region_named("program");
  program.kind = RegionKind::program;
  program.id = 1000;
  double wall = 0.0;
  for (const Region& region : loops) {
    wall += region.time_seconds.self->value.value();
    work_of(program) += known_work(region);
  }
  profile.program.wall_seconds = Seconds(wall);
  took(program, wall);
  profile.regions = std::move(loops);
  profile.regions.push_back(program);
  return profile;
}

/// Not that of the whole of a CPU, where there are two.
inline MachineProjection on(const Profile& profile, ProjectionTarget target,
                            const ProjectionChoices& choices = {}) {
  const Microarchitecture pipes = zen4_pipes();
  const auto machines = project(profile, &pipes, {std::move(target)}, choices).machines;
  const auto found = std::find_if(machines.begin(), machines.end(), [](const auto& machine) {
    return machine.cores_are != CoresThere::whole;
  });
  return found != machines.end() ? *found : machines.front();
}

inline ProjectionTarget same_machine() {
  const Microarchitecture pipes = zen4_pipes();
  return {target_from(zen4(), &pipes), std::nullopt};
}

inline ProjectionTarget published_target(bool with_pipes = false) {
  ProjectionTarget target{target_from(published()), std::nullopt};
  if (with_pipes) {
    target.machine.microarchitecture = wide_core();
  }
  return target;
}

inline std::vector<MachineProjection> all_on(const Profile& profile, const ProjectionTarget& target,
                                             const ProjectionChoices& choices = {}) {
  const Microarchitecture pipes = zen4_pipes();
  return project(profile, &pipes, {target}, choices).machines;
}

/// 20 GB in a second, half of what one core draws.
inline Profile stream() {
  return profile_of({loop(1, 1.0, kMega, 20 * kGiga)});
}

/// 100 GFlop of 512-bit fma, hardly any traffic.
inline Profile arithmetic() {
  return profile_of({loop(1, 5.0, 100 * kGiga, kMega)});
}

inline PublishedBandwidth of_one_core(double value, Basis basis = Basis::sustained) {
  return {"DRAM", basis, {}, figure(value), 1U};
}

}  // namespace ridge::predict::testing
