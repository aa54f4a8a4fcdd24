// What the sample of lines says of address streams whose use of lines and whose working set are
// known.

#include <bit>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "cachesim/simulation.hpp"

namespace ridge::cachesim_reference {
namespace {

constexpr std::uint64_t kKiB = 1024;
constexpr std::uint64_t kMiB = kKiB * kKiB;
constexpr std::uint64_t kBase = std::uint64_t{1} << 40;

/// L1 32 KiB, L2 256 KiB, L3 4 MiB.
ridge_cache_config usual(std::uint32_t cores = 1) {
  return config_of(
      cores, {level_of(64, 8), level_of(512, 8), level_of(4096, 16, RIDGE_NON_INCLUSIVE, cores)});
}

class Sampled {
 public:
  explicit Sampled(const ridge_cache_config& config) : simulation_(config) {
    measured_ = cachesim_observe(simulation_.get(), regions_.data(), 16) != 0;
  }
  /// Through the trace, as the runtime does it: the fast path must not hide accesses.
  void walk(std::uint64_t bytes, std::uint64_t stride, std::uint32_t width,
            std::uint32_t region = 1, std::uint32_t core = 0) {
    std::vector<ridge_trace_entry> entries;
    for (std::uint64_t offset = 0; offset + width <= bytes; offset += stride) {
      entries.push_back(
          {kBase + offset, std::uint64_t{region} << RIDGE_TRACE_REGION_SHIFT | width});
    }
    cachesim_run(simulation_.get(), core, entries.data(), entries.size());
  }
  [[nodiscard]] const ridge_region_lines& region(std::uint32_t id = 1) const {
    return regions_[id];
  }
  [[nodiscard]] double use(std::uint32_t id = 1) const {
    return static_cast<double>(region(id).used_bytes) / 64.0 /
           static_cast<double>(region(id).fetched);
  }
  /// Share of the first level's misses that a cache of this capacity would not have held.
  [[nodiscard]] double misses_with(std::uint64_t bytes, std::uint32_t id = 1) const {
    std::uint64_t beyond = region(id).not_held;
    std::uint64_t all = region(id).not_held;
    for (std::uint32_t point = 0; point < RIDGE_CURVE_POINTS; ++point) {
      all += region(id).held[point];
      beyond += ridge_curve_capacity(point) > bytes ? region(id).held[point] : 0;
    }
    return static_cast<double>(beyond) / static_cast<double>(all);
  }
  void load(std::uint64_t address, std::uint32_t width) {
    const ridge_trace_entry entry{address, std::uint64_t{1} << RIDGE_TRACE_REGION_SHIFT | width};
    cachesim_run(simulation_.get(), 0, &entry, 1);
  }
  [[nodiscard]] const ridge_region_traffic& traffic() { return simulation_.region(1); }
  [[nodiscard]] cachesim* get() { return simulation_.get(); }
  [[nodiscard]] bool measured() const { return measured_; }

 private:
  Simulation simulation_;
  std::vector<ridge_region_lines> regions_ = std::vector<ridge_region_lines>(16);
  bool measured_ = false;
};

TEST(Locality, UnitStrideUsesTheWholeLine) {
  Sampled sim(usual());
  ASSERT_TRUE(sim.measured());
  sim.walk(kMiB, 8, 8);
  EXPECT_NEAR(static_cast<double>(sim.region().fetched), kMiB / 64.0 / 64.0, 3.0);
  EXPECT_DOUBLE_EQ(sim.use(), 1.0);
}

TEST(Locality, AStrideOfALineUsesWhatIsTouched) {
  for (const std::uint32_t width : {1U, 4U, 8U, 16U}) {
    Sampled sim(usual());
    sim.walk(kMiB, 64, width);
    EXPECT_DOUBLE_EQ(sim.use(), width / 64.0);
  }
  Sampled every_third(usual());
  every_third.walk(kMiB, 24, 8);
  EXPECT_NEAR(every_third.use(), 8.0 / 24.0, 0.02);
}

TEST(Locality, WhatIsUsedTwiceCountsOnce) {
  Sampled sim(usual());
  for (int i = 0; i < 3; ++i) {
    sim.walk(16 * kKiB, 64, 8);  // stays in the first level
  }
  EXPECT_EQ(sim.region().fetched, 4U);
  EXPECT_DOUBLE_EQ(sim.use(), 8.0 / 64.0);
}

TEST(Locality, EachTimeInTheFirstLevelCountsForItself) {
  Sampled sim(usual());
  sim.walk(kMiB, 64, 8);
  sim.walk(kMiB, 64, 8);
  EXPECT_NEAR(static_cast<double>(sim.region().fetched), 2 * kMiB / 64.0 / 64.0, 5.0);
  EXPECT_DOUBLE_EQ(sim.use(), 8.0 / 64.0);
}

TEST(Locality, AnAccessAcrossTwoLinesUsesBoth) {
  Sampled sim(usual());
  for (std::uint64_t offset = 60; offset < kMiB; offset += 128) {
    sim.load(kBase + offset, 8);
  }
  EXPECT_NEAR(static_cast<double>(sim.region().fetched), kMiB / 64.0 / 64.0, 3.0);
  EXPECT_DOUBLE_EQ(sim.use(), 4.0 / 64.0);
}

TEST(Locality, ACyclicWalkNeedsWhatItWalksOver) {
  for (const std::uint64_t bytes : {512 * kKiB, 3 * kMiB, 12 * kMiB}) {
    Sampled sim(usual());
    for (int round = 0; round < 4; ++round) {
      sim.walk(bytes, 64, 8);
    }
    EXPECT_NEAR(sim.misses_with(bytes * 6 / 5), 0.25, 0.01) << bytes;
    EXPECT_NEAR(sim.misses_with(bytes * 5 / 6), 1.0, 0.01) << bytes;
  }
}

TEST(Locality, RegionsAreToldApart) {
  Sampled sim(usual());
  sim.walk(kMiB, 8, 8, 1);
  sim.walk(kMiB, 64, 8, 2);
  EXPECT_DOUBLE_EQ(sim.use(1), 1.0);
  EXPECT_DOUBLE_EQ(sim.use(2), 8.0 / 64.0);
  EXPECT_DOUBLE_EQ(sim.misses_with(2 * kMiB, 1), 1.0) << "first use";
  EXPECT_NEAR(sim.misses_with(2 * kMiB, 2), 0.0, 0.01) << "region 1 was there before";
}

TEST(Locality, CoresHaveFirstLevelsOfTheirOwn) {
  Sampled sim(usual(2));
  sim.walk(16 * kKiB, 64, 8, 1, 0);
  sim.walk(16 * kKiB, 64, 8, 1, 1);
  sim.walk(16 * kKiB, 64, 8, 1, 0);
  EXPECT_EQ(sim.region().fetched, 8U);
  EXPECT_DOUBLE_EQ(sim.use(), 8.0 / 64.0);
}

TEST(Locality, EndsWhenTrafficGoesToAnotherTable) {
  Sampled sim(usual());
  sim.walk(kMiB, 64, 8);
  const ridge_region_lines before = sim.region();
  std::vector<ridge_region_traffic> other(16);
  sim.get()->regions = other.data();
  sim.walk(kMiB, 64, 16);
  EXPECT_EQ(sim.region().fetched, before.fetched);
  EXPECT_EQ(sim.region().used_bytes, before.used_bytes);
  EXPECT_EQ(sim.region().not_held, before.not_held);
  EXPECT_GT(other[1].crossed[0].read, 0U);
}

TEST(Locality, TrafficIsTheSameWithAndWithoutIt) {
  Sampled sampled(usual());
  Simulation plain(usual());
  for (int round = 0; round < 3; ++round) {
    sampled.walk(kMiB, 24, 8);
    for (std::uint64_t offset = 0; offset + 8 <= kMiB; offset += 24) {
      plain.load(kBase + offset);
    }
  }
  for (int level = 0; level < 3; ++level) {
    EXPECT_EQ(sampled.traffic().crossed[level].read, plain.region(1).crossed[level].read);
  }
}

}  // namespace
}  // namespace ridge::cachesim_reference
