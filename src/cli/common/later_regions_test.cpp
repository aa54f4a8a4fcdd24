#include "cli/common/later_regions.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace ridge::cli {
namespace {

/// A program, then `count` loops of which the last takes the most time.
Profile profile_of(std::size_t count) {
  Profile profile;
  profile.program.wall_seconds = Seconds{100.0};
  Region program;
  program.kind = RegionKind::program;
  work_of(program).add(Precision::fp64, OperationKind::add, 64, 10);
  profile.regions.push_back(program);
  for (std::size_t i = 1; i <= count; ++i) {
    Region loop;
    loop.id = static_cast<std::uint32_t>(i);
    loop.kind = RegionKind::loop;
    const Seconds time{1e-3 * static_cast<double>(i)};
    loop.time_seconds.self = SampledTime{time, time, time, 1};
    profile.regions.push_back(loop);
  }
  return profile;
}

TEST(LaterRegions, AreNoneOfTheMostTime) {
  const Profile profile = profile_of(1000);
  const std::vector<bool> later = later_regions(profile);
  ASSERT_EQ(later.size(), 1001U);
  EXPECT_FALSE(later[0]) << "the program";
  for (std::size_t i = 1; i <= 1000; ++i) {
    EXPECT_EQ(later[i], i <= 750) << i;
  }
}

TEST(LaterRegions, OfEqualTimeAreTheLast) {
  Profile profile = profile_of(1000);
  for (Region& region : profile.regions) {
    region.time_seconds.self = SampledTime{Seconds{1.0}, Seconds{1.0}, Seconds{1.0}, 1};
  }
  const std::vector<bool> later = later_regions(profile);
  ASSERT_EQ(later.size(), 1001U);
  for (std::size_t i = 1; i <= 1000; ++i) {
    EXPECT_EQ(later[i], i > 250) << i;
  }
}

/// Their rank hangs on more than their time.
TEST(LaterRegions, AreAllWithoutTime) {
  Profile profile = profile_of(1000);
  for (std::size_t i = 101; i <= 1000; ++i) {
    profile.regions[i].time_seconds.self.reset();
  }
  const std::vector<bool> later = later_regions(profile);
  EXPECT_EQ(std::ranges::count(later, false), 101);
}

TEST(LaterRegions, AreNoneInSmallPrograms) {
  EXPECT_TRUE(later_regions({}).empty());
  EXPECT_TRUE(later_regions(profile_of(400)).empty());
  EXPECT_FALSE(later_regions(profile_of(600)).empty());
}

TEST(LaterRegions, AreNoneWhereTheWholeIsUnknown) {
  Profile without_time = profile_of(1000);
  without_time.program.wall_seconds = Seconds{};
  EXPECT_TRUE(later_regions(without_time).empty());
  Profile without_program = profile_of(1000);
  without_program.regions.erase(without_program.regions.begin());
  EXPECT_TRUE(later_regions(without_program).empty());
  Profile without_work = profile_of(1000);
  without_work.regions[0].flops = {};
  EXPECT_TRUE(later_regions(without_work).empty());
}

}  // namespace
}  // namespace ridge::cli
