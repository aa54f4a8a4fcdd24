// How far a projected time may be off.
#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/projection/projection_for_tests.hpp"
#include "predict/projection/published_ceilings.hpp"
#include "predict/projection/regions_there.hpp"
#include "predict/projection/traffic_there.hpp"

namespace ridge::predict {
namespace {

using ::testing::Contains;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using namespace ridge::predict::testing;

constexpr const char* kBusyOrIdle = "other cores of the part busy or idle";

// The stream reaches half its roof: ideal 0.5 s, calibrated 1 s, and 1.6 s where each of 8 cores
// has 25 of 200 GB/s. Its memory is not faster with another clock.
TEST(Interval, FromIdealToCalibratedOverWhatIsOpen) {
  // L2 and L3 as fast as here bind less than memory does, there as here.
  const MachineProjection there = on(stream(), published_target());
  EXPECT_THAT(*there.regions[0].low_seconds, DoubleNear(0.5, 1e-9));
  EXPECT_THAT(*there.regions[0].high_seconds, DoubleNear(1.6, 1e-9));
  EXPECT_THAT(*there.low_seconds, DoubleNear(0.5, 1e-9));
  EXPECT_THAT(*there.high_seconds, DoubleNear(1.6, 1e-9));
  EXPECT_THAT(there.interval_of, ElementsAre(HasSubstr("calibrated"), HasSubstr("2 to 3 GHz"),
                                             HasSubstr("L2, L3 that does not bind"), kBusyOrIdle));
  ProjectionTarget slow = published_target();
  slow.machine.figures.bandwidths.push_back({"DRAM", Basis::sustained, "load", figure(10e9)});
  const MachineProjection wide = on(stream(), slow);
  EXPECT_THAT(*wide.regions[0].high_seconds, DoubleNear(32.0, 1e-9));  // 1 s x 40 / (10 / 8)
  EXPECT_EQ(wide.interval_of.size(), 5U);
}

// 100 GFlop at 32 flop per cycle here and there, 2 to 3 GHz there.
TEST(Interval, TheClockOfArithmetic) {
  const MachineProjection there = on(arithmetic(), published_target(true));
  const double at_boost = 100e9 / (3e9 * 32);
  EXPECT_THAT(*there.regions[0].ideal_seconds, DoubleNear(at_boost, 1e-9));
  EXPECT_THAT(*there.regions[0].low_seconds, DoubleNear(at_boost, 1e-9));
  EXPECT_THAT(*there.regions[0].high_seconds, DoubleNear(*there.regions[0].seconds * 1.5, 1e-9));
}

// 100 GB across L2-L3 at 100 GB/s here, in the second that the loop took; nothing is published of
// L3 there. It may be as fast as here: 1 s. Without it the time is that of 1 Mflop and 1 MB, or 0.5
// s as far from the roof of a memory of which each core draws twice as much, busy neighbours or
// not.
TEST(Interval, ALevelWithoutAFigureMayBeAsFastAsHere) {
  Region region = loop(1, 1.0, kMega, kMega);
  region.traffic["L3"] = {100 * kGiga, 0};
  ProjectionTarget unknown = published_target(true);
  unknown.machine.figures.bandwidths = {{"DRAM", Basis::theoretical, {}, figure(800e9)},
                                        {"DRAM", Basis::theoretical, {}, figure(80e9), 1U}};
  const MachineProjection there = on(profile_of({region}), unknown);
  EXPECT_LT(*there.regions[0].seconds, 0.7);
  EXPECT_LT(*there.regions[0].low_seconds, 1e-3);
  EXPECT_THAT(*there.regions[0].high_seconds, DoubleNear(1.0, 1e-9));
  // With a figure it is no question.
  ProjectionTarget known = published_target(true);
  known.machine.figures.bandwidths.push_back({"L3", Basis::theoretical, {}, figure(200e9)});
  const MachineProjection told = on(profile_of({region}), known);
  EXPECT_THAT(*told.regions[0].ideal_seconds, DoubleNear(0.5, 1e-9));
  EXPECT_THAT(*told.regions[0].low_seconds, DoubleNear(0.5, 1e-9));
  EXPECT_THAT(*told.regions[0].high_seconds, DoubleNear(4.0, 1e-9));  // an eighth of it
  EXPECT_EQ(told.interval_of.size(), 3U);
  const MachineProjection whole = on(profile_of({region}), known, {8U, Basis::theoretical});
  EXPECT_THAT(*whole.regions[0].high_seconds, DoubleNear(0.5, 1e-9));
}

TEST(Interval, ContainsBothTimes) {
  std::mt19937 random(29);
  for (int i = 0; i < 200; ++i) {
    const auto draw = [&] { return kMega * (1 + random() % 50000); };
    const Profile profile = profile_of({loop(1, 1.0, draw(), draw(), 1 + random() % 2),
                                        loop(2, 0.5, draw(), draw(), 1, 64U << random() % 4)});
    ProjectionTarget target = published_target(random() % 2 == 0);
    if (random() % 2 == 0) {
      target.machine.figures.bandwidths.push_back(
          {"DRAM", Basis::sustained, "load",
           figure(1e9 * static_cast<double>(1 + random() % 200))});
    }
    for (const MachineProjection& there : all_on(profile, target)) {
      for (const double time : {*there.seconds, *there.ideal_seconds}) {
        EXPECT_LE(*there.low_seconds, time * (1 + 1e-12));
        EXPECT_GE(*there.high_seconds, time * (1 - 1e-12));
      }
    }
  }
}

/// byte/s of a published CPU's level beside so many busy cores; 0: no ceiling.
double rate_beside(const TargetMachine& target, const char* level, unsigned cores,
                   unsigned neighbours) {
  const PublishedUse use{.cores = cores, .clock = ClockGuess::base, .busy_neighbours = neighbours};
  const Machine machine = published_machine(target, std::nullopt, use);
  const auto id = std::string("bandwidth.") + level + ".load.any.t" + std::to_string(cores);
  const Ceiling* ceiling = find_ceiling(machine, id);
  return ceiling != nullptr ? p90_of(ceiling->value) : 0.0;
}

// 8 cores share 200 GB/s of memory and 400 GB/s of L3; each has 100 GB/s of an L2 of its own.
TEST(BusyNeighbours, TakeAnEvenShareOfWhatIsShared) {
  TargetMachine target = published_target().machine;
  target.figures.caches = {{"L2", true, figure(1e6)}, {"L3", false, figure(3e7)}};
  target.figures.bandwidths.push_back({"L2", Basis::theoretical, {}, figure(800e9)});
  target.figures.bandwidths.push_back({"L3", Basis::theoretical, {}, figure(400e9)});
  for (unsigned cores = 1; cores <= 8; ++cores) {
    const unsigned others = 8 - cores;
    EXPECT_DOUBLE_EQ(rate_beside(target, "DRAM", cores, others), cores * 25e9);
    EXPECT_DOUBLE_EQ(rate_beside(target, "L3", cores, others), cores * 50e9);
    EXPECT_DOUBLE_EQ(rate_beside(target, "L2", cores, others), cores * 100e9);
  }
  EXPECT_DOUBLE_EQ(rate_beside(target, "DRAM", 1, 0), 200e9);
  EXPECT_DOUBLE_EQ(rate_beside(target, "L3", 1, 0), 400e9);
  // A core that draws less than its share alone draws the same beside others.
  target.figures.bandwidths.push_back(of_one_core(20e9));
  EXPECT_DOUBLE_EQ(rate_beside(target, "DRAM", 1, 7), 20e9);
  EXPECT_DOUBLE_EQ(rate_beside(target, "DRAM", 1, 0), 20e9);
}

// 20 GB in a second, here at half of 40 GB/s: calibrated 2 x 20 GB / rate. With n of 8 cores the
// rate is n x 25 GB/s in the worst case, with all of them the 200 GB/s that nobody else wants.
TEST(BusyNeighbours, AreTheLongerEndUnlessTheProgramHasAllCores) {
  for (unsigned cores = 1; cores <= 8; ++cores) {
    const MachineProjection there = on(stream(), published_target(), {cores, Basis::theoretical});
    const double idle = std::min(cores * 40e9, 200e9);
    EXPECT_THAT(*there.regions[0].low_seconds, DoubleNear(20e9 / idle, 1e-9)) << cores;
    EXPECT_THAT(*there.regions[0].high_seconds, DoubleNear(40e9 / (cores * 25e9), 1e-9)) << cores;
    EXPECT_EQ(there.interval_of.back() == kBusyOrIdle, cores < 8) << cores;
  }
  EXPECT_THAT(*on(stream(), published_target(), {8U, Basis::theoretical}).high_seconds,
              DoubleNear(40e9 / 200e9, 1e-9));
}

// Two cores of eight: in a serial loop the second one waits, and seven draw.
TEST(BusyNeighbours, CoresOfTheProgramThatWaitDrawNothing) {
  const Profile profile =
      profile_of({loop(1, 1.0, kMega, kGiga, 2), loop(2, 1.0, kMega, 20 * kGiga)});
  const MachineProjection there = on(profile, published_target());
  ASSERT_EQ(there.cores, 2U);
  EXPECT_THAT(*there.regions[1].high_seconds, DoubleNear(2 * 20e9 / (200e9 / 7), 1e-9));
  for (const MachineProjection& row : all_on(profile, published_target())) {
    EXPECT_EQ(row.cores_are == CoresThere::whole, row.interval_of.back() != kBusyOrIdle);
  }
}

TEST(BusyNeighbours, AreNoQuestionWithoutANumberOfCoresOrWhereRatesWereMeasured) {
  ProjectionTarget unknown = published_target();
  unknown.machine.figures.cores.reset();
  for (const ProjectionTarget& target : {unknown, same_machine()}) {
    EXPECT_THAT(on(stream(), target).interval_of, Not(Contains(kBusyOrIdle)));
  }
}

/// The interval of each region over all readings, and over those beside idle cores alone.
struct BothIntervals {
  std::vector<ProjectedRegion> all;
  std::vector<ProjectedRegion> idle;
};

BothIntervals both_intervals(const Profile& profile, const ProjectionTarget& target,
                             unsigned cores) {
  const Microarchitecture pipes = zen4_pipes();
  const Latencies latencies;
  const Elsewhere elsewhere{profile, &pipes, target, latencies, traffic_source(profile, target)};
  const auto placed = place_regions(profile, target, cores);
  const PublishedUse use{.cores = cores,
                         .memory_per_core = drawn_here(profile.machine, Level::DRAM)};
  BothIntervals made;
  made.all = made.idle = regions_there(placed, elsewhere, use).regions;
  for (const PublishedUse& reading : other_readings(target, use, profile.machine).uses) {
    const auto regions = regions_there(placed, elsewhere, reading).regions;
    widen(made.all, regions);
    if (reading.busy_neighbours == 0) {
      widen(made.idle, regions);
    }
  }
  return made;
}

TEST(BusyNeighbours, OnlyMoveTheLongerEnd) {
  std::mt19937 random(31);
  int longer = 0;
  for (int i = 0; i < 200; ++i) {
    const auto draw = [&] { return kMega * (1 + random() % 50000); };
    const Profile profile = profile_of({loop(1, 1.0, draw(), draw())});
    ProjectionTarget target = published_target(random() % 2 == 0);
    target.machine.figures.bandwidths.push_back(
        {"L3", Basis::theoretical, {}, figure(1e9 * static_cast<double>(1 + random() % 900))});
    const unsigned cores = 1 + random() % 8;
    const BothIntervals intervals = both_intervals(profile, target, cores);
    EXPECT_DOUBLE_EQ(*intervals.all[0].low_seconds, *intervals.idle[0].low_seconds);
    EXPECT_GE(*intervals.all[0].high_seconds, *intervals.idle[0].high_seconds);
    if (cores == 8) {
      EXPECT_DOUBLE_EQ(*intervals.all[0].high_seconds, *intervals.idle[0].high_seconds);
    }
    longer += *intervals.all[0].high_seconds > *intervals.idle[0].high_seconds ? 1 : 0;
  }
  EXPECT_GT(longer, 50);
}

}  // namespace
}  // namespace ridge::predict
