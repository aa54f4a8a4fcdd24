#include "measure/profile/region_lines.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::measure {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class RegionLines : public ::testing::Test {
 protected:
  RegionLines() {
    Cache cache;
    cache.line_bytes = 64;
    cache.level = Level::L1;
    cache.size_bytes = 8 << 10;
    machine_.caches.push_back(cache);
    cache.level = Level::L2;
    cache.size_bytes = 16 << 10;
    machine_.caches.push_back(cache);
    machine_.memories = {{"DRAM", {}}};
  }

  Region made() {
    Region region;
    region.traffic["L2"] = {1'000'000, 7};
    set_lines(region, lines_, 10 * RIDGE_TURN_ACCESSES, machine_);
    return region;
  }

  Machine machine_;
  ridge_region_lines lines_{};
};

TEST_F(RegionLines, NothingSeenIsNothingSaid) {
  const Region region = made();
  EXPECT_EQ(region.line_use, std::nullopt);
  EXPECT_THAT(region.miss_curve, IsEmpty());
  EXPECT_EQ(region.sharing, std::nullopt);
}

TEST_F(RegionLines, UseIsOfFetchedBytes) {
  lines_.fetched = 100;
  lines_.used_bytes = 800;
  EXPECT_EQ(made().line_use, 0.125);
  lines_.fetched = 15;
  lines_.used_bytes = 120;
  EXPECT_EQ(made().line_use, std::nullopt) << "too few";
  lines_.fetched = 100;
  lines_.used_bytes = 6401;
  EXPECT_EQ(made().line_use, std::nullopt) << "damaged";
}

TEST_F(RegionLines, TheCurveIsScaledToTheTrafficOfTheRegion) {
  lines_.held[0] = 10;   // 16 KiB
  lines_.held[4] = 40;   // 32 KiB
  lines_.held[20] = 30;  // 512 KiB: beyond four times the last level
  lines_.not_held = 20;
  EXPECT_THAT(made().miss_curve,
              ElementsAre(MissCurvePoint{16 << 10, 900'000}, MissCurvePoint{32 << 10, 500'000}));
}

TEST_F(RegionLines, WithoutTrafficThereIsNoCurve) {
  lines_.not_held = 1000;
  Region region;
  set_lines(region, lines_, 0, machine_);
  EXPECT_THAT(region.miss_curve, IsEmpty());
}

TEST_F(RegionLines, SharingIsKeptIfItAddsUp) {
  lines_.shared = 5;
  lines_.shared_falsely = 3;
  lines_.shared_truly = 1;
  lines_.invalidations = 1000;
  EXPECT_EQ(made().sharing, (LineSharing{5, 3, 1, 1000, 10}));
  lines_.shared_truly = 3;
  EXPECT_EQ(made().sharing, std::nullopt) << "damaged";
}

TEST_F(RegionLines, AddsEveryMember) {
  lines_ = {1, 2, {3}, 4, 5, 6, 7, 8};
  lines_.held[RIDGE_CURVE_POINTS - 1] = 9;
  ridge_region_lines sum = lines_;
  add_lines(sum, lines_);
  EXPECT_EQ(sum.fetched, 2U);
  EXPECT_EQ(sum.used_bytes, 4U);
  EXPECT_EQ(sum.held[0], 6U);
  EXPECT_EQ(sum.held[RIDGE_CURVE_POINTS - 1], 18U);
  EXPECT_EQ(sum.not_held, 8U);
  EXPECT_EQ(sum.shared, 10U);
  EXPECT_EQ(sum.shared_falsely, 12U);
  EXPECT_EQ(sum.shared_truly, 14U);
  EXPECT_EQ(sum.invalidations, 16U);
}

}  // namespace
}  // namespace ridge::measure
