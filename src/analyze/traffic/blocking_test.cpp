#include "analyze/traffic/blocking.hpp"

#include <gtest/gtest.h>

#include "analyze/program_for_tests.hpp"
#include "analyze/traffic/machines_for_tests.hpp"
#include "analyze/traffic/simulation.hpp"

namespace ridge::analyze {
namespace {

using testing_machines::usual;
using testing_programs::nest;

const BlockingAdvice* of_level(const std::vector<BlockingAdvice>& all, Level level) {
  const auto found = std::ranges::find(all, level, &BlockingAdvice::level);
  return found == all.end() ? nullptr : &*found;
}

TEST(Blocking, RestoresTheRowsOfAStencil) {
  const auto advice =
      blocking_advice(nest("stencils.c", "five_points"), {{"N", 9000}, {"M", 4000}}, usual(), 1);
  const BlockingAdvice* l1 = of_level(advice, Level::L1);
  ASSERT_NE(l1, nullptr);
  EXPECT_EQ(l1->loop, "i");
  // Four rows of 8-byte elements in half of 32 KiB: 512 of them.
  EXPECT_GT(l1->block, 450);
  EXPECT_LE(l1->block, 512);
  EXPECT_NEAR(l1->bytes_saved, 16.0, 0.5);  // two of four streams
}

TEST(Blocking, AdvisesNothingWhereNothingIsSaved) {
  EXPECT_TRUE(blocking_advice(nest("stencils.c", "triad"), {{"N", 1'000'000}}, usual(), 1).empty());
  const auto small =
      blocking_advice(nest("stencils.c", "five_points"), {{"N", 500}, {"M", 4000}}, usual(), 1);
  EXPECT_TRUE(small.empty());
  EXPECT_TRUE(blocking_advice(nest("stencils.c", "five_points"), {}, usual(), 1).empty());
}

TEST(Blocking, HoldsAVectorThatAnOuterLoopComesBackTo) {
  const auto advice =
      blocking_advice(nest("reference.c", "matvec"), {{"N", 10'000}, {"M", 100'000}}, usual(), 1);
  const BlockingAdvice* l2 = of_level(advice, Level::L2);
  ASSERT_NE(l2, nullptr);
  EXPECT_EQ(l2->loop, "j");
  EXPECT_NEAR(l2->bytes_saved, 8.0, 0.5);  // x
  EXPECT_LE(l2->block, 256 * 1024 / 2 / 16);
}

/// What is advised, done: the simulated traffic of one block is what was promised.
TEST(Blocking, WhatIsSavedIsWhatABlockSaves) {
  const LoopNest stencil = nest("stencils.c", "five_points");
  const Polynomial::Values wide{{"N", 9000}, {"M", 60}};
  const auto advice = blocking_advice(stencil, wide, usual(), 1);
  ASSERT_FALSE(advice.empty());
  LoopNest block = stencil;  // the addresses stay those of wide rows
  block.levels.back().trips = TripCount{Polynomial(advice.front().block - 1), 1};
  const auto before = traffic_by_simulation(stencil, wide, usual(), 1);
  const auto after = traffic_by_simulation(block, wide, usual(), 1);
  ASSERT_TRUE(before && after);
  const auto across = [](const ModelledTraffic& traffic) {
    return traffic.crossings.front().read + traffic.crossings.front().written;
  };
  EXPECT_NEAR(across(*before) - across(*after), advice.front().bytes_saved, 1.0);
}

}  // namespace
}  // namespace ridge::analyze
