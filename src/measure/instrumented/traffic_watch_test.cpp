#include "measure/instrumented/traffic_watch.hpp"

#include <gtest/gtest.h>

namespace ridge::measure {
namespace {

constexpr std::uint64_t kBytes = 1'000'000'000;

/// 100 s at most; may be followed by a run of all lines.
TrafficWatchOptions sampled_run() {
  return {RunOfProgram::traffic, kBytes, {Seconds(20.0), Seconds(100.0)}, true, std::nullopt};
}

/// What the arena of a sampled run holds when this share of its bytes is counted: one region, with
/// `lines` lines at each boundary from one line of eight, and this verdict on them.
DecodedArena figures(double share, ridge_pilot_verdict verdict, std::uint32_t lines) {
  RawProcess process;
  process.regions.resize(2);
  process.regions[1].counts.bytes_loaded =
      static_cast<std::uint64_t>(share * static_cast<double>(kBytes));
  process.traffic.resize(2);
  process.sampled.resize(2);
  process.sampled[1].crossed[0] = {64ULL * lines, 0};
  process.pilot.resize(2);
  process.pilot[1].sampled_accesses = 1;
  for (ridge_pilot_level& level : process.pilot[1].levels) {
    level.verdict = verdict;
    level.lines[0] = lines / 32;  // a window is one access in 32
  }
  process.sample_weight = 8;
  DecodedArena arena;
  arena.processes.push_back(std::move(process));
  return arena;
}

constexpr std::uint32_t kMany = 10'000'000;
constexpr std::uint32_t kFew = 1000;

TEST(TrafficWatch, TellsHowFarItIs) {
  TrafficWatch watch(sampled_run());
  EXPECT_EQ(watch.progress().elapsed, Seconds(0.0));
  EXPECT_EQ(watch.progress().remaining->most, Seconds(100.0)) << "as expected before it starts";
  EXPECT_EQ(watch.look(Seconds(10.0), figures(0.25, RIDGE_PILOT_EVEN, kMany)),
            TrafficVerdict::go_on);
  const Progress progress = watch.progress();
  EXPECT_EQ(progress.run, RunOfProgram::traffic);
  EXPECT_EQ(progress.elapsed, Seconds(10.0));
  EXPECT_DOUBLE_EQ(progress.done.value(), 0.25);
  EXPECT_NEAR(progress.remaining->least.value(), 30.0, 1e-9);
  EXPECT_NEAR(progress.remaining->most.value(), 30.0, 1e-9);
}

TEST(TrafficWatch, WithoutCountsTheExpectationStands) {
  TrafficWatch watch(sampled_run());
  (void)watch.look(Seconds(30.0), figures(0.0, RIDGE_PILOT_EVEN, 0));
  EXPECT_FALSE(watch.progress().done);
  EXPECT_EQ(watch.progress().remaining->least, Seconds(0.0)) << "20 s were expected";
  EXPECT_EQ(watch.progress().remaining->most, Seconds(70.0));
  (void)watch.look(Seconds(101.0), figures(0.0, RIDGE_PILOT_EVEN, 0));
  EXPECT_FALSE(watch.progress().remaining) << "nothing is known any more";
}

TEST(TrafficWatch, UnevenLoopsNeedAllLines) {
  TrafficWatch watch(sampled_run());
  const auto uneven = [](double share) { return figures(share, RIDGE_PILOT_UNEVEN, kMany); };
  EXPECT_EQ(watch.look(Seconds(4.0), uneven(0.04)), TrafficVerdict::go_on)
      << "the first loops do not decide";
  EXPECT_EQ(watch.look(Seconds(6.0), uneven(0.06)), TrafficVerdict::go_on) << "nor does one look";
  EXPECT_EQ(watch.look(Seconds(7.0), uneven(0.07)), TrafficVerdict::all_lines);
  EXPECT_NEAR(watch.untrusted_share(), 1.0, 1e-9);
}

TEST(TrafficWatch, EvenLoopsGoOn) {
  TrafficWatch watch(sampled_run());
  for (int second = 1; second < 90; ++second) {
    EXPECT_EQ(watch.look(Seconds(second), figures(0.01 * second, RIDGE_PILOT_EVEN, kMany)),
              TrafficVerdict::go_on);
  }
}

// One line in 31 for a pilot that has looked at a tenth of the run: at the end it has ten.
TEST(TrafficWatch, UnprovenLoopsGoOnWhileTheyCanBeProved) {
  TrafficWatch little(sampled_run());
  TrafficWatch enough(sampled_run());
  for (int second = 10; second < 12; ++second) {
    const auto few = figures(0.1, RIDGE_PILOT_UNPROVEN, 200 * 32);
    const auto more = figures(0.1, RIDGE_PILOT_UNPROVEN, 210 * 32);
    const bool last = second == 11;
    EXPECT_EQ(little.look(Seconds(second), few),
              last ? TrafficVerdict::all_lines : TrafficVerdict::go_on)
        << "about 2000 at the end; a verdict takes 2048";
    EXPECT_EQ(enough.look(Seconds(second), more), TrafficVerdict::go_on) << "about 2100";
  }
}

// Counts of a long loop may all come before its work: then the time says how far it is.
TEST(TrafficWatch, CountsThatCameEarlyDoNotDecide) {
  TrafficWatch watch(sampled_run());
  for (int second = 1; second <= 4; ++second) {
    EXPECT_EQ(watch.look(Seconds(second), figures(1.0, RIDGE_PILOT_UNEVEN, kMany)),
              TrafficVerdict::go_on)
        << "at most 4 % of the time";
  }
}

TEST(TrafficWatch, OnlyARunThatMayBeRepeatedIsEnded) {
  TrafficWatchOptions options = sampled_run();
  options.may_repeat = false;
  TrafficWatch watch(options);
  for (int second = 10; second < 20; ++second) {
    EXPECT_EQ(watch.look(Seconds(second), figures(0.1, RIDGE_PILOT_UNEVEN, kFew)),
              TrafficVerdict::go_on);
  }
}

TEST(TrafficWatch, ABudgetEndsARun) {
  TrafficWatchOptions options = sampled_run();
  options.most = Seconds(120.0);
  TrafficWatch watch(options);
  EXPECT_EQ(watch.look(Seconds(120.0), figures(0.5, RIDGE_PILOT_EVEN, kMany)),
            TrafficVerdict::go_on);
  EXPECT_EQ(watch.look(Seconds(120.5), figures(0.5, RIDGE_PILOT_EVEN, kMany)),
            TrafficVerdict::over_budget);
}

}  // namespace
}  // namespace ridge::measure
