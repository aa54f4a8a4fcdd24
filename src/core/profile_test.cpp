#include "core/profile.hpp"

#include <gtest/gtest.h>

namespace ridge {
namespace {

TEST(Work, TermsOfOneKeyAddUp) {
  Work work;
  work.add(Precision::fp64, OperationKind::fma, 256, 8);
  work.add(Precision::fp64, OperationKind::fma, 256, 8);
  work.add(Precision::fp32, OperationKind::add, 32, 1);
  EXPECT_EQ(work.terms.size(), 2U);
  EXPECT_EQ(work.total(), 17U);
  EXPECT_EQ(work.total(Precision::fp64), 16U);
  EXPECT_FALSE(work.total(Precision::fp16).has_value());
}

TEST(Region, IntensityIsUnknownWithoutTrafficAndUnboundedAtZero) {
  Region region;
  region.flops.add(Precision::fp64, OperationKind::add, 64, 100);
  EXPECT_FALSE(intensity(region, "DRAM"));
  region.traffic["DRAM"] = {0, 0};
  EXPECT_FALSE(intensity(region, "DRAM"));
  region.traffic["DRAM"] = {300, 100};
  EXPECT_DOUBLE_EQ(intensity(region, "DRAM")->value(), 0.25);
}

TEST(Region, PerformanceNeedsTimeAndWork) {
  Region region;
  region.flops.add(Precision::fp64, OperationKind::add, 64, 100);
  EXPECT_FALSE(performance(region));
  region.time_seconds.self = SampledTime{Seconds(0.0)};
  EXPECT_FALSE(performance(region));
  region.time_seconds.self = SampledTime{Seconds(2.0)};
  EXPECT_DOUBLE_EQ(performance(region)->value(), 50.0);
}

}  // namespace
}  // namespace ridge
