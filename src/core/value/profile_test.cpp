#include "core/value/profile.hpp"

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
  work_of(region).add(Precision::fp64, OperationKind::add, 64, 100);
  EXPECT_FALSE(intensity(region, "DRAM"));
  region.traffic["DRAM"] = {0, 0};
  EXPECT_FALSE(intensity(region, "DRAM"));
  region.traffic["DRAM"] = {300, 100};
  EXPECT_DOUBLE_EQ(intensity(region, "DRAM")->value(), 0.25);
}

TEST(Region, PerformanceNeedsTimeAndWork) {
  Region region;
  work_of(region).add(Precision::fp64, OperationKind::add, 64, 100);
  EXPECT_FALSE(performance(region));
  region.time_seconds.self = SampledTime{Seconds(0.0)};
  EXPECT_FALSE(performance(region));
  region.time_seconds.self = SampledTime{Seconds(2.0)};
  EXPECT_DOUBLE_EQ(performance(region)->value(), 50.0);
}

TEST(BriefName, LeavesOutWhatNobodyReads) {
  EXPECT_EQ(brief_name("Eigen::internal::redux_impl<A<int>, B>::run<C>"),
            "Eigen::internal::redux_impl::run");
  EXPECT_EQ(brief_name("(anonymous namespace)::heat_step"), "heat_step");
  EXPECT_EQ(brief_name("main"), "main");
  EXPECT_EQ(brief_name("in libm.so.6"), "in libm.so.6");
}

TEST(BriefName, OperatorsKeepTheirBrackets) {
  EXPECT_EQ(brief_name("Box<int>::operator<"), "Box::operator<");
  EXPECT_EQ(brief_name("operator<< <char>"), "operator<< ");
  EXPECT_EQ(brief_name("P<T>::operator->"), "P::operator->");
}

TEST(BriefName, UnbalancedStaysWhole) {
  EXPECT_EQ(brief_name("a<b"), "a<b");
  EXPECT_EQ(brief_name("a>b"), "a>b");
}

}  // namespace
}  // namespace ridge
