#include "measure/binary/profile/region_seconds.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::measure::binary {
namespace {

constexpr std::uint64_t kMillisecond = 1'000'000;

/// Place i lies in region i.
class SampledTimesTest : public testing::Test {
 protected:
  void was(std::uint32_t thread, std::uint32_t place, std::uint64_t begin, std::uint64_t end,
           bool asleep = false) {
    while (code_.threads.size() <= thread) {
      code_.threads.push_back({1, static_cast<pid_t>(code_.threads.size() + 1), 0, std::nullopt});
    }
    code_.moments.push_back({begin * kMillisecond, end * kMillisecond,
                             asleep ? 0U : static_cast<std::uint32_t>((end - begin) * kMillisecond),
                             place, thread, asleep, false});
  }

  SampledTimes times(std::vector<std::optional<std::uint32_t>> parents) {
    std::vector<std::uint32_t> regions;
    for (std::uint32_t i = 0; i < parents.size(); ++i) {
      regions.push_back(i);
    }
    return sampled_times(code_, regions, parents);
  }

  SampledCode code_;
};

constexpr double kTiny = 1e-12;

TEST_F(SampledTimesTest, OneThreadGivesEachRegionItsOwn) {
  was(0, 0, 0, 10);
  was(0, 1, 10, 40);
  was(0, 0, 40, 50);
  const auto found = times({std::nullopt, 0});
  EXPECT_NEAR(found.regions[0].wall, 0.020, kTiny);
  EXPECT_NEAR(found.regions[1].wall, 0.030, kTiny);
  EXPECT_NEAR(found.regions[0].wall_inclusive, 0.050, kTiny);
  EXPECT_NEAR(found.regions[0].cpu_inclusive, 0.050, kTiny);
  EXPECT_NEAR(found.regions[0].share, 0.020, kTiny);
  EXPECT_EQ(found.regions[0].samples, 2U);
  EXPECT_EQ(found.regions[0].samples_inclusive, 3U);
  EXPECT_EQ(found.regions[0].threads, 1U);
  EXPECT_NEAR(found.attributed, 0.050, kTiny);
}

TEST_F(SampledTimesTest, ThreadsAtOnceCountOnceByTheClockAndEachForTheCpu) {
  was(0, 0, 0, 40);
  was(1, 0, 20, 60);
  const auto found = times({std::nullopt});
  EXPECT_NEAR(found.regions[0].wall, 0.060, kTiny);
  EXPECT_NEAR(found.regions[0].cpu, 0.080, kTiny);
  EXPECT_NEAR(found.regions[0].share, 0.060, kTiny);
  EXPECT_EQ(found.regions[0].threads, 2U);
  EXPECT_EQ(found.most_threads, 2U);
  EXPECT_NEAR(found.regions[0].cpu_by_thread.at(1), 0.040, kTiny);
}

TEST_F(SampledTimesTest, SharesOfThreadsAtWorkSumToTheWallTime) {
  was(0, 0, 0, 100);
  was(1, 1, 50, 100);
  const auto found = times({std::nullopt, std::nullopt});
  EXPECT_NEAR(found.regions[0].share, 0.075, kTiny);
  EXPECT_NEAR(found.regions[1].share, 0.025, kTiny);
}

TEST_F(SampledTimesTest, SleepersCountOnlyWhereNobodyWorks) {
  was(0, 0, 0, 100, true);
  was(1, 1, 20, 50);
  const auto found = times({std::nullopt, std::nullopt});
  EXPECT_NEAR(found.regions[0].wall, 0.070, kTiny);
  EXPECT_NEAR(found.regions[0].share, 0.070, kTiny);
  EXPECT_NEAR(found.regions[0].asleep, 0.070, kTiny);
  EXPECT_EQ(found.regions[0].cpu, 0.0);
  EXPECT_NEAR(found.regions[1].wall, 0.030, kTiny);
  EXPECT_EQ(found.regions[1].asleep, 0.0);
  EXPECT_NEAR(found.sampled, 0.100, kTiny);
}

TEST_F(SampledTimesTest, SleepersTogetherAreAsleepOnceAndTheAwakeAreNot) {
  was(0, 0, 0, 30);
  was(0, 0, 30, 60, true);
  was(1, 0, 40, 90, true);
  const auto found = times({std::nullopt});
  EXPECT_NEAR(found.regions[0].wall, 0.090, kTiny);
  EXPECT_NEAR(found.regions[0].asleep, 0.060, kTiny);
  EXPECT_NEAR(found.regions[0].cpu, 0.030, kTiny);
}

TEST_F(SampledTimesTest, ARegionSleepsForItselfAlone) {
  was(0, 1, 0, 40, true);
  was(0, 0, 40, 50);
  const auto found = times({std::nullopt, 0});
  EXPECT_EQ(found.regions[0].asleep, 0.0);
  EXPECT_NEAR(found.regions[0].wall_inclusive, 0.050, kTiny);
  EXPECT_NEAR(found.regions[1].asleep, 0.040, kTiny);
}

TEST_F(SampledTimesTest, TheKernelsPartIsThatOfSamplesInIt) {
  was(0, 0, 0, 10);
  was(0, 0, 10, 40);
  code_.moments.back().in_kernel = true;
  const auto found = times({std::nullopt});
  EXPECT_NEAR(found.regions[0].cpu, 0.040, kTiny);
  EXPECT_NEAR(found.regions[0].kernel, 0.030, kTiny);
}

TEST_F(SampledTimesTest, AShortHandOverIsNotTwoThreads) {
  was(0, 0, 0, 101);
  was(1, 0, 100, 200);
  EXPECT_EQ(times({std::nullopt}).regions[0].threads, 1U);
}

TEST_F(SampledTimesTest, WhatIsInNoRegionIsNotAttributed) {
  was(0, 0, 0, 30);
  was(0, 5, 30, 40);
  const auto found = times({std::nullopt});
  EXPECT_NEAR(found.sampled, 0.040, kTiny);
  EXPECT_NEAR(found.attributed, 0.030, kTiny);
  EXPECT_EQ(found.samples, 2U);
}

TEST_F(SampledTimesTest, AGapIsWaitingAsFarAsTheKernelSays) {
  was(0, 0, 0, 10);
  code_.moments.back().weight = kMillisecond;
  const auto slept = times({std::nullopt});
  EXPECT_NEAR(slept.regions[0].wall, 0.001, kTiny) << "of the rest nobody knows where it slept";
  EXPECT_FALSE(slept.waited);
  code_.threads[0].waiting_nanoseconds = 4'500'000;
  const auto waited = times({std::nullopt});
  EXPECT_NEAR(waited.regions[0].wall, 0.0055, kTiny);
  EXPECT_NEAR(waited.regions[0].waited, 0.0045, kTiny);
  EXPECT_NEAR(*waited.waited, 0.0045, kTiny);
  EXPECT_NEAR(waited.regions[0].cpu, 0.001, kTiny);
  code_.threads[0].waiting_nanoseconds = 1'000'000'000;
  EXPECT_NEAR(times({std::nullopt}).regions[0].wall, 0.010, kTiny) << "not longer than the gap";
}

TEST_F(SampledTimesTest, NothingSampledIsNoTime) {
  const auto found = times({std::nullopt});
  EXPECT_EQ(found.samples, 0U);
  EXPECT_EQ(found.regions[0].wall, 0.0);
  EXPECT_EQ(found.regions[0].threads, 0U);
}

}  // namespace
}  // namespace ridge::measure::binary
