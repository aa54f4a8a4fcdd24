#include "bench/quiet.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::bench {
namespace {

using testing::Each;

/// `visits` visits of ten samples, all quiet and of this rate.
Measured visits_of(unsigned visits, double rate) {
  Measured all;
  for (unsigned i = 0; i < visits; ++i) {
    all.append({.rates = std::vector<double>(10, rate),
                .clocks = std::vector<double>(10, 2.0),
                .burst_cycles = std::vector<double>(10, 5000.0)});
  }
  return all;
}

TEST(Quiet, TheQuietBurstIsThatOfTheQuickVisitsButNotOfOneOutlier) {
  EXPECT_FALSE(quiet_burst_cycles({}));
  std::vector<double> bursts(100, 5000.0);
  bursts[3] = 4000.0;
  EXPECT_DOUBLE_EQ(quiet_burst_cycles(bursts).value(), 5000.0);
  // Only one visit in five was quiet.
  for (std::size_t i = 0; i < bursts.size(); ++i) {
    bursts[i] = i % 5 == 0 ? 5000.0 : 6000.0 + static_cast<double>(i);
  }
  EXPECT_DOUBLE_EQ(quiet_burst_cycles(bursts).value(), 5000.0);
}

TEST(Quiet, SamplesAreSortedByTheBurstsAndNotByTheirValue) {
  Measured measured = visits_of(5, 12.0);
  for (std::size_t i = 0; i < 20; ++i) {
    measured.burst_cycles[i] = 6000.0;
    measured.rates[i] = 99.0;  // the best of all
  }
  measured.rates[30] = 1.0;  // the worst
  const Sorted sorted = sort_out(measured, 5000.0);
  EXPECT_FALSE(sorted.disturbed);
  ASSERT_EQ(sorted.kept.rates.size(), 30U);
  EXPECT_EQ(sorted.kept.clocks.size(), 30U);
  EXPECT_EQ(sorted.kept.visits.size(), 30U);
  EXPECT_THAT(sorted.kept.burst_cycles, Each(5000.0));
  EXPECT_DOUBLE_EQ(sorted.kept.rates[10], 1.0);
  EXPECT_EQ(sorted.quiet.size(), 50U);
  EXPECT_FALSE(sorted.quiet[19]);
  EXPECT_TRUE(sorted.quiet[20]);
}

TEST(Quiet, WithTooFewQuietSamplesAllCount) {
  Measured measured = visits_of(5, 12.0);
  for (std::size_t i = 0; i < 31; ++i) {
    measured.burst_cycles[i] = 6000.0;
  }
  const Sorted sorted = sort_out(measured, 5000.0);
  EXPECT_TRUE(sorted.disturbed);
  EXPECT_EQ(sorted.kept.rates.size(), 50U);
}

TEST(Quiet, TheUncertaintyCountsVisits) {
  EXPECT_FALSE(uncertainty_of_p90(visits_of(7, 12.0), Scale::per_second));
  EXPECT_DOUBLE_EQ(uncertainty_of_p90(visits_of(8, 12.0), Scale::per_second).value(), 0.0);
  // A tenth of the visits has the true value: nine in ten of the others being low, it could as well
  // have been none.
  Measured rarely_quiet = visits_of(90, 10.0);
  for (int i = 0; i < 10; ++i) {
    rarely_quiet.append(visits_of(1, 12.0));
  }
  EXPECT_GT(uncertainty_of_p90(rarely_quiet, Scale::per_second).value(), 0.05);
  Measured half_quiet = visits_of(30, 10.0);
  for (int i = 0; i < 30; ++i) {
    half_quiet.append(visits_of(1, 12.0));
  }
  EXPECT_DOUBLE_EQ(uncertainty_of_p90(half_quiet, Scale::per_second).value(), 0.0);
}

TEST(Quiet, AChangingClockMakesNoUncertaintyPerCycle) {
  Measured boosting = visits_of(50, 10.0);
  Measured fast = visits_of(5, 20.0);
  fast.clocks.assign(fast.rates.size(), 4.0);
  boosting.append(fast);
  EXPECT_DOUBLE_EQ(uncertainty_of_p90(boosting, Scale::per_cycle).value(), 0.0);
  EXPECT_GT(uncertainty_of_p90(boosting, Scale::per_second).value(), 0.05);
}

}  // namespace
}  // namespace ridge::bench
