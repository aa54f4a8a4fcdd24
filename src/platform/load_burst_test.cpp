#include "platform/load_burst.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "platform/clock.hpp"

namespace ridge::platform {
namespace {

// Ten thousand loads: no x86-64 core does more than ten in a cycle. The middle of many, since an
// interrupt makes a burst seem long and a clock seem slow.
TEST(LoadBurst, TakesCyclesThatTenThousandLoadsCanTake) {
  const double tsc = calibrate_tsc();
  const ClockProbe probe(tsc);
  std::vector<double> cycles(201);
  std::generate(cycles.begin(), cycles.end(), [&] {
    const auto ticks = static_cast<double>(load_burst_ticks());
    return ticks / tsc * probe.measure().value();
  });
  std::nth_element(cycles.begin(), cycles.begin() + 100, cycles.end());
  EXPECT_GT(cycles[100], 1000.0);
  EXPECT_LT(cycles[100], 1e7);
}

}  // namespace
}  // namespace ridge::platform
