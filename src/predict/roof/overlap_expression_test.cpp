#include "predict/roof/overlap_expression.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::predict {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<ResourceTime> times() {
  std::vector<ResourceTime> resources;
  for (const auto& [name, seconds] :
       {std::pair{"compute", 5.0}, {"L1", 1.0}, {"L2", 2.0}, {"HBM", 4.0}}) {
    ResourceTime time;
    time.resource = name;
    time.seconds = seconds;
    resources.push_back(time);
  }
  return resources;
}

double seconds(const char* text) {
  return OverlapExpression::parse(text).value().seconds(times());
}

TEST(OverlapExpression, MaxAndSumAloneAreThoseOfAllResources) {
  EXPECT_DOUBLE_EQ(seconds("max"), 5.0);
  EXPECT_DOUBLE_EQ(seconds("sum"), 12.0);
  EXPECT_THAT(OverlapExpression::parse("max")->names(), IsEmpty());
  EXPECT_TRUE(OverlapExpression::parse("max")->uses("L2"));
}

TEST(OverlapExpression, JoinsNamedResources) {
  EXPECT_DOUBLE_EQ(seconds("max(compute, L1+L2+HBM)"), 7.0);  // ECM
  EXPECT_DOUBLE_EQ(seconds("max(compute,max(L1,L2),HBM)"), 5.0);
  EXPECT_DOUBLE_EQ(seconds("compute + max(L1, L2)"), 7.0);
  EXPECT_DOUBLE_EQ(seconds("(L1 + L2) + sum(compute, HBM)"), 12.0);
  EXPECT_DOUBLE_EQ(seconds("L2"), 2.0);
}

TEST(OverlapExpression, MemoryIsTheMainMemoryWhateverItsName) {
  EXPECT_DOUBLE_EQ(seconds("max(compute, L1+L2+memory)"), 7.0);
  EXPECT_TRUE(OverlapExpression::parse("memory")->uses("HBM"));
  EXPECT_TRUE(OverlapExpression::parse("memory")->uses("DRAM"));
  EXPECT_FALSE(OverlapExpression::parse("memory")->uses("L2"));
}

TEST(OverlapExpression, AResourceThatIsNotUsedTakesNoTime) {
  EXPECT_DOUBLE_EQ(seconds("compute + network"), 5.0);
}

TEST(OverlapExpression, NamesAreThoseUsedEachOnce) {
  EXPECT_THAT(OverlapExpression::parse("max(compute, L1+DRAM+L1)")->names(),
              ElementsAre("compute", "L1", "DRAM"));
}

TEST(OverlapExpression, WhatIsWrongIsPlaced) {
  const auto message = [](const std::string& text) {
    const auto parsed = OverlapExpression::parse(text);
    return parsed ? std::string("fine") : parsed.error().message;
  };
  EXPECT_THAT(message(""), HasSubstr("character 1"));
  EXPECT_THAT(message("max(compute"), HasSubstr("character 12"));
  EXPECT_THAT(message("max()"), HasSubstr("character 5"));
  EXPECT_THAT(message("L1 L2"), HasSubstr("character 4"));
  EXPECT_THAT(message("L1 +"), HasSubstr("character 5"));
  EXPECT_THAT(message("L1 * 2"), HasSubstr("character 4"));
  EXPECT_THAT(message("(L1"), HasSubstr("`)`"));
  EXPECT_THAT(message(std::string(100000, '(')), HasSubstr("parentheses"));
}

}  // namespace
}  // namespace ridge::predict
