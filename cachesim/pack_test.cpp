// Packed, the lines of some classes have the traffic that they had before.

#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cachesim/simulation.hpp"

extern "C" {
#include "cachesim/line_class.h"
}

namespace ridge::cachesim_reference {
namespace {

constexpr std::uint32_t kRegions = 4;
constexpr std::uint64_t kClasses = 0x8040'2010'0804'0201;  // one of each eight and of each rest

struct Batch {
  std::uint32_t core = 0;
  std::vector<ridge_trace_entry> entries;
};

/// Runs and jumps, pieces of one line.
std::vector<Batch> random_batches(std::mt19937_64& random, std::uint32_t cores, std::size_t count,
                                  std::uint64_t footprint) {
  std::vector<Batch> batches(count);
  std::uint64_t line = 0;
  for (Batch& batch : batches) {
    batch.core = static_cast<std::uint32_t>(random() % cores);
    for (int i = 0; i < 300; ++i) {
      line = random() % 4 != 0 ? line + 1 : random();
      const std::uint64_t flags = random() % 3 == 0 ? RIDGE_TRACE_WRITE : 0;
      const std::uint64_t stores_past = random() % 50 == 0 ? RIDGE_TRACE_NON_TEMPORAL : 0;
      batch.entries.push_back({(std::uint64_t{1} << 40U) + line % footprint * 64 + random() % 8 * 8,
                               (1 + random() % (kRegions - 1)) << RIDGE_TRACE_REGION_SHIFT |
                                   (flags | stores_past) << RIDGE_TRACE_FLAGS_SHIFT | 8});
    }
  }
  return batches;
}

Batch selected(const Batch& batch) {
  Batch some{batch.core, {}};
  for (const ridge_trace_entry& entry : batch.entries) {
    if ((kClasses >> cachesim_class_of(entry.address) & 1U) != 0) {
      some.entries.push_back(entry);
    }
  }
  return some;
}

Batch packed(Batch batch) {
  for (ridge_trace_entry& entry : batch.entries) {
    entry.address = cachesim_packed_address(kClasses, entry.address);
  }
  return batch;
}

void run(Simulation& sim, const Batch& batch) {
  cachesim_run(sim.get(), batch.core, batch.entries.data(), batch.entries.size());
}

struct Machine {
  const char* name;
  ridge_cache_config config;
};

std::vector<Machine> machines(std::uint32_t cores) {
  return {
      {"zen", config_of(cores, {level_of(64, 8), level_of(128, 8, RIDGE_INCLUSIVE),
                                level_of(256, 16, RIDGE_VICTIM, cores)})},
      {"intel", config_of(cores, {level_of(64, 12), level_of(128, 16),
                                  level_of(std::uint64_t{64} * 13, 11, RIDGE_VICTIM, cores)})},
      {"inclusive", config_of(cores, {level_of(64, 4), level_of(128, 8),
                                      level_of(128, 16, RIDGE_INCLUSIVE, cores)})},
      {"two levels", config_of(cores, {level_of(64, 8), level_of(192, 16, 0, cores)})},
      {"one level", config_of(cores, {level_of(64, 8)})},
  };
}

TEST(Packing, TrafficGoesOnAsBefore) {
  std::mt19937_64 random(47);
  for (const std::uint32_t cores : {1U, 3U}) {
    for (const Machine& machine : machines(cores)) {
      SCOPED_TRACE(machine.name + std::to_string(cores));
      Simulation sparse(machine.config, kRegions);
      Simulation dense(machine.config, kRegions);
      const std::uint64_t footprint = 20'000;
      for (const Batch& batch : random_batches(random, cores, 60, footprint)) {
        run(sparse, batch);
        run(dense, batch);
      }
      ASSERT_EQ(cachesim_pack(dense.get(), kClasses), 1);
      std::vector<ridge_region_traffic> expected(kRegions);
      std::vector<ridge_region_traffic> got(kRegions);
      sparse.get()->regions = expected.data();
      dense.get()->regions = got.data();
      for (const Batch& batch : random_batches(random, cores, 200, footprint)) {
        run(sparse, selected(batch));
        run(dense, packed(selected(batch)));
      }
      EXPECT_GT(expected[1].crossed[0].read + expected[1].crossed[0].written, 0U);
      EXPECT_EQ(std::memcmp(expected.data(), got.data(), kRegions * sizeof(got[0])), 0);
    }
  }
}

TEST(Packing, NeighboursRemainNeighbours) {
  EXPECT_EQ(cachesim_packed_line(kClasses, 0), 0U);
  EXPECT_EQ(cachesim_packed_line(kClasses, 9), 1U);
  EXPECT_EQ(cachesim_packed_line(kClasses, 63), 7U);
  EXPECT_EQ(cachesim_packed_line(kClasses, 64), 8U);  // the one after 63
  EXPECT_EQ(cachesim_packed_address(kClasses, 64 * 64 + 17), 8U * 64 + 17);
}

TEST(Packing, RefusesWhatHasNoClasses) {
  const auto odd = config_of(1, {level_of(64, 8), level_of(96, 8)});
  Simulation sim(odd, kRegions);
  EXPECT_EQ(cachesim_pack(sim.get(), kClasses), 0);
  Simulation even(machines(1).front().config, kRegions);
  EXPECT_EQ(cachesim_pack(even.get(), 0), 0);
  EXPECT_EQ(cachesim_pack(even.get(), 7), 0) << "three classes";
}

TEST(Packing, WithoutMemoryNothingChanges) {
  std::mt19937_64 random(53);
  const ridge_cache_config config = machines(2).front().config;
  const std::vector<Batch> batches = random_batches(random, 2, 40, 20'000);
  for (const std::uint64_t left : {0U, 1'000U, 100'000U, 130'000U, 250'000U, 400'000U}) {
    Simulation expected(config, kRegions);
    Simulation got(config, kRegions);
    for (const Batch& batch : batches) {
      run(expected, batch);
      run(got, batch);
    }
    const std::uint64_t in_use = got.heap().in_use;
    got.heap().left = left;
    const int done = cachesim_pack(got.get(), kClasses);
    if (done != 0) {
      continue;  // enough after all
    }
    EXPECT_EQ(got.heap().in_use, in_use) << left;
    got.heap().left = std::uint64_t{1} << 40U;
    for (const Batch& batch : batches) {
      run(expected, batch);
      run(got, batch);
    }
    for (std::uint32_t id = 0; id < kRegions; ++id) {
      EXPECT_EQ(std::memcmp(&expected.region(id), &got.region(id), sizeof(ridge_region_traffic)),
                0);
    }
  }
}

TEST(Packing, GivesBackAllMemory) {
  Heap heap;
  const cachesim_memory memory{Heap::allocate, Heap::release, &heap};
  const ridge_cache_config config = machines(1).front().config;
  std::vector<ridge_region_traffic> traffic(kRegions);
  cachesim* sim = cachesim_create(&config, traffic.data(), kRegions, &memory);
  cachesim_access(sim, 0, 4096, 64, RIDGE_TRACE_WRITE, 1);
  EXPECT_EQ(cachesim_pack(sim, kClasses), 1);
  cachesim_access(sim, 0, 4096, 64, RIDGE_TRACE_WRITE, 1);
  cachesim_destroy(sim);
  EXPECT_EQ(heap.in_use, 0U);
}

}  // namespace
}  // namespace ridge::cachesim_reference
