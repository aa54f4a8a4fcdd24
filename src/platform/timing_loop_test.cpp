#include "platform/timing_loop.hpp"

#include <algorithm>
#include <atomic>
#include <random>

#include <gtest/gtest.h>

#include "platform/affinity.hpp"

namespace ridge::platform {
namespace {

TEST(Stamps, SpanAndOverlapOfSyntheticStamps) {
  EXPECT_EQ(span_ticks({{100, 200}, {110, 230}}), 130U);
  EXPECT_DOUBLE_EQ(overlap({{100, 200}, {100, 200}}), 1.0);
  EXPECT_DOUBLE_EQ(overlap({{100, 200}, {150, 200}}), 0.5);
  EXPECT_DOUBLE_EQ(overlap({{100, 200}, {300, 400}}), 0.0);
  EXPECT_DOUBLE_EQ(overlap({{100, 200}, {200, 300}}), 0.0);
  // Begun together, but one was stopped for nine tenths of the time.
  EXPECT_DOUBLE_EQ(overlap({{0, 100}, {0, 1000}, {0, 110}}), 0.1);
  EXPECT_DOUBLE_EQ(overlap({{5, 17}}), 1.0);
  EXPECT_DOUBLE_EQ(overlap({{5, 5}, {5, 5}}), 1.0);
}

TEST(Stamps, OverlapIsAFractionAndDoesNotDependOnOrderOrOrigin) {
  std::mt19937 random(11);
  for (int round = 0; round < 5000; ++round) {
    std::vector<Stamp> stamps(1 + random() % 5);
    for (Stamp& stamp : stamps) {
      stamp.begin = 1000 + random() % 1000;
      stamp.end = stamp.begin + random() % 1000;
    }
    const double fraction = overlap(stamps);
    ASSERT_GE(fraction, 0.0);
    ASSERT_LE(fraction, 1.0);
    std::shuffle(stamps.begin(), stamps.end(), random);
    ASSERT_DOUBLE_EQ(overlap(stamps), fraction);
    for (Stamp& stamp : stamps) {
      stamp.begin += std::uint64_t{1} << 40U;
      stamp.end += std::uint64_t{1} << 40U;
    }
    ASSERT_DOUBLE_EQ(overlap(stamps), fraction);
  }
}

TEST(ClockBeside, IsTheMeanUnlessOneProbeWasInterrupted) {
  EXPECT_DOUBLE_EQ(clock_beside(Hertz{3.00e9}, Hertz{3.02e9}).value(), 3.01e9);
  EXPECT_DOUBLE_EQ(clock_beside(Hertz{3.02e9}, Hertz{3.00e9}).value(), 3.01e9);
  EXPECT_DOUBLE_EQ(clock_beside(Hertz{3.0e9}, Hertz{0.3e9}).value(), 3.0e9);
  EXPECT_DOUBLE_EQ(clock_beside(Hertz{0.3e9}, Hertz{3.0e9}).value(), 3.0e9);
}

TEST(Overlap, SamplesOfThreadsThatRanApartAreThrownAway) {
  const auto kept = reject_apart(
      {{Seconds{1}, Hertz{1}, 0.99}, {Seconds{2}, Hertz{1}, 0.10}, {Seconds{3}, Hertz{1}, 0.80}},
      0.8);
  ASSERT_EQ(kept.samples.size(), 2U);
  EXPECT_EQ(kept.samples[0].time.value(), 1.0);
  EXPECT_EQ(kept.samples[1].time.value(), 3.0);
  EXPECT_EQ(kept.thrown_away, 1U);
  EXPECT_FALSE(kept.threads_apart);
}

// 1.25 GB/s with two threads where one has 32: the second thread came when the first had gone.
TEST(Overlap, WhenAllRanApartNoneIsKept) {
  const auto kept = reject_apart({{Seconds{1}, Hertz{1}, 0.0}, {Seconds{2}, Hertz{1}, 0.5}}, 0.8);
  EXPECT_TRUE(kept.samples.empty());
  EXPECT_EQ(kept.thrown_away, 2U);
  EXPECT_TRUE(kept.threads_apart);
  EXPECT_FALSE(reject_apart({}, 0.8).threads_apart);
}

TEST(TakeSamples, EveryThreadWorksOnEverySampleOnItsOwnCpu) {
  const auto cpus = allowed_cpus();
  const ClockProbe probe(calibrate_tsc());
  std::vector<std::atomic<std::uint64_t>> next(cpus.size());
  std::atomic<bool> in_order{true};
  std::atomic<bool> pinned{true};
  const auto work = [&](unsigned thread, std::uint64_t sample) {
    in_order = in_order && next[thread].fetch_add(1) + 100 == sample;
    pinned = pinned && allowed_cpus() == std::vector<unsigned>{cpus[thread]};
  };
  const auto results = take_samples(cpus, probe,
                                    {{.work = work,
                                      .budget = Seconds{0.002},
                                      .least_samples = 3,
                                      .first_sample = 100,
                                      .warm_ups = 2}});
  ASSERT_TRUE(results) << results.error().message;
  ASSERT_EQ(results->size(), 1U);
  const TimingResult& result = results->front();
  EXPECT_TRUE(in_order);
  EXPECT_TRUE(pinned);
  const std::uint64_t taken = result.samples.size() + result.thrown_away;
  for (const auto& count : next) {
    EXPECT_EQ(count, taken + 2);  // and the warm-ups
  }
  EXPECT_EQ(result.next_sample, 100 + taken + 2);
  for (const TimedSample& sample : result.samples) {
    EXPECT_GE(sample.time.value(), 0.0);
    EXPECT_GT(sample.clock.value(), 0.0);
    EXPECT_GT(sample.burst_cycles, 0.0);
  }
}

TEST(TakeSamples, VisitsFollowOneAnotherUntilToldToStop) {
  const ClockProbe probe(calibrate_tsc());
  std::vector<int> order;
  std::vector<Visit> visits;
  for (int i = 0; i < 4; ++i) {
    visits.push_back({.work = [&order, i](unsigned, std::uint64_t) { order.push_back(i); },
                      .budget = Seconds{1e-5},
                      .least_samples = 1});
  }
  int asked = 0;
  const auto results =
      take_samples({allowed_cpus().front()}, probe, visits, [&] { return ++asked > 3; });
  ASSERT_TRUE(results) << results.error().message;
  EXPECT_EQ(results->size(), 3U);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
  EXPECT_EQ(order.back(), 2);
  for (const TimingResult& result : *results) {
    EXPECT_GE(result.samples.size(), 1U);
  }
}

TEST(TakeSamples, ACpuThatDoesNotExistIsAnErrorAndNothingRuns) {
  const ClockProbe probe(1e9);
  std::atomic<int> ran{0};
  const auto result = take_samples({allowed_cpus().front(), 16383}, probe,
                                   {{.work = [&](unsigned, std::uint64_t) { ++ran; }}});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::unavailable);
  EXPECT_EQ(ran, 0);
}

}  // namespace
}  // namespace ridge::platform
