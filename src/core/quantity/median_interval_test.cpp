#include "core/quantity/median_interval.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "core/quantity/estimate.hpp"

namespace ridge {
namespace {

std::vector<double> counted_to(int n) {
  std::vector<double> samples;
  for (int i = 1; i <= n; ++i) {
    samples.push_back(i);
  }
  std::shuffle(samples.begin(), samples.end(), std::mt19937(7));
  return samples;
}

// Which order statistics: the published table for the sign test at 95 % (n, first, confidence).
TEST(MedianInterval, TakesTheOrderStatisticsOfTheSignTest) {
  struct Known {
    int n;
    double low;
    double confidence;
  };
  for (const Known& known : {Known{6, 1, 0.96875}, Known{7, 1, 0.984375}, Known{8, 1, 0.9921875},
                             Known{9, 2, 0.9609375}, Known{12, 3, 0.96142578125},
                             Known{20, 6, 0.9586105346679688}, Known{31, 10, 0.9705506265163422}}) {
    const auto interval = median_interval(counted_to(known.n));
    ASSERT_TRUE(interval);
    EXPECT_EQ(interval->low, known.low) << known.n;
    EXPECT_EQ(interval->high, known.n + 1 - known.low) << known.n;
    EXPECT_NEAR(interval->confidence, known.confidence, 1e-7) << known.n;
    EXPECT_EQ(interval->median, (known.n + 1) / 2.0);
    EXPECT_EQ(interval->samples, static_cast<std::uint64_t>(known.n));
  }
}

TEST(MedianInterval, FiveSamplesAreTooFew) {
  EXPECT_FALSE(median_interval({}));
  EXPECT_FALSE(median_interval(counted_to(5)));
  EXPECT_TRUE(median_interval(counted_to(2000)));
}

TEST(MedianInterval, WhatIsNoNumberIsLeftOut) {
  auto samples = counted_to(9);
  samples.push_back(std::numeric_limits<double>::infinity());
  samples.push_back(std::nan(""));
  EXPECT_EQ(*median_interval(samples), *median_interval(counted_to(9)));
}

// By simulation: of 4000 sets of samples from a skew distribution with heavy tails, at least the
// promised share must enclose the true median (the seed is fixed).
TEST(MedianInterval, EnclosesTheMedianAsOftenAsPromised) {
  std::mt19937 random(3);
  std::lognormal_distribution<double> distribution(0.0, 2.0);
  for (const int n : {9, 15, 31}) {
    int hits = 0;
    constexpr int kTrials = 4000;
    double promised = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
      std::vector<double> samples;
      for (int i = 0; i < n; ++i) {
        samples.push_back(distribution(random));
      }
      const auto interval = median_interval(samples);
      hits += interval->low <= 1.0 && 1.0 <= interval->high ? 1 : 0;
      promised = interval->confidence;
    }
    EXPECT_NEAR(static_cast<double>(hits) / kTrials, promised, 0.015) << n;
  }
}

// The machine slows down to a third while both are timed in turn: their own spreads overlap by far,
// the ratio of each round is the same.
TEST(PairedRatio, DriftCancelsOut) {
  std::vector<double> reference;
  std::vector<double> own;
  for (int round = 0; round < 9; ++round) {
    const double drift = 1 + 0.25 * round;
    reference.push_back(1.75e-3 * drift * (1 + 0.004 * (round % 3)));
    own.push_back(1e-3 * drift);
  }
  const auto ratio = paired_ratio(reference, own);
  ASSERT_TRUE(ratio);
  EXPECT_NEAR(ratio->median, 1.757, 1e-9);
  EXPECT_GE(ratio->low, 1.75 - 1e-9);
  EXPECT_LE(ratio->high, 1.7641);
  EXPECT_EQ(standing_of(*ratio), Standing::faster);
  std::sort(reference.begin(), reference.end());
  std::sort(own.begin(), own.end());
  EXPECT_LT(quantile(reference, 0.1), quantile(own, 0.9)) << "unpaired they overlap";
}

// One of two is disturbed in two rounds of nine: the spread of the ratios includes 1 (what was
// printed as "1.63x, but no more than the spread"), the interval of their median does not.
TEST(PairedRatio, ADisturbedRoundIsNoDoubt) {
  std::vector<double> reference(9, 1.75e-3);
  std::vector<double> own(9, 1e-3);
  own[4] = 6e-3;
  const auto ratio = paired_ratio(reference, own);
  EXPECT_DOUBLE_EQ(ratio->median, 1.75);
  EXPECT_EQ(standing_of(*ratio), Standing::faster);
  std::vector<double> ratios;
  for (std::size_t k = 0; k < own.size(); ++k) {
    ratios.push_back(reference[k] / own[k]);
  }
  EXPECT_LT(*std::min_element(ratios.begin(), ratios.end()), 1);
}

TEST(PairedRatio, TiesAreNoDifference) {
  const std::vector<double> same(9, 2e-3);
  const auto ratio = paired_ratio(same, same);
  EXPECT_EQ(ratio->low, 1);
  EXPECT_EQ(ratio->high, 1);
  EXPECT_EQ(standing_of(*ratio), Standing::no_difference);
}

TEST(PairedRatio, ABusyMachineRanksNothing) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> disturbed(0.0, std::log(10.0));
  std::vector<double> reference;
  std::vector<double> own;
  for (int round = 0; round < 9; ++round) {
    reference.push_back(1.2e-3 * std::exp(disturbed(random)));
    own.push_back(1e-3 * std::exp(disturbed(random)));
  }
  EXPECT_EQ(standing_of(*paired_ratio(reference, own)), Standing::too_noisy);
}

TEST(PairedRatio, OnlyRoundsThatBothHave) {
  EXPECT_FALSE(paired_ratio(std::vector<double>(9, 1.0), std::vector<double>(5, 1.0)));
  EXPECT_EQ(paired_ratio(std::vector<double>(9, 1.0), std::vector<double>(7, 2.0))->samples, 7U);
  EXPECT_FALSE(paired_ratio(std::vector<double>(9, 1.0), std::vector<double>(9, 0.0)))
      << "a time of 0 is no time";
}

TEST(Standing, OneInTheIntervalDecides) {
  const auto of = [](double low, double high) {
    return standing_of({.median = (low + high) / 2, .low = low, .high = high});
  };
  EXPECT_EQ(of(1.01, 10), Standing::faster);
  EXPECT_EQ(of(0.1, 0.99), Standing::slower);
  EXPECT_EQ(of(1, 1.02), Standing::no_difference);
  EXPECT_EQ(of(0.9, 1.12), Standing::no_difference);
  EXPECT_EQ(of(0.9, 1.13), Standing::too_noisy);
  EXPECT_EQ(of(0, 0.0), Standing::slower);
  EXPECT_EQ(of(0, 1), Standing::too_noisy);
}

TEST(Standing, HasAName) {
  EXPECT_EQ(to_string(Standing::faster), "faster");
  EXPECT_EQ(to_string(Standing::slower), "slower");
  EXPECT_EQ(to_string(Standing::no_difference), "no-difference");
  EXPECT_EQ(to_string(Standing::too_noisy), "too-noisy");
}

}  // namespace
}  // namespace ridge
