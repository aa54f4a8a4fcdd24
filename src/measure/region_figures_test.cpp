#include "measure/region_figures.hpp"

#include <gtest/gtest.h>

#include "measure/regions_for_tests.hpp"

namespace ridge::measure {
namespace {

TEST(RegionFigures, AreKnownByWhatIsThere) {
  const Region bare;
  Region program;
  program.kind = RegionKind::program;
  program.entries = 1;
  const Region full = full_region(0, RegionKind::loop, "f", 1);
  for (const FigureGroup group : kFigureGroups) {
    EXPECT_FALSE(has_figures(bare, group)) << to_string(group);
    EXPECT_FALSE(has_figures(program, group)) << to_string(group);
    EXPECT_TRUE(has_figures(full, group)) << to_string(group);
  }
}

TEST(RegionFigures, AllGroupsTogetherAreTheWholeRegion) {
  const Region full = full_region(4, RegionKind::loop, "f", 1);
  Region region;
  region.id = full.id;
  region.kind = full.kind;
  region.name = full.name;
  region.function = full.function;
  region.notes = full.notes;
  for (const FigureGroup group : kFigureGroups) {
    EXPECT_FALSE(region == full);
    take_figures(group, region, full);
  }
  EXPECT_EQ(region, full);
}

TEST(RegionFigures, WhatIsAbsentBecomesAbsent) {
  const Region full = full_region(0, RegionKind::loop, "f", 1);
  for (const FigureGroup group : kFigureGroups) {
    Region region = full;
    take_figures(group, region, {});
    EXPECT_FALSE(has_figures(region, group)) << to_string(group);
    for (const FigureGroup other : kFigureGroups) {
      EXPECT_EQ(has_figures(region, other), other != group) << to_string(other);
    }
    take_figures(group, region, full);
    EXPECT_EQ(region, full) << to_string(group);
  }
}

TEST(RegionFigures, TrafficOfL1IsWork) {
  const Region full = full_region(0, RegionKind::loop, "f", 1);
  Region region;
  take_figures(FigureGroup::work, region, full);
  EXPECT_EQ(region.traffic, (TrafficByLevel{{Level::L1, full.traffic.at("L1")}}));
  region = {};
  take_figures(FigureGroup::traffic, region, full);
  EXPECT_EQ(region.traffic, (TrafficByLevel{{Level::DRAM, full.traffic.at("DRAM")}}));
}

TEST(RegionFigures, ThreadsHaveTheirWorkFromOneSideAndTheirTimesFromTheOther) {
  Region work;
  work.thread_work = {{.thread = 0, .flops = 10}, {.thread = 1, .flops = 20}};
  Region times;
  times.thread_work = {{.thread = 0, .cpu_seconds = sampled(1.0)},
                       {.thread = 1, .cpu_seconds = sampled(2.0)}};
  Region both = work;
  take_figures(FigureGroup::cpu_time, both, times);
  EXPECT_EQ(both.thread_work[1].flops, 20U);
  EXPECT_EQ(both.thread_work[1].cpu_seconds, sampled(2.0));
  Region other_way = times;
  take_figures(FigureGroup::work, other_way, work);
  EXPECT_EQ(other_way.thread_work, both.thread_work);
  times.thread_work[1].thread = 2;
  take_figures(FigureGroup::cpu_time, both, times);
  EXPECT_EQ(both.thread_work, work.thread_work) << "other threads' times";
}

}  // namespace
}  // namespace ridge::measure
