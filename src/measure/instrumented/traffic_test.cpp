#include "measure/instrumented/traffic.hpp"

#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/instrumented/arena_builder.hpp"

namespace ridge::measure {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

Counts with_flops(std::uint64_t flops) {
  Counts counts;
  counts.work.add(Precision::fp64, OperationKind::add, 64, flops);
  counts.ir_flops = flops;
  return counts;
}

ridge_region_traffic traffic_of(std::uint64_t bytes) {
  ridge_region_traffic traffic{};
  traffic.crossed[0] = {bytes, bytes / 2};
  traffic.crossed[1] = {bytes / 4, bytes / 8};
  traffic.memory_at_half = {2 * bytes, 0};
  traffic.least = {bytes / 10, 0};
  traffic.accesses = 1;
  return traffic;
}

TEST(TrafficScale, EqualRunsAreTakenAsTheyAre) {
  for (const auto& [a, b] : {std::pair{1000U, 1000U}, std::pair{100000U, 100050U}}) {
    const auto scale = traffic_scale(with_flops(a), with_flops(b));
    EXPECT_EQ(scale.factor, 1.0);
    EXPECT_FALSE(scale.note);
  }
  EXPECT_EQ(traffic_scale({}, {}).factor, 1.0);
}

TEST(TrafficScale, SmallDifferencesScale) {
  const auto scale = traffic_scale(with_flops(1050), with_flops(1000));
  EXPECT_DOUBLE_EQ(*scale.factor, 1.05);
  EXPECT_EQ(scale.note->code, "traffic-scaled");
}

/// Of the run that simulates traffic the machine code is not read.
TEST(TrafficScale, WhatTheBackEndAddedIsNoDifference) {
  Counts timed = with_flops(1000);
  timed.work.add(Precision::fp64, OperationKind::mul, 64, 500);
  const auto scale = traffic_scale(timed, with_flops(1000));
  EXPECT_EQ(scale.factor, 1.0);
  EXPECT_FALSE(scale.note);
}

TEST(TrafficScale, LargeOnesDrop) {
  for (const auto& [a, b] : {std::pair{1200U, 1000U}, std::pair{0U, 5U}, std::pair{5U, 0U}}) {
    const auto scale = traffic_scale(with_flops(a), with_flops(b));
    EXPECT_FALSE(scale.factor);
    EXPECT_EQ(scale.note->code, "traffic-dropped");
  }
}

TEST(TrafficScale, WithoutFlopsBytesDecide) {
  Counts a;
  a.bytes_loaded = 1000;
  Counts b;
  b.bytes_stored = 950;
  EXPECT_NEAR(*traffic_scale(a, b).factor, 1000.0 / 950.0, 1e-12);
}

TEST(SetTraffic, EveryBoundaryGetsItsOwn) {
  Region region;
  region.bytes_loaded = 7;
  region.bytes_stored = 3;
  set_counted_traffic(region);
  set_traffic(region, traffic_of(800), 1.5, {"L2", "DRAM"}, true);
  EXPECT_THAT(region.traffic,
              ElementsAre(Pair(Level::DRAM, Traffic{300, 150}), Pair(Level::L1, Traffic{7, 3}),
                          Pair(Level::L2, Traffic{1200, 600})));
  EXPECT_EQ(region.least_traffic.at("DRAM"), (Traffic{120, 0}));
  EXPECT_EQ(region.traffic_at_share.at("1/2"), (Traffic{2400, 0}));
  EXPECT_EQ(region.traffic_at_share.at("1/4"), (Traffic{0, 0}));
}

/// A process with two versions of one function, ids 1 and 2, and traffic of both and of no region.
std::uint64_t add_two_versions(ArenaBuilder& arena) {
  DescriptorBuilder built;
  built.region(RIDGE_REGION_FUNCTION, "f", RIDGE_NO_PARENT, 3);
  const auto process = arena.process(1);
  arena.module(process, built, 1);
  arena.module(process, built, 2);
  arena.traffic(process, {traffic_of(8), traffic_of(80), traffic_of(800)});
  return process;
}

TEST(SecondRun, AddsUpWhatIsOneRegion) {
  ArenaBuilder arena(RIDGE_MODE_TRAFFIC);
  add_two_versions(arena);
  const auto decoded = *decode(arena.bytes());
  const SecondRun run(decoded.processes[0]);
  EXPECT_TRUE(run.simulated());
  const auto table = merge_regions(decoded.processes[0]);
  const auto* found = run.find(table.regions[0].identity);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->traffic.crossed[0].read, 880U);
  EXPECT_EQ(run.total().crossed[0].read, 888U) << "with what lay in no region";
  EXPECT_EQ(run.find("nothing"), nullptr);
}

TEST(SecondRun, TripCountsAreThoseOfAllVersions) {
  const auto run_with = [](const std::vector<ridge_region_trips>& trips) {
    ArenaBuilder arena(RIDGE_MODE_TRAFFIC);
    arena.trips(add_two_versions(arena), trips);
    const auto decoded = *decode(arena.bytes());
    const auto table = merge_regions(decoded.processes[0]);
    return SecondRun(decoded.processes[0]).find(table.regions[0].identity)->trips;
  };
  EXPECT_EQ(run_with({{}, {~5ULL, 9}, {~7ULL, 70}}), (TripCounts{5, 70}));
  EXPECT_EQ(run_with({{}, {~0ULL, 0}, {0, 0}}), (TripCounts{0, 0})) << "entered, but empty";
  EXPECT_EQ(run_with({{~1ULL, 1}, {0, 0}, {0, 0}}), std::nullopt) << "never entered";
  EXPECT_EQ(run_with({{}, {~9ULL, 5}, {0, 3}}), std::nullopt) << "damaged";
}

TEST(SecondRun, MemoryNodesOfAllVersionsAddUp) {
  ArenaBuilder arena(RIDGE_MODE_TRAFFIC);
  const auto process = add_two_versions(arena);
  std::vector<ridge_region_nodes> nodes(3);
  nodes[0].lines[3][3] = 1000;  // of no region
  nodes[1].lines[0][1] = 5;
  nodes[1].lines[7][0] = 7;
  nodes[2].lines[0][1] = 10;
  arena.nodes(process, nodes);
  const auto decoded = *decode(arena.bytes());
  const auto table = merge_regions(decoded.processes[0]);
  Region region;
  set_memory_nodes(region, SecondRun(decoded.processes[0]).find(table.regions[0].identity)->nodes);
  EXPECT_EQ(region.memory_nodes, (std::vector<NodeLines>{{0, 1, 15}, {7, 0, 7}}));
  nodes[1].others = 1;
  region.memory_nodes.clear();
  set_memory_nodes(region, nodes[1]);
  EXPECT_TRUE(region.memory_nodes.empty()) << "not all of it";
}

std::vector<ridge_region_traffic> three(std::uint64_t first, std::uint64_t second,
                                        std::uint64_t third) {
  return {traffic_of(first), traffic_of(second), traffic_of(third)};
}

TEST(SecondRun, PlacementsOfTasksAddUpLikeTheTraffic) {
  ArenaBuilder arena(RIDGE_MODE_TRAFFIC);
  const auto process = add_two_versions(arena);
  arena.placed(process, 0, three(8, 160, 1600), {});
  arena.placed(process, 1, three(8, 40, 400), {});
  arena.placed(process, 2, three(8, 80, 800), {});
  const auto decoded = *decode(arena.bytes());
  const SecondRun run(decoded.processes[0]);
  const auto table = merge_regions(decoded.processes[0]);
  const auto* found = run.find(table.regions[0].identity);
  ASSERT_EQ(found->placed.size(), 3U);
  EXPECT_EQ(found->placed[0].crossed[0].read, 1760U);
  EXPECT_EQ(found->placed[1].crossed[0].read, 440U);
  ASSERT_EQ(run.placed().size(), 3U);
  EXPECT_EQ(run.placed()[1].crossed[0].read, 448U) << "with what lay in no region";
}

TEST(SecondRun, SampledPartsOfPlacementsAreWeighted) {
  ArenaBuilder arena(RIDGE_MODE_TRAFFIC);
  const auto process = add_two_versions(arena);
  arena.sampled(process, three(0, 0, 8), {3, ridge_region_pilot{}});
  arena.placed(process, 0, three(0, 80, 0), three(0, 16, 0));
  arena.placed(process, 1, three(0, 80, 0), three(0, 0, 0));
  arena.placed(process, 2, three(0, 80, 0), three(0, 8, 0));
  const auto decoded = *decode(arena.bytes());
  EXPECT_EQ(SecondRun(decoded.processes[0]).placed()[0].crossed[0].read, 80U + 8U * 16U);
  EXPECT_EQ(SecondRun(decoded.processes[0]).placed()[1].crossed[0].read, 80U);
}

TEST(SecondRun, OnePlacementAloneIsNone) {
  ArenaBuilder arena(RIDGE_MODE_TRAFFIC);
  const auto process = add_two_versions(arena);
  arena.placed(process, 1, three(8, 40, 400), {});
  EXPECT_TRUE(decode(arena.bytes())->processes[0].placed.empty());
}

TEST(PlacedTraffic, StandsWhereCoresHaveCachesOfTheirOwn) {
  Machine machine;
  machine.topology.emplace().cores = 4;
  machine.memories.push_back({.level = Level::DRAM});
  const auto cache = [](Level level, unsigned shared) {
    Cache made;
    made.level = level;
    made.shared_by_threads = shared;
    return made;
  };
  machine.caches = {cache("L1", 1), cache("L2", 2), cache("L3", 4)};
  const auto placed = placed_traffic({traffic_of(800)}, 0.5, machine);
  ASSERT_EQ(placed.size(), 1U);
  EXPECT_THAT(placed[0],
              ElementsAre(Pair(Level::L2, Traffic{400, 200}), Pair(Level::L3, Traffic{100, 50})));
}

TEST(LeftInCaches, IsWhatWasStoredAndWhatTheCachesOfTheThreadsHold) {
  Machine machine;
  machine.topology.emplace().cores = 4;
  machine.memories.push_back({.level = Level::DRAM});
  for (const auto& [level, size, shared] :
       {std::tuple{Level::L1, 100U, 1U}, {Level::L2, 900U, 1U}, {Level::L3, 5000U, 4U}}) {
    Cache cache;
    cache.level = level;
    cache.size_bytes = size;
    cache.shared_by_threads = shared;
    machine.caches.push_back(cache);
  }
  Region region;
  region.threads = 2;
  region.bytes_stored = 1500;
  EXPECT_THAT(left_in_caches(region, machine),
              ElementsAre(Pair(Level::L2, 200), Pair(Level::L3, 1500)));
}

TEST(SecondRun, WithoutATableNothingWasSimulated) {
  ArenaBuilder arena;
  arena.process(1);
  const auto decoded = *decode(arena.bytes());
  EXPECT_FALSE(SecondRun(decoded.processes[0]).simulated());
}

}  // namespace
}  // namespace ridge::measure
