#include "measure/run/traffic_plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/sentences_for_tests.hpp"

namespace ridge::measure {
namespace {

using ::testing::HasSubstr;

constexpr bool kCanSample = true;

/// About 100 s with all lines: 40 to 200 s.
FirstRun long_program() {
  return {100'000'000'000, Seconds(4.0)};
}

Request asked(TrafficRequest traffic) {
  Request request;
  request.traffic = traffic;
  return request;
}

Request with_budget(double seconds) {
  Request request = asked(TrafficRequest::automatic);
  request.budget = Seconds(seconds);
  return request;
}

TEST(ExactTime, BytesAndCpuTimeOfTheFirstRun) {
  const SecondsRange range = exact_time(long_program(), 0);
  EXPECT_NEAR(range.least.value(), 40.0, 1e-9);
  EXPECT_NEAR(range.most.value(), 200.0, 1e-9);
  const SecondsRange more = exact_time(long_program(), 2);
  EXPECT_NEAR(more.least.value(), 120.0, 1e-9) << "two more machines, once as much each";
  EXPECT_NEAR(more.most.value(), 1800.0, 1e-9) << "or four times";
}

TEST(PlanTraffic, WhatWasAskedFor) {
  const TrafficPlan exact = plan_traffic(asked(TrafficRequest::exact), long_program(), kCanSample);
  EXPECT_EQ(exact.mode, RIDGE_TRAFFIC_EXACT);
  EXPECT_FALSE(exact.may_repeat || exact.most || exact.note);
  const TrafficPlan sampled =
      plan_traffic(asked(TrafficRequest::sampled), long_program(), kCanSample);
  EXPECT_EQ(sampled.mode, RIDGE_TRAFFIC_SAMPLED);
  EXPECT_LT(sampled.expected.most, exact.expected.most);
  const TrafficPlan either =
      plan_traffic(asked(TrafficRequest::automatic), long_program(), kCanSample);
  EXPECT_EQ(either.mode, RIDGE_TRAFFIC_AUTO);
  EXPECT_TRUE(either.may_repeat);
}

// Nobody waits for a pilot where all lines take seconds.
TEST(PlanTraffic, ShortProgramsAreExactFromTheStart) {
  const FirstRun brief{1'000'000'000, Seconds(0.3)};  // at most 8.5 s
  Request request = asked(TrafficRequest::automatic);
  const TrafficPlan plan = plan_traffic(request, brief, kCanSample);
  EXPECT_EQ(plan.mode, RIDGE_TRAFFIC_EXACT);
  EXPECT_FALSE(plan.may_repeat || plan.note);
  request.exact_below = Seconds(8.0);
  EXPECT_EQ(plan_traffic(request, brief, kCanSample).mode, RIDGE_TRAFFIC_AUTO);
  EXPECT_EQ(plan_traffic(asked(TrafficRequest::sampled), brief, kCanSample).mode,
            RIDGE_TRAFFIC_SAMPLED)
      << "asked for by name";
}

TEST(PlanTraffic, CachesWithoutClassesAreExact) {
  for (const auto traffic : {TrafficRequest::automatic, TrafficRequest::sampled}) {
    const TrafficPlan plan = plan_traffic(asked(traffic), long_program(), !kCanSample);
    EXPECT_EQ(plan.mode, RIDGE_TRAFFIC_EXACT);
    EXPECT_FALSE(plan.may_repeat);
    EXPECT_EQ(plan.note.value_or(Note()).code, "traffic-exact");
  }
}

TEST(PlanTraffic, ABudgetTakesTheBestThatFits) {
  const TrafficPlan exact = plan_traffic(with_budget(200.0), long_program(), kCanSample);
  EXPECT_EQ(exact.mode, RIDGE_TRAFFIC_EXACT);
  EXPECT_EQ(exact.most, Seconds(400.0));
  const TrafficPlan sampled = plan_traffic(with_budget(199.0), long_program(), kCanSample);
  EXPECT_EQ(sampled.mode, RIDGE_TRAFFIC_AUTO);
  EXPECT_FALSE(sampled.may_repeat) << "all lines do not fit";
  EXPECT_EQ(plan_traffic(with_budget(121.0), long_program(), kCanSample).mode, RIDGE_TRAFFIC_AUTO);
  EXPECT_FALSE(plan_traffic(with_budget(121.0), long_program(), !kCanSample).mode);
  const TrafficPlan none = plan_traffic(with_budget(119.0), long_program(), kCanSample);
  EXPECT_FALSE(none.mode);
  ASSERT_TRUE(none.note);
  EXPECT_EQ(none.note->code, "no-traffic");
  EXPECT_THAT(none.note->text, HasSubstr("8 s to 2 min"));
  EXPECT_THAT(none.note->text, HasSubstr("119 s"));
}

}  // namespace

void traffic_plan_sentences(tests::Sentences& sentences) {
  const TrafficPlan none = plan_traffic(with_budget(30.0), long_program(), kCanSample);
  sentences.add("a budget that nothing fits", none.note.value_or(Note()).text);
}

}  // namespace ridge::measure
