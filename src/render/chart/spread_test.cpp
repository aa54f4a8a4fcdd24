#include "render/chart/spread.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace ridge::render {
namespace {

TEST(SpreadApart, LeavesDistantOnesAlone) {
  EXPECT_EQ(spread_apart({30.0, 10.0}, 5.0, 0.0, 100.0), (std::vector<double>{30.0, 10.0}));
  EXPECT_TRUE(spread_apart({}, 5.0, 0.0, 100.0).empty());
}

TEST(SpreadApart, SharesTheMove) {
  EXPECT_EQ(spread_apart({10.0, 10.0}, 4.0, 0.0, 100.0), (std::vector<double>{8.0, 12.0}));
}

TEST(SpreadApart, StaysInside) {
  EXPECT_EQ(spread_apart({0.0, 0.0, 1.0}, 4.0, 0.0, 100.0), (std::vector<double>{0.0, 4.0, 8.0}));
  EXPECT_EQ(spread_apart({100.0, 100.0}, 4.0, 0.0, 100.0), (std::vector<double>{96.0, 100.0}));
}

TEST(SpreadApart, KeepsGapOrderAndBounds) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> anywhere(-20.0, 120.0);
  for (int round = 0; round < 5000; ++round) {
    std::vector<double> wanted(static_cast<std::size_t>(round % 9));
    std::generate(wanted.begin(), wanted.end(), [&] { return anywhere(random); });
    const auto placed = spread_apart(wanted, 10.0, 0.0, 100.0);
    for (std::size_t i = 0; i < placed.size(); ++i) {
      EXPECT_GE(placed[i], -1e-9);
      EXPECT_LE(placed[i], 100.0 + 1e-9);
      for (std::size_t j = 0; j < placed.size(); ++j) {
        if (wanted[i] < wanted[j]) {
          EXPECT_GE(placed[j] - placed[i], 10.0 - 1e-9);
        }
      }
    }
  }
}

}  // namespace
}  // namespace ridge::render
