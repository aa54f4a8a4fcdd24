#include "measure/instrumented/thread_order.hpp"

#include <gtest/gtest.h>

#include "abi/descriptor.h"
#include "abi/layout.h"

namespace ridge::measure {
namespace {

TEST(TrafficIntervals, StandAtEachSimulatedLevelAndAreATenthToBothSides) {
  Region region;
  region.traffic = {{"L1", {100, 100}}, {"L2", {600, 400}}, {"DRAM", {0, 7}}};
  set_traffic_intervals(region);
  ASSERT_EQ(region.traffic_interval.size(), 2U);
  EXPECT_EQ(region.traffic_interval.at("L2"), (TrafficInterval{900, 1100}));
  EXPECT_EQ(region.traffic_interval.at("DRAM"), (TrafficInterval{7, 7}));
}

TEST(TrafficIntervals, ContainWhatOtherPlacementsOfTasksGive) {
  Region region;
  region.traffic = {{"L1", {1, 1}}, {"L2", {600, 400}}, {"L3", {1000, 0}}, {"DRAM", {100, 0}}};
  set_traffic_intervals(
      region,
      {{{{"L2", {2000, 0}}, {"L3", {1000, 0}}}, {{"L2", {200, 300}}, {"L3", {950, 0}}}}, {}});
  EXPECT_EQ(region.traffic_interval.at("L2"), (TrafficInterval{500 - 50 - 375, 2000 + 200 + 375}));
  EXPECT_EQ(region.traffic_interval.at("L3"), (TrafficInterval{900, 1100}));
  EXPECT_EQ(region.traffic_interval.at("DRAM"), (TrafficInterval{90, 110}));
  EXPECT_FALSE(region.traffic_interval.contains("L1"));
}

TEST(TrafficIntervals, ContainWhatTheFirstTaskFindsInTheCaches) {
  // 2000 bytes filled before the tasks: they are written back later or not.
  Region region;
  region.traffic = {{"L3", {2000, 100}}, {"DRAM", {2000, 2000}}};
  set_traffic_intervals(region, {{{{"L3", {2000, 100}}}}, {{Level::L3, 2000}}});
  EXPECT_EQ(region.traffic_interval.at("L3"), (TrafficInterval{100, 4100}));
  EXPECT_EQ(region.traffic_interval.at("DRAM"), (TrafficInterval{3600, 4400}));
}

/// One region; thread n moves bytes[n].
RawProcess process_with(const std::vector<std::uint64_t>& bytes, std::uint32_t flags = 0) {
  RawProcess process;
  process.flags = flags;
  process.regions.resize(2);
  RawRegion& region = process.regions[1];
  region.kind = RIDGE_REGION_FUNCTION;
  region.name = "work";
  region.file = "a.c";
  for (std::uint32_t thread = 0; thread < bytes.size(); ++thread) {
    region.counts.bytes_loaded += bytes[thread];
    region.by_thread[thread].bytes = bytes[thread];
  }
  process.traffic.resize(2);
  return process;
}

bool depends(const std::vector<std::uint64_t>& first, const RawProcess& second) {
  return depends_on_order(merge_regions(process_with(first)), SecondRun(second));
}

TEST(DependsOnOrder, ThreadsThatDoOtherShares) {
  EXPECT_FALSE(depends({500, 500}, process_with({500, 500})));
  EXPECT_FALSE(depends({500, 500}, process_with({495, 505})));
  EXPECT_TRUE(depends({500, 500}, process_with({480, 520})));
  EXPECT_TRUE(depends({1000, 0}, process_with({0, 1000})));
}

TEST(DependsOnOrder, WhatTheRunSaw) {
  EXPECT_TRUE(depends({500, 500}, process_with({500, 500}, RIDGE_PROCESS_DIVIDES_FREELY)));
}

}  // namespace
}  // namespace ridge::measure
