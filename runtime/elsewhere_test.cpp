// Traffic on caches of other machines, as `ridge run` finds it afterwards.
#include <algorithm>
#include <cstring>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "runtime/emulated_session.hpp"

namespace ridge::runtime_testing {
namespace {

bool equal(const ridge_region_traffic& a, const ridge_region_traffic& b) {
  return std::memcmp(&a, &b, sizeof(a)) == 0;
}

ridge_cache_levels levels_of(const ridge_cache_config& caches) {
  ridge_cache_levels levels{};
  levels.level_count = caches.level_count;
  std::copy(std::begin(caches.levels), std::end(caches.levels), std::begin(levels.levels));
  return levels;
}

// Caches A beside caches B give what A alone gives.
TEST(Elsewhere, TrafficElsewhereIsThatOfARunWithTheseCaches) {
  for (const std::string scenario : {"traffic", "traffic_bulk"}) {
    SCOPED_TRACE(scenario);
    Arena beside(kArenaBytes, RIDGE_MODE_TRAFFIC);
    ask_for_traffic(beside);
    ridge_cache_config small = beside.header().caches;
    small.levels[0] = {2048, 2, 64, 1, RIDGE_NON_INCLUSIVE, 1, 0};
    small.levels[1] = {3 * 2048, 3, 64, 2, RIDGE_VICTIM, 0, 0};
    beside.header().elsewhere_count = 2;
    beside.header().elsewhere[0] = levels_of(small);
    beside.header().elsewhere[1] = levels_of(beside.header().caches);
    EXPECT_TRUE(run(beside, scenario).exited(0));
    const ridge_process_record& process = *beside.processes()[0];
    ASSERT_NE(beside.worker_elsewhere(process, 0), nullptr);
    ASSERT_NE(beside.worker_elsewhere(process, 1), nullptr);
    EXPECT_EQ(beside.worker_elsewhere(process, 2), nullptr);
    EXPECT_TRUE(equal(*beside.worker_elsewhere(process, 1), beside.worker_traffic(process)));
    EXPECT_FALSE(equal(*beside.worker_elsewhere(process, 0), beside.worker_traffic(process)));
    Arena alone(kArenaBytes, RIDGE_MODE_TRAFFIC);
    ask_for_traffic(alone);
    alone.header().caches = small;
    EXPECT_TRUE(run(alone, scenario).exited(0));
    // Where the program's data lie may differ from run to run, not how much a stream moves.
    const ridge_region_traffic& one = alone.worker_traffic(*alone.processes()[0]);
    EXPECT_EQ(beside.worker_elsewhere(process, 0)->crossed[1].read, one.crossed[1].read);
    EXPECT_EQ(beside.worker_elsewhere(process, 0)->accesses, one.accesses);
  }
}

TEST(Elsewhere, ElsewhereThereMayBeFewerLevels) {
  Arena arena(kArenaBytes, RIDGE_MODE_TRAFFIC);
  ask_for_traffic(arena);
  ridge_cache_levels& one_level = arena.header().elsewhere[0];
  arena.header().elsewhere_count = 1;
  one_level.level_count = 1;
  one_level.levels[0] = {65536, 8, 64, 4, RIDGE_NON_INCLUSIVE, 1, 0};
  EXPECT_TRUE(run(arena, "traffic").exited(0));
  const ridge_region_traffic* traffic = arena.worker_elsewhere(*arena.processes()[0], 0);
  ASSERT_NE(traffic, nullptr);
  EXPECT_EQ(traffic->crossed[0].read, 3u * 8 << 15);
  EXPECT_EQ(traffic->crossed[1].read, 0u);
}

TEST(Elsewhere, CachesElsewhereThatCannotBeSimulatedHaveNoTraffic) {
  Arena arena(kArenaBytes, RIDGE_MODE_TRAFFIC);
  ask_for_traffic(arena);
  arena.header().elsewhere_count = 1000;  // what follows is zero: no levels
  arena.header().elsewhere[1] = levels_of(arena.header().caches);
  EXPECT_TRUE(run(arena, "traffic").exited(0));
  const ridge_process_record& process = *arena.processes()[0];
  EXPECT_EQ(arena.worker_elsewhere(process, 0), nullptr);
  ASSERT_NE(arena.worker_elsewhere(process, 1), nullptr);
  EXPECT_TRUE(equal(*arena.worker_elsewhere(process, 1), arena.worker_traffic(process)));
  EXPECT_NE(process.flags & RIDGE_PROCESS_ARENA_FULL, 0u);
}

TEST(Elsewhere, TrafficElsewhereOfAForkedChildIsItsOwn) {
  Arena arena(kArenaBytes, RIDGE_MODE_TRAFFIC);
  ask_for_traffic(arena);
  arena.header().elsewhere_count = 1;
  arena.header().elsewhere[0] = levels_of(arena.header().caches);
  EXPECT_TRUE(run(arena, "traffic_forked").exited(0));
  ASSERT_EQ(arena.processes().size(), 2u);
  for (const ridge_process_record* process : arena.processes()) {
    ASSERT_NE(arena.worker_elsewhere(*process, 0), nullptr);
    EXPECT_TRUE(equal(*arena.worker_elsewhere(*process, 0), arena.worker_traffic(*process)));
  }
}

}  // namespace
}  // namespace ridge::runtime_testing
