#include "bench/roof.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "bench/fixture_for_tests.hpp"

namespace ridge::bench {
namespace {

double ratio(const Mix& mix) {
  return static_cast<double>(mix.fmas) / mix.loads;
}

TEST(Roof, MixesReachFarOnBothSidesOfTheKneeAndHoldIt) {
  for (const double knee : {0.5, 1.0, 1.37, 4.2, 12.6}) {
    const auto mixes = mixes_around(knee);
    EXPECT_GE(mixes.size(), 10U) << knee;
    EXPECT_LE(mixes.size(), 16U) << knee;
    EXPECT_LE(ratio(mixes.front()), std::max(knee / 14, 0.125)) << knee;
    EXPECT_GE(ratio(mixes.back()), knee * 14) << knee;
    double nearest = 10.0;
    for (std::size_t i = 0; i < mixes.size(); ++i) {
      EXPECT_TRUE(i == 0 || ratio(mixes[i - 1]) < ratio(mixes[i])) << knee;
      const double apart = ratio(mixes[i]) / knee;
      nearest = std::min(nearest, std::max(apart, 1.0 / apart));
    }
    EXPECT_LE(nearest, 1.07) << knee;
  }
}

TEST(Roof, MixesStayWithinWhatAKernelCanHold) {
  for (const double knee : {0.01, 300.0}) {
    const auto mixes = mixes_around(knee);
    EXPECT_FALSE(mixes.empty());
    for (const Mix& mix : mixes) {
      EXPECT_GE(mix.fmas, 1U);
      EXPECT_LE(mix.fmas, 256U);
      EXPECT_TRUE(mix.loads == 1 || mix.loads == 2 || mix.loads == 4 || mix.loads == 8);
    }
  }
}

TEST(Roof, EveryLevelWithItsTwoCeilingsHasOne) {
  const auto planned =
      plan(testing_fixture::small(), {.simd = {.avx = true, .fma = true, .avx2 = true}}).kernels;
  const auto roofs = roofs_of(planned, Isa::avx2);
  ASSERT_EQ(roofs.size(), 8U) << "4 levels, 2 numbers of threads";
  for (const RoofPlan& roof : roofs) {
    EXPECT_EQ(roof.compute.threads, roof.bandwidth.threads);
    EXPECT_EQ(roof.compute.isa, Isa::avx2);
    EXPECT_EQ(roof.compute.kernel->name(), "fma");
  }
  auto without_fma = planned;
  std::erase_if(without_fma, [](const PlannedKernel& kernel) { return kernel.is_compute(); });
  EXPECT_TRUE(roofs_of(without_fma, Isa::avx2).empty());
}

TEST(Roof, APointWalksLikeTheLoadsOfItsLevel) {
  const auto planned =
      plan(testing_fixture::small(), {.simd = {.avx = true, .fma = true, .avx2 = true}}).kernels;
  const RoofPlan roof = roofs_of(planned, Isa::avx2).front();
  const Kernel kernel = roof_kernel({2, 3}, true);
  const PlannedKernel point = roof_point(roof, kernel);
  EXPECT_EQ(point.kernel, &kernel);
  EXPECT_EQ(point.id, "roof.L1.fp64.avx2.t1.3-2");
  EXPECT_EQ(point.set_bytes, roof.bandwidth.set_bytes);
  EXPECT_FALSE(point.is_compute());
}

TEST(Roof, IdealIsTheLesserOfTheTwo) {
  EXPECT_DOUBLE_EQ(ideal_roof(100.0, 20.0, 2.0), 40.0);
  EXPECT_DOUBLE_EQ(ideal_roof(100.0, 20.0, 20.0), 100.0);
}

}  // namespace
}  // namespace ridge::bench
