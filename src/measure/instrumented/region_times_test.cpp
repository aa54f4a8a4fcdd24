#include "measure/instrumented/region_times.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::measure {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(SampledTime, LiesInItsInterval) {
  for (const std::uint64_t hits : {1U, 10U, 500U, 999U, 1000U}) {
    const auto time = sampled_time(0.001 * static_cast<double>(hits), hits, 1000, 1.0);
    ASSERT_TRUE(time);
    EXPECT_LE(time->low, time->value);
    EXPECT_GE(time->high, time->value);
    EXPECT_EQ(time->samples, hits);
  }
}

TEST(SampledTime, MoreSamplesNarrowTheInterval) {
  const auto few = *sampled_time(0.5, 50, 100, 1.0);
  const auto many = *sampled_time(0.5, 5000, 10000, 1.0);
  EXPECT_LT(many.high - many.low, few.high - few.low);
}

TEST(SampledTime, NeverSeenHasAnUpperEnd) {
  const auto time = *sampled_time(0.0, 0, 1000, 2.0);
  EXPECT_EQ(time.value, Seconds(0.0));
  EXPECT_EQ(time.low, Seconds(0.0));
  EXPECT_GT(time.high, Seconds(0.0));
  EXPECT_LT(time.high, Seconds(0.01));
}

TEST(SampledTime, WithoutSamplesThereIsNone) {
  EXPECT_EQ(sampled_time(0.0, 0, 0, 0.0), std::nullopt);
}

Region loop_of(std::uint64_t entries, double seconds) {
  Accumulator accumulator;
  RegionTimes times;
  times.ticks_self = times.ticks_inclusive = 100;
  times.wall_self = times.wall_inclusive = seconds;
  accumulator.add_tick({}, seconds);
  Region region;
  region.kind = RegionKind::loop;
  region.entries = entries;
  fill_times(region, times, accumulator, seconds);
  return region;
}

TEST(FillTimes, ShortLoopsAreMarkedUncertain) {
  EXPECT_THAT(loop_of(1'000'000, 1.0).notes, IsEmpty());  // 1 us per entry
  const auto region = loop_of(100'000'000, 1.0);          // 10 ns
  ASSERT_EQ(region.notes.size(), 1U);
  EXPECT_EQ(region.notes[0].code, "uncertain-share");
}

TEST(FillTimes, ThreadsAreThoseOfTheRegionItself) {
  const Accumulator accumulator;
  RegionTimes times;
  times.threads_inclusive = 8;
  Region region;
  fill_times(region, times, accumulator, 1.0);
  EXPECT_EQ(region.threads, 8U);
  times.threads_self = 1;
  fill_times(region, times, accumulator, 1.0);
  EXPECT_EQ(region.threads, 1U);
  EXPECT_EQ(region.time_seconds.self, std::nullopt);
}

TEST(FillTimes, WhatWasNotSeenOfWaitingIsAbsent) {
  const Accumulator accumulator;
  RegionTimes times;
  Region region;
  fill_times(region, times, accumulator, 1.0);
  EXPECT_FALSE(region.wait_causes);
  EXPECT_FALSE(region.caused_wait_seconds);
  EXPECT_FALSE(region.share_seconds);
  times.share = 2.0;
  times.caused = 3.0;
  times.waits = {1.0, 2.0, 3.0, 4.0, 5.0};
  fill_times(region, times, accumulator, 1.0);
  EXPECT_EQ(region.share_seconds, Seconds(2.0));
  EXPECT_EQ(region.caused_wait_seconds, Seconds(3.0));
  EXPECT_EQ(region.wait_causes,
            (WaitCauses{Seconds(1.0), Seconds(2.0), Seconds(3.0), Seconds(4.0), Seconds(5.0)}));
}

TEST(CpusOfProcess, AreThoseOfAllItsThreads) {
  ProcessSamples process;
  process.cpus_by_thread = {{0, {0, 1}}, {1, {1, 2}}};
  const std::uint32_t node = process.samples.stacks().push(0, 1);
  process.samples.add_tick({node, node}, 1.0);
  SampleSet all;
  all.most_threads = 5;
  EXPECT_EQ(cpus_of(process, all).cpus, 3U);
  EXPECT_EQ(cpus_of(process, all).threads_elsewhere, 3U);
  all.most_threads = 2;
  EXPECT_EQ(cpus_of(process, all).threads_elsewhere, 0U);
}

TEST(ChoosePlacement, ThreadsThatMayRunAnywhereTakeTheCoresInTurn) {
  const std::map<unsigned, std::uint32_t> cores{{0, 0}, {1, 1}, {2, 0}, {3, 1}};
  const CpuSet all{0, 1, 2, 3};
  EXPECT_THAT(choose_placement({{0, all}, {1, all}, {2, all}}, all, 3, cores),
              ElementsAre(0U, 1U, 0U));
  EXPECT_THAT(choose_placement({{0, {1, 3}}, {1, {1, 3}}}, all, 2, cores), ElementsAre(1U, 1U));
}

TEST(ChoosePlacement, BoundThreadsKeepTheirCoreAndOthersMakeRoom) {
  const std::map<unsigned, std::uint32_t> cores{{0, 0}, {1, 1}};
  EXPECT_THAT(choose_placement({{0, {1}}, {1, {0}}}, {0, 1}, 2, cores), ElementsAre(1U, 0U));
  EXPECT_THAT(choose_placement({{0, {0, 1}}, {1, {0}}}, {0, 1}, 2, cores), ElementsAre(1U, 0U));
}

TEST(ChoosePlacement, ThreadsThatWereNeverSeenRunWhereTheProgramMay) {
  const std::map<unsigned, std::uint32_t> cores{{0, 0}, {1, 1}};
  EXPECT_THAT(choose_placement({{0, {1}}}, {1}, 3, cores), ElementsAre(1U, 1U, 1U))
      << "all are bound to one CPU";
  EXPECT_THAT(choose_placement({{0, {0, 1}}, {2, {0}}}, {0, 1}, 4, cores),
              ElementsAre(1U, 0U, 0U, 1U));
  EXPECT_THAT(choose_placement({}, {0, 1}, 4, cores), ElementsAre(0U, 1U, 0U, 1U));
}

TEST(ChoosePlacement, StopsWhereNothingIsKnown) {
  const std::map<unsigned, std::uint32_t> cores{{0, 0}};
  EXPECT_THAT(choose_placement({{0, {0}}, {1, {77}}}, {0}, 3, cores), ElementsAre(0U));
  EXPECT_THAT(choose_placement({}, {}, 3, cores), IsEmpty());
}

}  // namespace
}  // namespace ridge::measure
