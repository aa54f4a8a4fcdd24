#include "bench/measured_roof.hpp"

#include <gtest/gtest.h>

namespace ridge::bench {
namespace {

Measured steady(double rate, double clock) {
  Measured measured;
  measured.rates.assign(10, rate);
  measured.clocks.assign(10, clock);
  measured.visits.assign(10, 0);
  return measured;
}

constexpr LoopWork kLoop{.flops = 64, .loaded_bytes = 128};  // 0.5 flop/byte

TEST(MeasuredRoof, AtAnotherClockTheFractionIsTheSame) {
  const CeilingRate compute = ceiling_rate(steady(48e9, 3e9));    // 16 flop per cycle
  const CeilingRate bandwidth = ceiling_rate(steady(96e9, 3e9));  // 32 byte per cycle
  EXPECT_DOUBLE_EQ(compute.per_cycle, 16.0);
  for (const double clock : {3e9, 4e9}) {
    // 30 byte per cycle, 15 of the 16 flop per cycle that both ceilings allow.
    const RoofPoint point =
        make_roof_point(steady(30.0 * clock, clock), kLoop, compute, bandwidth, Scale::per_cycle);
    EXPECT_DOUBLE_EQ(point.intensity.value(), 0.5);
    EXPECT_DOUBLE_EQ(point.value.p90.value(), 15.0 * clock);
    EXPECT_NEAR(point.fraction, 15.0 / 16.0, 1e-12);
  }
}

TEST(MeasuredRoof, MemoryDoesNotFollowTheClockOfTheCore) {
  const CeilingRate compute{1e12, 300.0};
  const CeilingRate bandwidth{20e9, 0.0};
  const RoofPoint point =
      make_roof_point(steady(18e9, 4e9), kLoop, compute, bandwidth, Scale::per_second);
  EXPECT_NEAR(point.fraction, 0.9, 1e-12);
}

}  // namespace
}  // namespace ridge::bench
