#include "predict/roof/common_resources.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/catalogue/kernels_for_tests.hpp"
#include "predict/roof/resources.hpp"

namespace ridge::predict {
namespace {

using testing::demand_of;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::target_with;

/// 1 Tflop/s, 100 GB/s of memory, an L2 of that bandwidth.
TargetMachine with_l2(double bandwidth) {
  TargetMachine target = target_with(1e12, 1e11);
  target.figures.caches = {{Level::L2, true, {1048576}}};
  if (bandwidth > 0.0) {
    target.figures.bandwidths.push_back({Level::L2, Basis::theoretical, {}, {bandwidth}});
  }
  return target;
}

TEST(CommonResources, AnUnknownBandwidthMakesNoMachineFaster) {
  const Demand demand = demand_of(1e9, 1e9);
  TargetMachine faster = with_l2(0.0);
  faster.figures.bandwidths.front().figure.value = 1.1e11;
  std::vector<ResourcePrediction> machines{predict_demand(demand, with_l2(5e10)),
                                           predict_demand(demand, with_l2(0.0)),
                                           predict_demand(demand, faster)};
  rank_on_common_resources(machines);
  EXPECT_THAT(machines[0].unbounded, IsEmpty());
  EXPECT_THAT(machines[1].unbounded, ElementsAre("L2"));
  EXPECT_DOUBLE_EQ(machines[0].seconds.value(), 1e9 / 5e10);
  EXPECT_DOUBLE_EQ(machines[0].common_seconds.value(), 1e9 / 1e11);
  EXPECT_EQ(machines[0].rank, 2U);  // as good as the one of which L2 is not known
  EXPECT_EQ(machines[1].rank, 2U);
  EXPECT_EQ(machines[2].rank, 1U);
}

TEST(CommonResources, WhatAllBoundCounts) {
  const Demand demand = demand_of(1e9, 1e9);
  std::vector<ResourcePrediction> machines{predict_demand(demand, with_l2(5e10)),
                                           predict_demand(demand, with_l2(2e11)),
                                           predict_demand(demand, target_with(1e12, 2e10))};
  rank_on_common_resources(machines);
  EXPECT_EQ(machines[0].rank, 2U);
  EXPECT_EQ(machines[1].rank, 1U);
  EXPECT_EQ(machines[2].rank, 3U);
  EXPECT_EQ(machines[0].common_seconds, machines[0].seconds);
}

TEST(CommonResources, NoPredictionHasNoRankAndTakesNothingAway) {
  Demand demand = demand_of(1e9, 1e9);
  std::vector<ResourcePrediction> machines{predict_demand(demand, with_l2(5e10)),
                                           predict_demand(demand, with_l2(2e11)),
                                           predict_demand(demand, with_l2(0.0))};
  machines[2].missing = "no peak known";
  rank_on_common_resources(machines);
  EXPECT_FALSE(machines[2].rank);
  EXPECT_EQ(machines[0].common_seconds, machines[0].seconds);
  std::vector<ResourcePrediction> alone{predict_demand(demand, with_l2(5e10))};
  rank_on_common_resources(alone);
  EXPECT_FALSE(alone.front().rank);
}

TEST(CommonResources, ArithmeticThatIsFreeRanksNothing) {
  TargetMachine free = target_with(1e12, 1e11);
  free.figures.peaks.clear();
  free.arithmetic_is_free = true;
  const Demand demand = demand_of(1e12, 1e9);
  std::vector<ResourcePrediction> machines{predict_demand(demand, free),
                                           predict_demand(demand, target_with(1e12, 2e11))};
  rank_on_common_resources(machines);
  EXPECT_THAT(machines[0].unbounded, ElementsAre("compute"));
  EXPECT_EQ(machines[0].rank, 2U);
  EXPECT_EQ(machines[1].rank, 1U);
}

}  // namespace
}  // namespace ridge::predict
