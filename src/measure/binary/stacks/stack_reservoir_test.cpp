#include "measure/binary/stacks/stack_reservoir.hpp"

#include <gtest/gtest.h>

namespace ridge::measure::binary {
namespace {

std::vector<platform::StackSample> numbered(int first, int behind_last) {
  std::vector<platform::StackSample> stacks;
  for (int i = first; i < behind_last; ++i) {
    stacks.push_back({.tid = i});
  }
  return stacks;
}

TEST(StackReservoir, KeepsAllWhileThereIsRoom) {
  StackReservoir reservoir(100);
  reservoir.add(numbered(0, 60));
  reservoir.add(numbered(60, 100));
  EXPECT_EQ(reservoir.finish().size(), 100U);
}

TEST(StackReservoir, EachHasTheSameChanceHoweverLongTheRun) {
  constexpr int kAll = 100'000;
  StackReservoir reservoir(1000);
  for (int i = 0; i < kAll; i += 100) {
    reservoir.add(numbered(i, i + 100));
  }
  const auto kept = reservoir.finish();
  ASSERT_EQ(kept.size(), 1000U);
  std::vector<int> by_tenth(10, 0);
  for (const auto& stack : kept) {
    ++by_tenth[static_cast<std::size_t>(stack.tid / (kAll / 10))];
  }
  for (const int count : by_tenth) {
    EXPECT_GT(count, 60);  // 100 expected, with a deviation of 9.5
    EXPECT_LT(count, 140);
  }
}

}  // namespace
}  // namespace ridge::measure::binary
