// Files may hold any double: axes end, keep their size and give finite places.
#include <array>
#include <cfloat>
#include <cmath>

#include <gtest/gtest.h>

#include "render/chart.hpp"
#include "render/extent.hpp"

namespace ridge::render {
namespace {

constexpr std::array kExtremes{0.0, -0.0, 5e-324, DBL_MIN, 1e-300, 1e-31,  1e-9,
                               1.0, 1e9,  1e31,   1e300,   1e308,  DBL_MAX};
constexpr std::size_t kMostTicks = 700;

TEST(Scales, AreSoundWhateverTheirEnds) {
  for (const double low : kExtremes) {
    for (const double high : kExtremes) {
      for (const double sign : {1.0, -1.0}) {
        for (const LogScale& scale :
             {scale_between(low, sign * high), scale_around(low, sign * high),
              scale_between(low, low), scale_between(std::nan(""), high),
              scale_around(low, INFINITY), scale_around(-INFINITY, high)}) {
          ASSERT_GE(scale.low, kLeastDrawn);
          ASSERT_GT(scale.high, scale.low);
          ASSERT_LE(scale.high, kMostDrawn * 100.0);
          for (const double unit : {1e-24, 1.0, 1e24}) {
            const auto found = ticks(scale, unit, 4.0);
            EXPECT_FALSE(found.empty()) << scale.low << " " << scale.high;
            EXPECT_LT(found.size(), kMostTicks) << scale.low << " " << scale.high;
            for (const Tick& tick : found) {
              EXPECT_GT(tick.value, scale.low * 0.999);
              EXPECT_LT(tick.value, scale.high * 1.001);
            }
          }
        }
      }
    }
  }
}

TEST(Scales, AxesThatAreNoneStillEnd) {
  for (const double low : kExtremes) {
    for (const double high : {low, std::nextafter(low, 2.0), 0.0, -1.0, std::nan("")}) {
      EXPECT_LT(ticks(LogScale{low, high}, 1.0, 4.0).size(), kMostTicks) << low << " " << high;
    }
  }
}

TEST(Scales, PositionsAreFinite) {
  const LogScale scale = scale_around(1.0, 100.0);
  for (const double value : kExtremes) {
    EXPECT_TRUE(std::isfinite(scale.position(value))) << value;
    EXPECT_TRUE(std::isfinite(scale.position(-value))) << value;
  }
  EXPECT_TRUE(std::isfinite(scale.position(INFINITY)));
  EXPECT_TRUE(std::isfinite(scale.position(std::nan(""))));
}

}  // namespace
}  // namespace ridge::render
