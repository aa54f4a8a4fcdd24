// Loops and machines of the textbooks: cycles of the core for each cache line of work, lines across
// each boundary for each line of work, cycles for each line.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "core/value/loop_model.hpp"
#include "core/value/machine.hpp"
#include "predict/roof/machines_for_tests.hpp"

namespace ridge::predict::testing {

inline constexpr double kLine = 64.0;
inline constexpr double kIterationsOfALine = 8.0;  // of fp64
inline constexpr std::array kBeyondL1{Level::L2, Level::L3, Level::DRAM};

/// Lines that cross one boundary.
struct Lines {
  double read = 0.0;
  double written = 0.0;
};

inline ModelledTraffic traffic_of(const std::vector<Lines>& crossings,
                                  TrafficMethod method = TrafficMethod::layer_conditions) {
  ModelledTraffic traffic;
  traffic.method = method;
  for (std::size_t i = 0; i < crossings.size(); ++i) {
    traffic.crossings.push_back({kBeyondL1.at(i), crossings[i].read * kLine / kIterationsOfALine,
                                 crossings[i].written * kLine / kIterationsOfALine});
  }
  return traffic;
}

/// An fp64 loop with so many additions in an iteration.
inline LoopModel textbook_loop(unsigned flops, double overlapping, double transferring,
                               const std::vector<Lines>& crossings) {
  LoopModel model;
  model.function = "kernel";
  model.loops = {{"i", "0", 1, "N", 1000000, 1}};
  model.accesses = {{"read b[i]", "b", 8, false, false, false, 1},
                    {"write a[i]", "a", 8, true, false, false, 1}};
  model.operations = {{"add", "fp64", flops, false}};
  InCoreModel core;
  core.iterations_per_pass = kIterationsOfALine;
  core.cycles = std::max(overlapping, transferring);
  core.overlapping_cycles = overlapping;
  core.transferring_cycles = transferring;
  model.in_core = core;
  model.traffic = {traffic_of(crossings)};
  return model;
}

/// Cycles for each line, loaded from and stored to L1, and across each boundary.
struct LineCycles {
  double load = 2.0;
  double store = 4.0;
  double second = 2.0;
  double third = 2.0;
  double memory = 4.0;
};

/// As `ridge bench` would measure a machine without overlap of transfers: a stream from a level
/// takes the time of all boundaries up to it. All cores together draw from memory what one line in
/// `memory` cycles makes.
inline Machine serial_machine(double clock, unsigned cores, LineCycles cycles) {
  Machine machine;
  machine.name = "textbook";
  machine.topology = Topology{1, 1, cores, cores};
  machine.clock.core = exactly<Hertz>(clock);
  add_caches(machine);
  const double lines = clock * kLine;
  const auto add = [&](Level level, double crossed) {
    const bool beyond = level != Level::L1;
    add_bandwidth(machine, level, Pattern::load, Isa::avx2, 1, lines / (cycles.load + crossed));
    add_bandwidth(machine, level, Pattern::copy, Isa::avx2, 1,
                  2.0 * lines / (std::max(cycles.load, cycles.store) + 3.0 * crossed),
                  beyond ? 1.5 : 1.0);
    add_bandwidth(machine, level, Pattern::store, Isa::avx2, 1,
                  lines / (cycles.store + 2.0 * crossed), beyond ? 2.0 : 1.0);
  };
  add(Level::L1, 0.0);
  add(Level::L2, cycles.second);
  add(Level::L3, cycles.second + cycles.third);
  add(Level::DRAM, cycles.second + cycles.third + cycles.memory);
  const double full = lines / cycles.memory;
  add_boundary(machine, Level::DRAM, cores, full, full, full);
  return machine;
}

/// Sandy Bridge at 2.7 GHz: 32 B/cycle between caches, 40 GB/s from memory.
inline Machine sandy_bridge() {
  constexpr double kClock = 2.7e9;
  constexpr double kMemory = 40e9;
  return serial_machine(kClock, 8, {2.0, 4.0, 2.0, 2.0, kLine * kClock / kMemory});
}

}  // namespace ridge::predict::testing
