// The order in which the batches of several threads are simulated, through emulated programs.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <sys/personality.h>

#include <gtest/gtest.h>

#include "runtime/emulated_session.hpp"

namespace ridge::runtime_testing {
namespace {

// Same addresses in every run: what then differs can only be the order.
Ended run_at_fixed_addresses(Arena& arena, const std::string& scenario) {
  return run(RIDGE_TEST_THREAD_PROGRAM, {scenario}, arena.session(),
             [] { personality(ADDR_NO_RANDOMIZE); });
}

std::string traffic_of(const std::string& scenario) {
  Arena arena(kArenaBytes, RIDGE_MODE_TRAFFIC);
  ask_for_traffic(arena);
  const Ended ended = run_at_fixed_addresses(arena, scenario);
  EXPECT_TRUE(ended.exited(0)) << ended.errors;
  const ridge_process_record& process = *arena.processes()[0];
  EXPECT_EQ(process.trace_lost, 0u);
  const ridge_region_traffic& traffic = arena.worker_traffic(process);
  std::string text = std::to_string(traffic.accesses);
  for (const ridge_bytes_crossed& crossed : {traffic.crossed[0], traffic.crossed[1]}) {
    text += " " + std::to_string(crossed.read) + "+" + std::to_string(crossed.written);
  }
  return text;
}

std::uint64_t accesses_of(Arena& arena, std::size_t process) {
  return arena.worker_traffic(*arena.processes()[process]).accesses;
}

TEST(Order, ThreadsThatMeetAtBarriersGiveOneTraffic) {
  const std::string first = traffic_of("phases");
  for (int i = 0; i < 9; ++i) {
    EXPECT_EQ(traffic_of("phases"), first) << "run " << i;
  }
}

// They end at all, and nothing is lost.
TEST(Order, NobodyWaitsForAThreadThatDoesNotCome) {
  for (const std::string scenario : {"beside_reader", "beside_spinner", "beside_leaver"}) {
    SCOPED_TRACE(scenario);
    Arena arena(kArenaBytes, RIDGE_MODE_TRAFFIC);
    ask_for_traffic(arena);
    const Ended ended = run_at_fixed_addresses(arena, scenario);
    EXPECT_TRUE(ended.exited(0)) << ended.errors;
    EXPECT_EQ(accesses_of(arena, 0), 3u * (4 * (1 << 14) + 20));
  }
}

TEST(Order, ALockHeldWhileTheWindowIsFullStopsNobody) {
  Arena arena(kArenaBytes, RIDGE_MODE_TRAFFIC);
  ask_for_traffic(arena);
  const Ended ended = run_at_fixed_addresses(arena, "locks");
  EXPECT_TRUE(ended.exited(0)) << ended.errors;
  EXPECT_EQ(accesses_of(arena, 0), 3u * 3 * 4 * (1 << 13));
}

TEST(Order, AForkBesideAnotherThreadLosesNothing) {
  Arena arena(kArenaBytes, RIDGE_MODE_TRAFFIC);
  ask_for_traffic(arena);
  const Ended ended = run_at_fixed_addresses(arena, "fork_beside");
  EXPECT_TRUE(ended.exited(0)) << ended.errors;
  ASSERT_EQ(arena.processes().size(), 2u);
  EXPECT_EQ(accesses_of(arena, 0), 3u * ((1 << 12) + 150));
  EXPECT_EQ(accesses_of(arena, 1), 3u << 12);
}

TEST(Order, SampledTrafficRepeatsToo) {
  std::uint64_t first = 0;
  for (int i = 0; i < 4; ++i) {
    Arena arena(kArenaBytes, RIDGE_MODE_TRAFFIC);
    ask_for_sampling(arena, RIDGE_TRAFFIC_SAMPLED);
    EXPECT_TRUE(run_at_fixed_addresses(arena, "phases").exited(0));
    const ridge_process_record& process = *arena.processes()[0];
    const std::uint32_t base = arena.module(process, "emulated_program.c")->region_base;
    const auto& sampled = arena.at<ridge_region_traffic>(process.sampled_traffic)[base + 1];
    EXPECT_GT(sampled.crossed[0].read, 0u);
    first = i == 0 ? sampled.crossed[0].read : first;
    EXPECT_EQ(sampled.crossed[0].read, first) << "run " << i;
  }
}

// Three arrays of 256 KiB fit 1 MiB, and so does an eighth of them an eighth of it: each line that
// is followed comes from memory once. In half of the sets they would not fit.
TEST(Order, ASampleUsesAllSetsOfItsCaches) {
  Arena arena(kArenaBytes, RIDGE_MODE_TRAFFIC);
  ask_for_sampling(arena, RIDGE_TRAFFIC_SAMPLED);
  arena.header().caches.levels[0].size_bytes = 64 * 4 * 64;  // sets for whole classes: packed
  arena.header().caches.levels[1].size_bytes = 1 << 20;
  EXPECT_TRUE(run_at_fixed_addresses(arena, "phases").exited(0));
  const ridge_process_record& process = *arena.processes()[0];
  const std::uint32_t base = arena.module(process, "emulated_program.c")->region_base;
  const auto& sampled = arena.at<ridge_region_traffic>(process.sampled_traffic)[base + 1];
  EXPECT_EQ(sampled.crossed[1].read, (3u * 8 << 15) / 8);
}

// Each of two threads uses all of three arrays: on cores of their own each has to load them.
TEST(Order, ThreadsWithoutPlacesHaveCoresInTurn) {
  Arena arena(kArenaBytes, RIDGE_MODE_TRAFFIC);
  ask_for_traffic(arena);
  arena.header().caches.levels[0] = {1 << 20, 16, 64, 1, RIDGE_NON_INCLUSIVE, 1, 0};
  arena.header().caches.levels[1] = {1 << 21, 16, 64, 4, RIDGE_NON_INCLUSIVE, 1, 0};
  EXPECT_TRUE(run_at_fixed_addresses(arena, "phases").exited(0));
  const ridge_region_traffic& traffic = arena.worker_traffic(*arena.processes()[0]);
  EXPECT_GE(traffic.crossed[0].read, 2u * (3 * 8 << 15));
}

// The threads' numbers are those of their creation, whoever gets going first.
TEST(Order, NumbersFollowCreation) {
  Arena arena;
  EXPECT_TRUE(run(arena, "threads").exited(0));
  const ridge_process_record& process = *arena.processes()[0];
  std::vector<bool> seen(65, false);
  for (const ridge_thread* thread : arena.threads(process)) {
    ASSERT_LT(thread->ordinal, 65u);
    EXPECT_FALSE(seen[thread->ordinal]);
    seen[thread->ordinal] = true;
  }
}

}  // namespace
}  // namespace ridge::runtime_testing
