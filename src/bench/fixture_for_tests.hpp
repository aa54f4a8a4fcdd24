// Machines and microarchitectures that tests plan and compute with.
#pragma once

#include "core/value/machine.hpp"

namespace ridge::bench::testing_fixture {

/// 2 sockets, 2 L3 of 32 MiB each, 16 cores, 32 threads.
inline Machine server() {
  Machine machine;
  machine.topology = Topology{.sockets = 2, .numa_nodes = 2, .cores = 16, .threads = 32};
  machine.caches = {
      {.level = Level::L1, .size_bytes = 32U << 10U, .ways = 8, .shared_by_threads = 2},
      {.level = Level::L2, .size_bytes = 1U << 20U, .ways = 8, .shared_by_threads = 2},
      {.level = Level::L3, .size_bytes = 32U << 20U, .ways = 16, .shared_by_threads = 8}};
  machine.memories = {{.level = Level::DRAM, .size_bytes = {}}};
  return machine;
}

/// 2 cores that share an L3, as many virtual machines have.
inline Machine small() {
  Machine machine = server();
  machine.topology = Topology{.sockets = 1, .numa_nodes = 1, .cores = 2, .threads = 2};
  machine.caches[0].shared_by_threads = 1;
  machine.caches[1].shared_by_threads = 1;
  machine.caches[2].shared_by_threads = 2;
  return machine;
}

/// Round numbers, no real core: fma and mul share pipes, add has its own.
inline Microarchitecture theory() {
  Microarchitecture theory;
  theory.name = "Test core";
  theory.pipe_groups = {{Operation::mul, Operation::fma}, {Operation::add}};
  theory.isas = {{.isa = Isa::avx2,
                  .fma_units = 2.0,
                  .add_units = 1.0,
                  .mul_units = 2.0,
                  .fma_add_units = {},
                  .load_bytes_per_cycle = 64.0,
                  .store_bytes_per_cycle = 32.0,
                  .copy_bytes_per_cycle = {}},
                 {.isa = Isa::scalar, .fma_units = 2.0}};
  theory.levels = {
      {.level = Level::L2, .read_bytes_per_cycle = 64.0, .write_bytes_per_cycle = 32.0},
      {.level = Level::L3, .read_bytes_per_cycle = 16.0}};
  theory.sources = {"a manual", "a table"};
  return theory;
}

}  // namespace ridge::bench::testing_fixture
