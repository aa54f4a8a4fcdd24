// Lines that cores share: streams whose sharing is known, and a slow reference that keeps
// everything.

#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "cachesim/simulation.hpp"

namespace ridge::cachesim_reference {
namespace {

constexpr std::uint64_t kBase = std::uint64_t{1} << 40;

class Shared {
 public:
  explicit Shared(std::uint32_t cores, std::uint32_t policy = RIDGE_NON_INCLUSIVE)
      : simulation_(config_of(cores, {level_of(64, 8), level_of(512, 8, RIDGE_NON_INCLUSIVE),
                                      level_of(4096, 16, policy, cores)})) {
    measured_ = cachesim_observe(simulation_.get(), regions_.data(), 16) != 0;
  }
  /// A batch of one core, as the runtime hands it over.
  void run(std::uint32_t core, const std::vector<std::pair<std::uint64_t, bool>>& accesses,
           std::uint32_t region = 1) {
    std::vector<ridge_trace_entry> entries;
    for (const auto& [address, write] : accesses) {
      const std::uint64_t flags = write ? std::uint64_t{RIDGE_TRACE_WRITE} : 0;
      entries.push_back({kBase + address, std::uint64_t{region} << RIDGE_TRACE_REGION_SHIFT |
                                              flags << RIDGE_TRACE_FLAGS_SHIFT | 8});
    }
    cachesim_run(simulation_.get(), core, entries.data(), entries.size());
  }
  /// counter[address] += 1, many times.
  void count(std::uint32_t core, std::uint64_t address, int times = 50, std::uint32_t region = 1) {
    std::vector<std::pair<std::uint64_t, bool>> accesses;
    for (int i = 0; i < times; ++i) {
      accesses.emplace_back(address, false);
      accesses.emplace_back(address, true);
    }
    run(core, accesses, region);
  }
  [[nodiscard]] const ridge_region_lines& region(std::uint32_t id = 1) const {
    return regions_[id];
  }
  [[nodiscard]] bool measured() const { return measured_; }
  [[nodiscard]] Simulation& simulation() { return simulation_; }

 private:
  Simulation simulation_;
  std::vector<ridge_region_lines> regions_ = std::vector<ridge_region_lines>(16);
  bool measured_ = false;
};

TEST(Sharing, PackedCountersShareFalsely) {
  Shared sim(2);
  ASSERT_TRUE(sim.measured());
  constexpr int kRounds = 10;
  for (int round = 0; round < kRounds; ++round) {
    sim.count(0, 0);
    sim.count(1, 8);
  }
  EXPECT_EQ(sim.region().shared, 1U);
  EXPECT_EQ(sim.region().shared_falsely, 1U);
  EXPECT_EQ(sim.region().shared_truly, 0U);
  // Each batch but the first begins by taking the line from the other core.
  EXPECT_EQ(sim.region().invalidations, 2U * kRounds - 1U);
}

TEST(Sharing, PaddedCountersDoNotShare) {
  Shared sim(2);
  for (int round = 0; round < 10; ++round) {
    sim.count(0, 0);
    sim.count(1, 64);
  }
  EXPECT_EQ(sim.region().shared, 0U);
  EXPECT_EQ(sim.region().invalidations, 0U);
}

TEST(Sharing, OneCounterIsSharedTruly) {
  for (const std::uint32_t policy : {RIDGE_NON_INCLUSIVE, RIDGE_INCLUSIVE, RIDGE_VICTIM}) {
    Shared sim(2, policy);
    for (int round = 0; round < 10; ++round) {
      sim.count(0, 0);
      sim.count(1, 0);
    }
    EXPECT_EQ(sim.region().shared, 1U);
    EXPECT_EQ(sim.region().shared_falsely, 0U);
    EXPECT_EQ(sim.region().shared_truly, 1U);
    EXPECT_EQ(sim.region().invalidations, 19U);
  }
}

TEST(Sharing, LongTurnsHideNobody) {
  Shared packed(2);
  Shared one(2);
  for (int round = 0; round < 4; ++round) {
    packed.count(0, 0, 2000);
    packed.count(1, 8, 2000);
    one.count(0, 0, 2000);
    one.count(1, 0, 2000);
  }
  EXPECT_EQ(packed.region().shared_falsely, 1U);
  EXPECT_EQ(one.region().shared_truly, 1U);
}

// Where no other core has the line any more, its writes are seen all the same.
TEST(Sharing, IsSeenWhereLinesLeaveTheCachesInBetween) {
  Shared sim(2);
  const auto flush = [&](std::uint32_t core) {
    std::vector<std::pair<std::uint64_t, bool>> others;
    for (std::uint64_t line = 1; line <= 8192; ++line) {
      others.emplace_back(((core + 1) << 24) + 64 * line, false);
    }
    sim.run(core, others, 2);
  };
  for (int round = 0; round < 3; ++round) {
    sim.count(0, 0, 1);
    sim.count(1, 16, 1);
  }
  for (int round = 0; round < 3; ++round) {
    for (const std::uint32_t core : {0U, 1U}) {
      flush(0);
      flush(1);
      sim.run(core, {{16 * core, true}, {32, true}});
    }
  }
  EXPECT_EQ(sim.region().shared, 1U);
  EXPECT_EQ(sim.region().shared_truly, 1U);
}

TEST(Sharing, DataOfAnEarlierLoopIsNotShared) {
  Shared sim(2);
  for (std::uint64_t line = 0; line < 100; ++line) {
    sim.count(0, 64 * line, 1, 1);
  }
  for (std::uint64_t line = 0; line < 100; ++line) {
    sim.count(1, 64 * line, 1, 2);
  }
  EXPECT_EQ(sim.region(1).shared, 0U);
  EXPECT_EQ(sim.region(2).shared, 0U);
  EXPECT_EQ(sim.region(2).invalidations, 0U) << "each line is taken once and stays";
}

// A vector that two cores write by halves, then one of them as a whole, and so on: its lines are
// handed on, nobody waits for them at the same time.
TEST(Sharing, WhatOnePartHandsToTheNextIsNotShared) {
  Shared sim(2);
  constexpr std::uint64_t kLines = 2048;
  constexpr std::uint64_t kTurnLines = RIDGE_TURN_ACCESSES / 8;
  const auto write_turn = [&](std::uint32_t core, std::uint64_t first) {
    std::vector<std::pair<std::uint64_t, bool>> accesses;
    for (std::uint64_t word = 8 * first; word < 8 * (first + kTurnLines); ++word) {
      accesses.emplace_back(8 * word, true);
    }
    sim.run(core, accesses);
  };
  for (int step = 0; step < 6; ++step) {
    for (std::uint64_t line = 0; line < kLines / 2; line += kTurnLines) {
      write_turn(0, line);
      write_turn(1, kLines / 2 + line);
    }
    for (std::uint64_t line = 0; line < kLines; line += kTurnLines) {
      write_turn(0, line);
    }
  }
  EXPECT_EQ(sim.region().shared, 0U);
  EXPECT_EQ(sim.region().invalidations, 0U);
}

// Turns of the runtime's length: the cores do have the line back in time.
TEST(Sharing, CountersInTurnsOfTheRuntime) {
  for (const std::uint32_t cores : {2U, 8U}) {
    Shared sim(cores);
    for (int round = 0; round < 5; ++round) {
      for (std::uint32_t core = 0; core < cores; ++core) {
        sim.count(core, 8 * core, RIDGE_TURN_ACCESSES / 2);
      }
    }
    EXPECT_EQ(sim.region().shared_falsely, 1U) << cores;
    EXPECT_EQ(sim.region().invalidations, 5U * cores - 1U) << cores;
  }
}

TEST(Sharing, ReadersDoNotShare) {
  Shared sim(2);
  for (int round = 0; round < 10; ++round) {
    sim.count(0, 0);
    sim.run(1, {{0, false}, {8, false}});
  }
  EXPECT_EQ(sim.region().shared, 0U) << "one writes, the other one only looks";
}

TEST(Sharing, TrafficIsTheSameWithAndWithoutIt) {
  Shared watched(4);
  Simulation plain(config_of(
      4, {level_of(64, 8), level_of(512, 8), level_of(4096, 16, RIDGE_NON_INCLUSIVE, 4)}));
  std::mt19937_64 random(11);
  for (int i = 0; i < 20'000; ++i) {
    const auto core = static_cast<std::uint32_t>(random() % 4);
    const std::uint64_t address = random() % 4096 * 8;
    const bool write = random() % 3 == 0;
    watched.run(core, {{address, write}});
    write ? plain.store(kBase + address, 1, core) : plain.load(kBase + address, 1, core);
  }
  for (int level = 0; level < 3; ++level) {
    const auto& crossed = watched.simulation().region(1).crossed[level];
    EXPECT_EQ(crossed.read, plain.region(1).crossed[level].read);
    EXPECT_EQ(crossed.written, plain.region(1).crossed[level].written);
  }
  EXPECT_GT(watched.region().shared, 0U);
}

// A line that one region shares truly and another one falsely: the first may be answered for by
// the filter, the second not. Who used the line last must stay right, or a victim cache below
// charges the wrong region.
TEST(Sharing, TrafficIsTheSameWhereRegionsShareALineDifferently) {
  const ridge_cache_config config = config_of(2, {level_of(1, 8), level_of(64, 8, RIDGE_VICTIM),
                                                  level_of(1024, 16, RIDGE_NON_INCLUSIVE, 2)});
  Simulation watched(config);
  Simulation plain(config);
  std::vector<ridge_region_lines> lines(16);
  ASSERT_NE(0, cachesim_observe(watched.get(), lines.data(), 16));
  const auto access = [&](std::uint32_t core, std::uint64_t address, std::uint64_t flags,
                          std::uint64_t region) {
    const ridge_trace_entry entry{
        address, region << RIDGE_TRACE_REGION_SHIFT | flags << RIDGE_TRACE_FLAGS_SHIFT | 8};
    cachesim_run(watched.get(), core, &entry, 1);
    cachesim_run(plain.get(), core, &entry, 1);
  };
  constexpr std::uint64_t kLine = 1 << 20;
  for (const std::uint64_t region : {1U, 2U}) {
    for (int i = 0; i < 6; ++i) {
      const std::uint32_t core = i % 2;
      const std::uint64_t address = kLine + (region == 1 ? 0 : 8 + 8 * core);
      access(core, address, 0, region);
      access(core, address, RIDGE_TRACE_WRITE, region);
    }
  }
  for (const std::uint64_t region : {1U, 1U, 2U, 1U}) {
    access(0, kLine, 0, region);
  }
  for (std::uint64_t i = 1; i <= 8; ++i) {
    access(0, kLine + 64 * i, 0, 3);
  }
  for (const std::uint32_t region : {1U, 2U}) {
    EXPECT_EQ(watched.region(region).crossed[0].written, plain.region(region).crossed[0].written);
  }
}

/// Everything that was ever written: (line, region) -> core -> words.
class Reference {
 public:
  void write(std::uint32_t core, std::uint64_t address, std::uint32_t region) {
    written_[{address / 64, region}][core].insert(address % 64 / 4);
    written_[{address / 64, region}][core].insert(address % 64 / 4 + 1);
  }
  struct Counts {
    std::uint64_t shared = 0;
    std::uint64_t truly = 0;
  };
  [[nodiscard]] Counts of(std::uint32_t region) const {
    Counts counts;
    for (const auto& [key, cores] : written_) {
      if (key.second == region && cores.size() > 1) {
        ++counts.shared;
        counts.truly += overlaps(cores) ? 1 : 0;
      }
    }
    return counts;
  }

 private:
  using WordsByCore = std::map<std::uint32_t, std::set<std::uint64_t>>;

  static bool overlaps(const WordsByCore& cores) {
    std::multiset<std::uint64_t> all;
    std::set<std::uint64_t> different;
    for (const auto& [core, words] : cores) {
      all.insert(words.begin(), words.end());
      different.insert(words.begin(), words.end());
    }
    return all.size() != different.size();
  }

  std::map<std::pair<std::uint64_t, std::uint32_t>, WordsByCore> written_;
};

/// Each line has its own set of (core, word) pairs that write it again and again in random order,
/// so that whatever was written before a line was watched is written again after it. Lines stay in
/// the caches.
TEST(Sharing, EqualsAReferenceThatKeepsEverything) {
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 20; ++trial) {
    const auto cores = 2 + static_cast<std::uint32_t>(random() % 5);
    Shared sim(cores);
    Reference reference;
    std::vector<std::pair<std::uint32_t, std::uint64_t>> writers;  // core, address
    for (std::uint64_t line = 0; line < 40; ++line) {
      for (std::uint64_t i = 1 + random() % 4; i > 0; --i) {
        writers.emplace_back(random() % cores, 64 * line + 8 * (random() % 8));
      }
    }
    for (std::size_t i = 0; i < 60 * writers.size(); ++i) {
      const auto& [core, address] = writers[random() % writers.size()];
      const auto region = 1 + static_cast<std::uint32_t>(address / 64 % 2);
      sim.run(core, {{address, false}, {address, true}}, region);
      reference.write(core, address, region);
    }
    for (const std::uint32_t region : {1U, 2U}) {
      const auto expected = reference.of(region);
      EXPECT_EQ(sim.region(region).shared, expected.shared) << trial;
      EXPECT_EQ(sim.region(region).shared_truly, expected.truly) << trial;
      EXPECT_EQ(sim.region(region).shared_falsely, expected.shared - expected.truly) << trial;
    }
  }
}

}  // namespace
}  // namespace ridge::cachesim_reference
