#include "measure/instrumented/accumulate.hpp"

#include <numeric>
#include <random>

#include <gtest/gtest.h>

namespace ridge::measure {
namespace {

/// Regions with raw ids 1, 2, ... and the given lexical parents (0 = none).
RegionTable table_with(const std::vector<std::uint32_t>& raw_parents) {
  RegionTable table;
  table.of_raw.push_back(kNoRegion);
  for (const std::uint32_t parent : raw_parents) {
    table.of_raw.push_back(static_cast<std::uint32_t>(table.regions.size()));
    MergedRegion region;
    if (parent != 0) {
      region.parent = parent - 1;
    }
    table.regions.push_back(region);
  }
  return table;
}

std::uint32_t stack(Accumulator& accumulator, const std::vector<std::uint32_t>& regions) {
  std::uint32_t node = 0;
  for (const std::uint32_t region : regions) {
    node = accumulator.stacks().push(node, region);
  }
  return node;
}

TEST(StackTable, EqualStacksAreOneNode) {
  StackTable table;
  const auto a = table.push(table.push(0, 1), 2);
  EXPECT_EQ(table.push(table.push(0, 1), 2), a);
  EXPECT_NE(table.push(table.push(0, 2), 1), a);
  EXPECT_EQ(table.region(a), 2U);
  EXPECT_EQ(table.region(table.parent(a)), 1U);
}

TEST(Accumulator, SelfIsTheTopAndInclusiveTheStackWithLexicalParents) {
  // 1 main, 2 loop in main, 3 kernel, 4 loop in kernel
  const auto table = table_with({0, 1, 0, 3});
  Accumulator accumulator;
  accumulator.add_tick({stack(accumulator, {2, 4})}, 1.0);
  accumulator.add_tick({stack(accumulator, {2})}, 2.0);
  accumulator.add_tick({stack(accumulator, {1})}, 4.0);
  const auto times = accumulator.resolve(table);
  EXPECT_DOUBLE_EQ(times[0].wall_self, 4.0);
  EXPECT_DOUBLE_EQ(times[0].wall_inclusive, 7.0);
  EXPECT_DOUBLE_EQ(times[1].wall_self, 2.0);
  EXPECT_DOUBLE_EQ(times[1].wall_inclusive, 3.0);
  EXPECT_DOUBLE_EQ(times[2].wall_self, 0.0);
  EXPECT_DOUBLE_EQ(times[2].wall_inclusive, 1.0);
  EXPECT_DOUBLE_EQ(times[3].wall_self, 1.0);
  EXPECT_EQ(times[1].ticks_inclusive, 2U);
}

TEST(Accumulator, WallTimeCountsOnceHoweverManyThreadsAreInside) {
  const auto table = table_with({0, 1, 1});
  Accumulator accumulator;
  accumulator.add_tick({stack(accumulator, {2}), stack(accumulator, {3}), stack(accumulator, {2})},
                       1.0);
  accumulator.add_tick({stack(accumulator, {2}), 0, 0}, 1.0);
  const auto times = accumulator.resolve(table);
  EXPECT_DOUBLE_EQ(times[0].wall_inclusive, 2.0);
  EXPECT_DOUBLE_EQ(times[1].wall_self, 2.0);
  EXPECT_DOUBLE_EQ(times[2].wall_self, 1.0);
  EXPECT_EQ(times[0].threads_inclusive, 3U);
  EXPECT_EQ(times[1].threads_self, 2U);
  EXPECT_EQ(times[2].threads_self, 1U);
  EXPECT_EQ(accumulator.most_threads(), 3U);
}

TEST(Accumulator, RecursionCountsOnce) {
  const auto table = table_with({0});
  Accumulator accumulator;
  accumulator.add_tick({stack(accumulator, {1, 1, 1, 1})}, 1.0);
  EXPECT_DOUBLE_EQ(accumulator.resolve(table)[0].wall_inclusive, 1.0);
  EXPECT_EQ(accumulator.resolve(table)[0].threads_inclusive, 1U);
}

TEST(Accumulator, UnknownRegionsAreNobodys) {
  const auto table = table_with({0});
  Accumulator accumulator;
  accumulator.add_tick({stack(accumulator, {1, 77})}, 1.0);
  accumulator.add_cpu(stack(accumulator, {77}), 1.0, 1);
  const auto times = accumulator.resolve(table);
  EXPECT_DOUBLE_EQ(times[0].wall_self, 0.0);
  EXPECT_DOUBLE_EQ(times[0].wall_inclusive, 1.0);
  EXPECT_DOUBLE_EQ(times[0].cpu_inclusive, 0.0);
}

TEST(Accumulator, MergedRegionsShareOneTime) {
  RegionTable table = table_with({0, 0});
  table.of_raw[2] = 0;  // raw 1 and 2 are the same inline function of two units
  Accumulator accumulator;
  accumulator.add_tick({stack(accumulator, {1}), stack(accumulator, {2})}, 1.0);
  const auto times = accumulator.resolve(table);
  EXPECT_DOUBLE_EQ(times[0].wall_self, 1.0);
  EXPECT_EQ(times[0].threads_self, 2U);
}

TEST(Accumulator, SelfTimesOfOneThreadAddUpToTheTotal) {
  const auto table = table_with({0, 1, 2, 0, 4});
  Accumulator accumulator;
  std::mt19937 random(3);
  double total = 0.0;
  for (int tick = 0; tick < 2000; ++tick) {
    std::vector<std::uint32_t> regions(1 + random() % 6);
    for (auto& region : regions) {
      region = 1 + random() % 5;
    }
    const double seconds = 0.001 * (1 + random() % 3);
    const auto node = stack(accumulator, regions);
    accumulator.add_tick({node}, seconds);
    accumulator.add_cpu(node, seconds, 1);
    total += seconds;
  }
  double wall = 0.0;
  double cpu = 0.0;
  for (const auto& times : accumulator.resolve(table)) {
    wall += times.wall_self;
    cpu += times.cpu_self;
    EXPECT_LE(times.wall_self, times.wall_inclusive + 1e-12);
    EXPECT_LE(times.wall_inclusive, total + 1e-9);
    EXPECT_NEAR(times.cpu_inclusive, times.wall_inclusive, 1e-9);
  }
  EXPECT_NEAR(wall, total, 1e-9);
  EXPECT_NEAR(cpu, total, 1e-9);
}

TEST(CpuShare, SpreadsAStepOverTheSamplesSinceTheLastOne) {
  const auto table = table_with({0, 0});
  Accumulator accumulator;
  const auto a = stack(accumulator, {1});
  const auto b = stack(accumulator, {2});
  CpuShare share;
  share.reading(1'000'000, accumulator);  // sets the zero
  for (int i = 0; i < 3; ++i) {
    share.sample(a, 0.001);
    share.reading(1'000'000, accumulator);  // not brought up to date yet
  }
  share.sample(b, 0.001);
  share.reading(5'000'000, accumulator);
  const auto times = accumulator.resolve(table);
  EXPECT_NEAR(times[0].cpu_self, 0.003, 1e-12);
  EXPECT_NEAR(times[1].cpu_self, 0.001, 1e-12);
  EXPECT_EQ(times[0].cpu_samples_self, 3U);
}

TEST(CpuShare, TimeIsKeptByThread) {
  const auto table = table_with({0, 1});
  Accumulator accumulator;
  const auto node = stack(accumulator, {2});
  for (const std::uint32_t thread : {3U, 5U}) {
    CpuShare share(thread);
    share.reading(0, accumulator);
    share.sample(node, 1.0);
    share.reading(thread * 100'000'000ULL, accumulator);
  }
  const auto times = accumulator.resolve(table);
  EXPECT_NEAR(times[1].cpu_self, 0.8, 1e-12);
  ASSERT_EQ(times[1].cpu_self_by_thread.size(), 2U);
  EXPECT_NEAR(times[1].cpu_self_by_thread.at(3).seconds, 0.3, 1e-12);
  EXPECT_NEAR(times[1].cpu_self_by_thread.at(5).seconds, 0.5, 1e-12);
  EXPECT_EQ(times[1].cpu_self_by_thread.at(5).samples, 1U);
  EXPECT_TRUE(times[0].cpu_self_by_thread.empty()) << "what is inside is not its own";
}

TEST(CpuShare, ALongSleepGetsNothing) {
  const auto table = table_with({0, 0});
  Accumulator accumulator;
  const auto asleep = stack(accumulator, {1});
  const auto busy = stack(accumulator, {2});
  CpuShare share;
  share.reading(0, accumulator);
  for (int i = 0; i < 1000; ++i) {
    share.sample(asleep, 0.001);
    share.reading(0, accumulator);
  }
  for (int i = 0; i < 20; ++i) {
    share.sample(busy, 0.001);
  }
  share.reading(20'000'000, accumulator);
  const auto times = accumulator.resolve(table);
  EXPECT_NEAR(times[1].cpu_self, 0.020, 1e-12);
  EXPECT_NEAR(times[0].cpu_self, 0.0, 1e-9);
}

TEST(CpuShare, TheFirstReadingAndClocksThatRunBackwardsGiveNothing) {
  Accumulator accumulator;
  CpuShare share;
  share.sample(stack(accumulator, {1}), 0.001);
  share.reading(50'000'000, accumulator);
  share.sample(stack(accumulator, {1}), 0.001);
  share.reading(40'000'000, accumulator);
  EXPECT_DOUBLE_EQ(accumulator.cpu_seconds(), 0.0);
}

TEST(CpuShare, WhatWaitedForTheCpuIsToldFromWhatWasBlocked) {
  const auto table = table_with({0, 0});
  Accumulator accumulator;
  EXPECT_FALSE(accumulator.waits_known());
  CpuShare share;
  share.reading(0, accumulator, 0);
  EXPECT_TRUE(accumulator.waits_known());
  // 6 ms off the CPU in region 1, then 2 ms on it in region 2; the kernel says 3 ms were waiting.
  for (int i = 0; i < 6; ++i) {
    share.sample(stack(accumulator, {1}), 1e-3);
    share.reading(0, accumulator, 0);
  }
  for (int i = 0; i < 2; ++i) {
    share.sample(stack(accumulator, {2}), 1e-3);
  }
  share.reading(2'000'000, accumulator, 3'000'000);
  auto times = accumulator.resolve(table);
  EXPECT_NEAR(times[0].waited_self, 3e-3, 1e-9);
  EXPECT_NEAR(times[0].cpu_self, 0.0, 1e-9);
  EXPECT_NEAR(times[1].waited_self, 0.0, 1e-9);
  EXPECT_NEAR(times[1].cpu_self, 2e-3, 1e-9);
  EXPECT_TRUE(times[0].cpu_self_by_thread.empty());
  // No more can have waited than was off the CPU while somebody looked.
  share.sample(stack(accumulator, {1}), 4e-3);
  share.reading(3'000'000, accumulator, 90'000'000);
  times = accumulator.resolve(table);
  EXPECT_NEAR(times[0].waited_self, 6e-3, 1e-9);
  EXPECT_NEAR(times[0].cpu_self, 1e-3, 1e-9);
}

}  // namespace
}  // namespace ridge::measure
