#include "predict/roof/measured_standing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/catalogue/kernels_for_tests.hpp"

namespace ridge::predict {
namespace {

using testing::demand_of;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::target_with;

/// 20 us of arithmetic, 100 us of memory.
ResourcePrediction after(double seconds) {
  ResourcePrediction prediction = predict_demand(demand_of(2e6, 1e6), target_with(1e11, 1e10));
  stand_against(prediction, seconds);
  return prediction;
}

TEST(MeasuredStanding, PerformanceAndSharesFollowFromTheTime) {
  const ResourcePrediction prediction = after(125e-6);
  ASSERT_TRUE(prediction.measured);
  EXPECT_DOUBLE_EQ(prediction.measured->performance, 2e6 / 125e-6);
  EXPECT_DOUBLE_EQ(prediction.measured->share, 0.8);
  EXPECT_DOUBLE_EQ(prediction.resources[0].used.value(), 0.16);  // compute
  EXPECT_DOUBLE_EQ(prediction.resources[1].used.value(), 0.8);   // DRAM
}

TEST(MeasuredStanding, OneOfFour) {
  EXPECT_EQ(after(90e-6).measured->standing, RoofStanding::above_roof);
  EXPECT_EQ(after(100e-6).measured->standing, RoofStanding::near_roof);
  EXPECT_EQ(after(124e-6).measured->standing, RoofStanding::near_roof);
  EXPECT_EQ(after(130e-6).measured->standing, RoofStanding::below);  // 20 + 100 us one by one
  ResourcePrediction even = predict_demand(demand_of(1e7, 1e6), target_with(1e11, 1e10));
  stand_against(even, 190e-6);  // 100 + 100 us
  EXPECT_EQ(even.measured->standing, RoofStanding::in_interval);
}

TEST(MeasuredStanding, LatencyIsNoUseOfARate) {
  PredictionChoices choices;
  choices.latencies["DRAM"] = 100e-6;
  ResourcePrediction prediction =
      predict_demand(demand_of(2e6, 1e6), target_with(1e11, 1e10), choices);
  stand_against(prediction, 200e-6);
  EXPECT_DOUBLE_EQ(prediction.resources[1].used.value(), 0.5);
  EXPECT_DOUBLE_EQ(prediction.measured->share, 1.0);
}

TEST(MeasuredStanding, ASentenceNamesTheResource) {
  EXPECT_THAT(after(100e-6).measured->sentence, HasSubstr("DRAM bandwidth"));
  EXPECT_THAT(after(50e-6).measured->sentence, HasSubstr("200.0 %"));
  EXPECT_THAT(after(1.0).measured->sentence, HasSubstr("0.01 %"));
}

TEST(MeasuredStanding, NothingWithoutAPrediction) {
  ResourcePrediction missing;
  missing.missing = "no fp16 peak known";
  stand_against(missing, 1.0);
  EXPECT_FALSE(missing.measured);
}

TEST(NeededRate, IsTheAmountOverTheTime) {
  const ResourcePrediction prediction = after(125e-6);  // 2e6 flop, 1e6 byte
  EXPECT_EQ(needed_rate(prediction, "bandwidth", 50e-6).value(),
            (Solved{"DRAM bandwidth", 2e10, "byte/s"}));
  EXPECT_EQ(needed_rate(prediction, "DRAM", 50e-6), needed_rate(prediction, "bandwidth", 50e-6));
  EXPECT_EQ(needed_rate(prediction, "peak", 50e-6).value(), (Solved{"peak", 4e10, "flop/s"}));
  EXPECT_FALSE(needed_rate(prediction, "L2", 50e-6));
  EXPECT_DOUBLE_EQ(time_at_share(prediction, 0.8)->value, 125e-6);
  EXPECT_FALSE(time_at_share(ResourcePrediction{}, 0.8));
}

TEST(OwnResources, AreTransfersBesideTheMachines) {
  PredictionChoices choices;
  choices.own = {{"network", "byte", 1e9, 12.5e9, 2e-6}};
  const auto prediction = predict_demand(demand_of(2e6, 1e6), target_with(1e11, 1e10), choices);
  ASSERT_EQ(prediction.resources.back().resource, "network");
  EXPECT_DOUBLE_EQ(prediction.resources.back().seconds, 0.08 + 2e-6);
  EXPECT_EQ(prediction.resources.back().origin, Origin::assumed);
  EXPECT_EQ(*prediction.binding, 2U);
}

TEST(OverlapChoice, StandsBesideTheInterval) {
  PredictionChoices choices;
  choices.overlap = OverlapExpression::parse("compute + DRAM").value();
  const auto prediction = predict_demand(demand_of(2e6, 1e6), target_with(1e11, 1e10), choices);
  EXPECT_DOUBLE_EQ(prediction.combined_seconds.value(), 120e-6);
  EXPECT_DOUBLE_EQ(prediction.seconds.value(), 100e-6);
  EXPECT_THAT(prediction.notes, IsEmpty());
  choices.overlap = OverlapExpression::parse("compute").value();
  const auto partial = predict_demand(demand_of(2e6, 1e6), target_with(1e11, 1e10), choices);
  ASSERT_EQ(partial.notes.size(), 1U);
  EXPECT_EQ(partial.notes[0].code, "left-out");
}

TEST(FreeArithmetic, TakesNoTime) {
  TargetMachine target = target_with(1.0, 46.6e9);
  target.arithmetic_is_free = true;
  const auto prediction = predict_demand(demand_of(1e6, 6e6), target);
  EXPECT_NEAR(prediction.attainable.value(), 46.6e9 / 6, 1e-3);
  EXPECT_EQ(prediction.resources.size(), 1U);
}

}  // namespace
}  // namespace ridge::predict
