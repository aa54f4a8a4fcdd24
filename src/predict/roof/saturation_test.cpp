#include "predict/roof/saturation.hpp"

#include <gtest/gtest.h>

namespace ridge::predict {
namespace {

TEST(Saturation, GrowsWithTheCoresUpToTheWhole) {
  EXPECT_DOUBLE_EQ(saturated_bandwidth(10e9, 40e9, 1), 10e9);
  EXPECT_DOUBLE_EQ(saturated_bandwidth(10e9, 40e9, 3), 30e9);
  EXPECT_DOUBLE_EQ(saturated_bandwidth(10e9, 40e9, 4), 40e9);
  EXPECT_DOUBLE_EQ(saturated_bandwidth(10e9, 40e9, 64), 40e9);
}

TEST(Saturation, OneCoreDrawsNoMoreThanThereIs) {
  EXPECT_DOUBLE_EQ(saturated_bandwidth(50e9, 40e9, 1), 40e9);
  EXPECT_EQ(saturating_cores(50e9, 40e9), 1U);
}

TEST(Saturation, TheFewestCoresThatDrawAll) {
  EXPECT_EQ(saturating_cores(10e9, 40e9), 4U);
  EXPECT_EQ(saturating_cores(10e9, 41e9), 5U);
  EXPECT_EQ(saturating_cores(0.1, 0.3), 3U);  // 0.3 / 0.1 is 2.9999999999999996
  EXPECT_EQ(saturating_cores(0.1, 0.7), 7U);  // 0.7 / 0.1 is 6.999999999999999
  EXPECT_EQ(saturating_cores(1e-30, 1e30), 4294967295U);
}

// Both say the same: n_s cores draw all, one less does not.
TEST(Saturation, BothFunctionsAgree) {
  for (double one = 1e9; one < 6e10; one *= 1.37) {
    for (double full = 2e9; full < 6e11; full *= 1.61) {
      const unsigned cores = saturating_cores(one, full);
      EXPECT_NEAR(saturated_bandwidth(one, full, cores) / full, 1.0, 1e-9);
      if (cores > 1) {
        EXPECT_LT(saturated_bandwidth(one, full, cores - 1), full);
      }
    }
  }
}

}  // namespace
}  // namespace ridge::predict
