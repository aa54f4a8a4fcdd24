#include "measure/instrumented/code/block_ways.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::measure {
namespace {

using ::testing::ElementsAre;

/// Block 0 is counted, block 1 is not.
machine_code::Function two_blocks(std::vector<std::uint32_t> behind_the_first) {
  machine_code::Function function;
  function.blocks.resize(2);
  function.blocks[0].successors = std::move(behind_the_first);
  return function;
}

const std::vector<BlockCount> kCounts{{.counted_by = ProbeName{}, .also = {}}, {}};

TEST(BlockWays, WhatBelongsToACountRunsWithIt) {
  const auto function = two_blocks({1});
  const std::vector<std::uint64_t> flops{4, 0};
  EXPECT_THAT(BlockWays(function, kCounts, flops).from(0), ElementsAre(0, 1));
}

TEST(BlockWays, BehindALoopThatComputesNothingRunsOnceNotWithEachTurn) {
  const auto function = two_blocks({0, 1});
  const std::vector<std::uint64_t> flops{4, 0};
  EXPECT_THAT(BlockWays(function, kCounts, flops).from(0), ElementsAre(0));
}

TEST(BlockWays, AWayOnWhichTheBackEndComputesIsTaken) {
  const auto function = two_blocks({0, 1});
  const std::vector<std::uint64_t> flops{4, 2};
  const BlockWays ways(function, kCounts, flops);
  EXPECT_THAT(ways.from(0), ElementsAre(0, 1));
  EXPECT_EQ(ways.flops_from(0), 6U);
}

}  // namespace
}  // namespace ridge::measure
