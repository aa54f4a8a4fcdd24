#include "core/quantity/estimate.hpp"

#include <set>
#include <string_view>

#include <gtest/gtest.h>

#include "core/quantity/units.hpp"

namespace ridge {
namespace {

TEST(Estimate, OrderStatisticsOfOneToEleven) {
  std::vector<double> samples;
  for (int i = 11; i >= 1; --i) {
    samples.push_back(i);
  }
  const auto estimate = estimate_from<BytesPerSecond>(samples);
  ASSERT_TRUE(estimate);
  EXPECT_DOUBLE_EQ(estimate->median.value(), 6.0);
  EXPECT_DOUBLE_EQ(estimate->low.value(), 2.0);
  EXPECT_DOUBLE_EQ(estimate->p90.value(), 10.0);
  EXPECT_EQ(estimate->samples, 11U);
}

TEST(Estimate, NoSamplesIsUnknownNotZero) {
  EXPECT_FALSE(estimate_from<Seconds>({}).has_value());
}

TEST(Estimate, QuantileInterpolates) {
  EXPECT_DOUBLE_EQ(quantile({0.0, 10.0}, 0.25), 2.5);
  EXPECT_DOUBLE_EQ(quantile({7.0}, 0.9), 7.0);
}

TEST(Estimate, EveryOriginHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (const Origin origin : {Origin::measured, Origin::counted, Origin::simulated,
                              Origin::modelled, Origin::datasheet, Origin::assumed}) {
    EXPECT_TRUE(names.insert(to_string(origin)).second);
  }
}

TEST(Wilson, StaysInsideTheUnitIntervalAndCoversTheShare) {
  const Interval none = wilson_interval_80(0, 100);
  EXPECT_NEAR(none.low, 0.0, 1e-15);
  EXPECT_GT(none.high, 0.0);
  const Interval half = wilson_interval_80(50, 100);
  EXPECT_NEAR(half.low, 0.4364, 5e-4);  // z = 1.2816: 0.5 -+ 0.0636
  EXPECT_NEAR(half.high, 0.5636, 5e-4);
}

}  // namespace
}  // namespace ridge
