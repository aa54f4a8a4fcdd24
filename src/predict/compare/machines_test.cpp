#include "predict/compare/machines.hpp"

#include <algorithm>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/roof/machines_for_tests.hpp"

namespace ridge::predict {
namespace {

using ::testing::HasSubstr;

const ComparedCeiling& find(const MachineComparison& comparison, const std::string& id) {
  return *std::find_if(comparison.ceilings.begin(), comparison.ceilings.end(),
                       [&](const ComparedCeiling& ceiling) { return ceiling.id == id; });
}

TEST(CompareMachines, AMachineEqualsItself) {
  const Machine machine = testing::zen4();
  const auto comparison = compare_machines({{"a", &machine}, {"b", &machine}});
  EXPECT_EQ(comparison.ceilings.size(), machine.ceilings.size());
  for (const ComparedCeiling& ceiling : comparison.ceilings) {
    ASSERT_EQ(ceiling.values.size(), 2U);
    EXPECT_EQ(ceiling.values[1].ratio, 1.0);
    EXPECT_EQ(ceiling.values[1].verdict, Verdict::same);
  }
}

TEST(CompareMachines, RatiosAreOfTheP90AndJudgedByTheInterval) {
  const Machine a = testing::zen4();
  Machine b = a;
  const auto scale = [](Ceiling& ceiling, double factor) {
    auto& estimate = std::get<Estimate<BytesPerSecond>>(ceiling.value);
    for (BytesPerSecond* value : {&estimate.median, &estimate.p90, &estimate.low, &estimate.high}) {
      *value = *value * factor;
    }
  };
  std::string near;
  std::string far;
  for (Ceiling& ceiling : b.ceilings) {
    if (ceiling.kind == CeilingKind::bandwidth && ceiling.pattern == Pattern::load) {
      // Intervals reach from 97 % to 100 % of the p90.
      scale(ceiling, ceiling.level == Level::DRAM ? 1.02 : 1.5);
      (ceiling.level == Level::DRAM ? near : far) = ceiling.id;
    }
  }
  const auto comparison = compare_machines({{"a", &a}, {"b", &b}});
  EXPECT_NEAR(*find(comparison, near).values[1].ratio, 1.02, 1e-12);
  EXPECT_EQ(find(comparison, near).values[1].verdict, Verdict::within_spread);
  EXPECT_NEAR(*find(comparison, far).values[1].ratio, 1.5, 1e-12);
  EXPECT_EQ(find(comparison, far).values[1].verdict, Verdict::changed);
}

TEST(CompareMachines, WhatOneLacksIsTold) {
  const Machine a = testing::zen4();
  Machine b = a;
  const std::string gone = b.ceilings.back().id;
  b.ceilings.pop_back();
  const auto comparison = compare_machines({{"a", &a}, {"b", &b}});
  EXPECT_EQ(find(comparison, gone).values.size(), 1U);
  ASSERT_FALSE(comparison.notes.empty());
  EXPECT_THAT(comparison.notes[0].text, HasSubstr("b lacks 1 of"));
  const auto back = compare_machines({{"b", &b}, {"a", &a}});
  EXPECT_FALSE(find(back, gone).values[0].ratio);  // the first that has it
  EXPECT_EQ(find(back, gone).values[0].machine, 1U);
}

TEST(CompareMachines, TheSentenceNamesPeakAndMemory) {
  const Machine a = testing::zen4();
  const Machine b = testing::skylake_x();
  const auto comparison = compare_machines({{"zen", &a}, {"sky", &b}});
  EXPECT_THAT(comparison.summary, HasSubstr("sky against zen"));
  EXPECT_THAT(comparison.summary, HasSubstr("fp64 peak"));
  Machine nothing;
  EXPECT_THAT(compare_machines({{"zen", &a}, {"none", &nothing}}).summary,
              HasSubstr("not known in both"));
}

}  // namespace
}  // namespace ridge::predict
