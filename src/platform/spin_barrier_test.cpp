#include "platform/spin_barrier.hpp"

#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace ridge::platform {
namespace {

/// `threads` threads meet `turns` times; whether none was ever a turn ahead of another.
bool stay_together(unsigned threads, int turns, unsigned spins) {
  SpinBarrier barrier(threads, spins);
  std::vector<std::atomic<int>> at(threads);
  std::atomic<bool> together{true};
  std::vector<std::thread> team;
  for (unsigned self = 0; self < threads; ++self) {
    team.emplace_back([&, self] {
      for (int turn = 1; turn <= turns; ++turn) {
        at[self] = turn;
        barrier.wait();
        for (const auto& other : at) {
          together = together && (other == turn || other == turn + 1);
        }
        barrier.wait();
      }
    });
  }
  for (std::thread& thread : team) {
    thread.join();
  }
  return together;
}

TEST(SpinBarrier, NobodyLeavesBeforeAllHaveCome) {
  EXPECT_TRUE(stay_together(1, 100, SpinBarrier::kSpins));
  EXPECT_TRUE(stay_together(2, 300, SpinBarrier::kSpins));
  EXPECT_TRUE(stay_together(4, 50, SpinBarrier::kSpins));  // more than there may be CPUs
}

TEST(SpinBarrier, AlsoWhenEveryoneWhoWaitsGoesToSleep) {
  EXPECT_TRUE(stay_together(1, 100, 0));
  EXPECT_TRUE(stay_together(2, 1000, 0));
  EXPECT_TRUE(stay_together(5, 300, 0));
}

}  // namespace
}  // namespace ridge::platform
