#include "core/value/line_behaviour.hpp"

#include <gtest/gtest.h>

namespace ridge {
namespace {

const MissCurve kCurve{{16, 1000}, {64, 900}, {256, 300}, {1024, 0}};

TEST(MissCurve, BetweenPointsTheEarlierOneHolds) {
  EXPECT_EQ(misses_with(kCurve, 16), 1000U);
  EXPECT_EQ(misses_with(kCurve, 255), 900U);
  EXPECT_EQ(misses_with(kCurve, 5000), 0U);
  EXPECT_EQ(misses_with(kCurve, 15), std::nullopt);
  EXPECT_EQ(misses_with({}, 64), std::nullopt);
}

TEST(MissCurve, TheCapacityThatSavesAShare) {
  EXPECT_EQ(capacity_that_saves(kCurve, 20, 0.5), (MissCurvePoint{256, 300}));
  EXPECT_EQ(capacity_that_saves(kCurve, 20, 0.1), (MissCurvePoint{64, 900}));
  EXPECT_EQ(capacity_that_saves(kCurve, 256, 0.5), (MissCurvePoint{1024, 0}));
  EXPECT_EQ(capacity_that_saves(kCurve, 2000, 0.5), std::nullopt) << "nothing is left to save";
  EXPECT_EQ(capacity_that_saves(kCurve, 1, 0.5), std::nullopt) << "unknown";
}

}  // namespace
}  // namespace ridge
