#include "measure/ranks/later_run.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "measure/region_figures.hpp"
#include "measure/regions_for_tests.hpp"

namespace ridge::measure {
namespace {

Profile profile_of(std::uint64_t scale) {
  Profile profile;
  profile.processes = {Process{1, {"./a"}, 0, {}, {}}};
  profile.regions = {full_region(0, RegionKind::program, "a", scale),
                     full_region(1, RegionKind::loop, "sweep", scale)};
  return profile;
}

/// Times and counts, as the first start of a rank leaves them.
Profile first_run() {
  Profile profile = profile_of(1);
  for (Region& region : profile.regions) {
    take_figures(FigureGroup::traffic, region, Region());
    region.notes.clear();
  }
  profile.notes = {{"no-traffic", "a run of its own"}};
  return profile;
}

TEST(WithTrafficOf, TheSameWorkBringsItsTraffic) {
  const Profile joined = with_traffic_of(first_run(), profile_of(1));
  const Region& loop = joined.regions[1];
  EXPECT_EQ(loop.traffic.at(Level::DRAM), (Traffic{640, 320}));
  EXPECT_EQ(loop.time_seconds, first_run().regions[1].time_seconds);
  EXPECT_EQ(std::ranges::find(joined.notes, "no-traffic", &Note::code), joined.notes.end());
}

TEST(WithTrafficOf, AlmostTheSameWorkScalesIt) {
  Profile simulated = profile_of(1);
  Region& loop = simulated.regions[1];
  loop.flops->terms[0].flops = loop.flops->terms[0].flops * 20 / 21;  // 800 to 761
  const Profile joined = with_traffic_of(first_run(), simulated);
  EXPECT_EQ(joined.regions[1].traffic.at(Level::DRAM).read, 673U);
  EXPECT_FALSE(joined.regions[1].notes.empty());
}

TEST(WithTrafficOf, OtherWorkBringsNone) {
  const Profile joined = with_traffic_of(first_run(), profile_of(2));
  EXPECT_FALSE(joined.regions[1].traffic.contains(Level::DRAM));
  EXPECT_FALSE(joined.regions[1].notes.empty());
}

TEST(WithWorkOf, CountsStandBesideTimes) {
  Profile times = profile_of(1);
  for (Region& region : times.regions) {
    take_figures(FigureGroup::work, region, Region());
  }
  const Profile joined = with_work_of(times, profile_of(3));
  EXPECT_EQ(known_work(joined.regions[1]).total(), 2400U);
  EXPECT_EQ(joined.regions[1].time_seconds, times.regions[1].time_seconds);
}

TEST(WithWorkOf, CodeThatNoSampleWasInKeepsItsWork) {
  Profile counted = profile_of(3);
  counted.regions.push_back(full_region(7, RegionKind::function, "set_up", 1));
  counted.regions.push_back(full_region(8, RegionKind::loop, "set_up loop", 1));
  counted.regions[2].parent = 1;
  counted.regions[3].parent = 7;
  const Profile joined = with_work_of(profile_of(1), counted);
  ASSERT_EQ(joined.regions.size(), 4U);
  const Region& function = joined.regions[2];
  EXPECT_EQ(function.name, "set_up");
  EXPECT_EQ(known_work(function).total(), 800U);
  EXPECT_FALSE(has_figures(function, FigureGroup::time));
  EXPECT_FALSE(has_figures(function, FigureGroup::cpu_time));
  EXPECT_EQ(function.id, 2U);
  EXPECT_EQ(function.parent, 1U);
  EXPECT_EQ(joined.regions[3].parent, 2U) << "an appended region around it";
}

TEST(WithWorkOf, CodeWithoutWorkIsNotAdded) {
  Profile counted = profile_of(3);
  counted.regions.emplace_back();
  counted.regions.back().name = "idle";
  EXPECT_EQ(with_work_of(profile_of(1), counted).regions.size(), 2U);
}

}  // namespace
}  // namespace ridge::measure
