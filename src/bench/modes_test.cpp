#include "bench/modes.hpp"

#include <random>

#include <gtest/gtest.h>

namespace ridge::bench {
namespace {

/// `share` of 400 samples around `low`, the rest around `high`, each within 1 %.
Measured heaps(double low, double high, double share, double clock = 3e9) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> noise(1.0, 0.003);
  Measured measured;
  for (int i = 0; i < 400; ++i) {
    measured.rates.push_back((i < share * 400 ? low : high) * noise(random));
    measured.clocks.push_back(clock);
  }
  return measured;
}

TEST(Modes, TwoHeapsAreTwoModes) {
  const auto modes = modes_of(heaps(60e9, 100e9, 0.25), Scale::per_second);
  ASSERT_EQ(modes.size(), 2U);
  EXPECT_NEAR(modes[0].value, 60e9, 0.01 * 60e9);
  EXPECT_NEAR(modes[0].share, 0.25, 0.01);
  EXPECT_NEAR(modes[1].value, 100e9, 0.01 * 100e9);
  EXPECT_NEAR(modes[1].share, 0.75, 0.01);
}

TEST(Modes, OneHeapAFewOutliersOrASmearAreNone) {
  EXPECT_TRUE(modes_of(heaps(100e9, 100e9, 0.5), Scale::per_second).empty());
  EXPECT_TRUE(modes_of(heaps(98e9, 100e9, 0.5), Scale::per_second).empty()) << "too near";
  EXPECT_TRUE(modes_of(heaps(60e9, 100e9, 0.05), Scale::per_second).empty()) << "outliers";
  Measured smear;
  for (int i = 0; i < 400; ++i) {
    smear.rates.push_back(60e9 + 0.1e9 * i);
    smear.clocks.push_back(3e9);
  }
  EXPECT_TRUE(modes_of(smear, Scale::per_second).empty());
  EXPECT_TRUE(modes_of({}, Scale::per_second).empty());
}

TEST(Modes, TwoClocksAreNoModesPerCycle) {
  Measured measured = heaps(75e9, 100e9, 0.5);
  for (std::size_t i = 0; i < measured.rates.size(); ++i) {
    measured.clocks[i] = measured.rates[i] / 32.0;
  }
  EXPECT_TRUE(modes_of(measured, Scale::per_cycle).empty());
  EXPECT_EQ(modes_of(measured, Scale::per_second).size(), 2U);
}

}  // namespace
}  // namespace ridge::bench
