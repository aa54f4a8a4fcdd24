// Where explicit tasks are placed: by nothing but the program, and evenly.
#include <cstdint>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

extern "C" {
#include "runtime/task_places.h"
}

namespace ridge::runtime_testing {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Gt;
using ::testing::Lt;
using Indices = std::vector<std::uint32_t>;

Indices scattered_list(std::uint32_t threads, std::uint32_t tasks, std::uint64_t execution) {
  std::uint64_t thread = ridge_place_of_thread(0, threads, execution);
  Indices list;
  for (std::uint32_t i = 0; i < tasks; ++i) {
    list.push_back(ridge_scattered_index(ridge_place_of_child(&thread), threads));
  }
  return list;
}

// Leaves of a tree of pairs.
void append_scattered_leaves(std::uint64_t& task, int depth, std::uint32_t threads,
                             Indices& leaves) {
  if (depth == 0) {
    leaves.push_back(ridge_scattered_index(task, threads));
    return;
  }
  for (int child = 0; child < 2; ++child) {
    std::uint64_t place = ridge_place_of_child(&task);
    append_scattered_leaves(place, depth - 1, threads, leaves);
  }
}

Indices by_thread(const Indices& indices, std::uint32_t threads) {
  Indices counts(threads, 0);
  for (const std::uint32_t index : indices) {
    EXPECT_LT(index, threads);
    ++counts.at(index);
  }
  return counts;
}

TEST(TaskPlaces, ScatteredTasksUseAllThreadsAlike) {
  EXPECT_THAT(by_thread(scattered_list(4, 4000, 1), 4), Each(AllOf(Gt(900), Lt(1100))));
  Indices leaves;
  std::uint64_t root = ridge_place_of_thread(0, 4, 1);
  append_scattered_leaves(root, 12, 4, leaves);
  EXPECT_THAT(by_thread(leaves, 4), Each(AllOf(Gt(924), Lt(1124))));
  for (const std::uint32_t threads : {1U, 3U, 7U, 1023U}) {
    by_thread(scattered_list(threads, 5000, 1), threads);
  }
}

TEST(TaskPlaces, ScatteredTasksComeToAnotherThreadEachTime) {
  const Indices first = scattered_list(4, 1000, 1);
  const Indices next = scattered_list(4, 1000, 2);
  unsigned same = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    same += first[i] == next[i] ? 1U : 0U;
  }
  EXPECT_THAT(same, AllOf(Gt(180U), Lt(320U))) << "a quarter by chance";
  EXPECT_EQ(first, scattered_list(4, 1000, 1)) << "by nothing but the program";
}

TEST(TaskPlaces, OwnTasksStayOnTheThreadWhoseWorkTheyAre) {
  std::uint64_t thread = ridge_place_of_thread(5, 8, 1);
  std::uint64_t child = ridge_place_of_child(&thread);
  EXPECT_EQ(ridge_own_index(child), 5U);
  EXPECT_EQ(ridge_own_index(ridge_place_of_child(&child)), 5U);
}

TEST(TaskPlaces, PiecesOfMemoryBelongToThreadsInTurn) {
  Indices homes;
  for (std::uint64_t address = 0; address < 6 * 4096; address += 2048) {
    homes.push_back(ridge_home_index(address, 4096, 3));
  }
  EXPECT_THAT(homes, ElementsAre(0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2));
  EXPECT_EQ(ridge_home_index(UINT64_MAX, 4096, 1), 0U);
}

TEST(TaskPlaces, ManyMoreChildrenThanAreToldApart) {
  std::uint64_t thread = ridge_place_of_thread(1023, 1024, 1);
  for (int i = 0; i < (1 << 21) + 5; ++i) {
    ASSERT_EQ(ridge_own_index(ridge_place_of_child(&thread)), 1023U);
  }
}

TEST(TaskPlaces, NothingIsKnownWithoutATeam) {
  std::uint64_t unknown = ridge_place_of_thread(0, 0, 1);
  EXPECT_EQ(unknown, 0U);
  EXPECT_EQ(ridge_place_of_child(&unknown), 0U);
  EXPECT_EQ(ridge_place_of_thread(1024, 2048, 1), 0U);
  std::uint64_t thread = ridge_place_of_thread(3, 4, 1);
  EXPECT_FALSE(ridge_is_task_place(thread));
  EXPECT_TRUE(ridge_is_task_place(ridge_place_of_child(&thread)));
}

}  // namespace
}  // namespace ridge::runtime_testing
