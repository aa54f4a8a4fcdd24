#include "bench/sustain.hpp"

#include <gtest/gtest.h>

namespace ridge::bench {
namespace {

PlannedKernel fma() {
  PlannedKernel planned;
  planned.kernel = find_kernel(CeilingKind::compute, "fma");
  planned.id = "compute.fp64.avx2.fma.t2";
  planned.threads = 2;
  return planned;
}

TEST(Sustain, ReportsWhatIsLeftInTheSecondHalf) {
  Measured held;
  for (int i = 0; i < 100; ++i) {
    held.rates.push_back(i < 40 ? 100e9 : 80e9);
    held.clocks.push_back(i < 40 ? 4e9 : 3.2e9);
  }
  const auto sustained = make_sustained(fma(), held, Seconds{6.0});
  ASSERT_TRUE(sustained);
  EXPECT_EQ(sustained->ceiling, "compute.fp64.avx2.fma.t2");
  EXPECT_EQ(unit_of(sustained->value), "flop/s");
  EXPECT_DOUBLE_EQ(median_of(sustained->value), 80e9);
  EXPECT_DOUBLE_EQ(sustained->clock.median.value(), 3.2e9);
  EXPECT_EQ(sustained->clock.samples, 50U);
  EXPECT_DOUBLE_EQ(sustained->clock_at_start.value(), 4e9);
  EXPECT_DOUBLE_EQ(sustained->duration.value(), 6.0);
}

TEST(Sustain, AFewSamplesAreNoAnswer) {
  Measured held;
  held.rates.assign(19, 1e9);
  held.clocks.assign(19, 3e9);
  EXPECT_FALSE(make_sustained(fma(), held, Seconds{6.0}));
}

}  // namespace
}  // namespace ridge::bench
