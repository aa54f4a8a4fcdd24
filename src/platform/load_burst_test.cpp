#include "platform/load_burst.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "platform/clock.hpp"

namespace ridge::platform {
namespace {

// Ten thousand loads: no x86-64 core does more than four in a cycle, nor fewer than a tenth of one.
TEST(LoadBurst, TakesCyclesThatTenThousandLoadsCanTake) {
  const double tsc = calibrate_tsc();
  const ClockProbe probe(tsc);
  double quickest = 1e18;
  for (int i = 0; i < 200; ++i) {
    const auto ticks = static_cast<double>(load_burst_ticks());
    quickest = std::min(quickest, ticks / tsc * probe.measure().value());
  }
  EXPECT_GT(quickest, 1000.0);
  EXPECT_LT(quickest, 1e7);
}

}  // namespace
}  // namespace ridge::platform
