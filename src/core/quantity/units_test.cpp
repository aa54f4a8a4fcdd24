#include "core/quantity/units.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace ridge {
namespace {

TEST(Units, DivisionYieldsTheDerivedUnit) {
  const FlopsPerByte intensity = Flops(6.0) / Bytes(24.0);
  EXPECT_DOUBLE_EQ(intensity.value(), 0.25);
}

TEST(Units, IntensityTimesBandwidthIsPerformance) {
  const FlopsPerSecond bound = FlopsPerByte(0.25) * BytesPerSecond(40e9);
  EXPECT_DOUBLE_EQ(bound.value(), 10e9);
}

TEST(Units, RatioOfEqualUnitsIsANumber) {
  const double ratio = Seconds(3.0) / Seconds(2.0);
  EXPECT_DOUBLE_EQ(ratio, 1.5);
}

TEST(Units, OrderFollowsTheValue) {
  EXPECT_EQ(std::min(Bytes(3.0), Bytes(2.0)), Bytes(2.0));
  EXPECT_LE(Bytes(2.0), Bytes(2.0));
}

TEST(Units, RateTimesClockCancels) {
  const FlopsPerSecond peak = FlopsPerCycle(16.0) * Hertz(2e9);
  EXPECT_DOUBLE_EQ(peak.value(), 32e9);
}

}  // namespace
}  // namespace ridge
