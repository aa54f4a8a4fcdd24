#include "analyze/describe_loop.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::analyze {
namespace {

using ::testing::ElementsAre;

Polynomial symbol(const std::string& name) {
  return Polynomial::symbol(name);
}

/// for (j = 0; j < N; j++) for (i = 0; i <= j; i++) ... a[N*j + i]
LoopNest triangle() {
  LoopNest nest;
  nest.function = "f";
  nest.levels = {{"j", 0, 1, TripCount{symbol("N") - 1}, 3},
                 {"i", 0, 1, TripCount{symbol("j")}, 4}};
  nest.accesses = {{"a", (symbol("N") * symbol("j") + symbol("i")) * 8, "", 8, 2, true, false, 5},
                   {"x", std::nullopt, "col", 8, 2, false, true, 5}};
  nest.operations = {{"fma", "fp64", 2, false}, {"exp", "", 1, false}};
  return nest;
}

TEST(DescribeLoop, ReadsAsItIsWritten) {
  const LoopModel model = describe_loop(triangle(), {{"N", 5}, {"M", 3}});
  EXPECT_EQ(model.loops.at(0).trips, "N");
  EXPECT_EQ(model.loops.at(0).iterations, 5);
  EXPECT_EQ(model.accesses.at(0).text, "write a[N*j + i]");
  EXPECT_TRUE(model.accesses.at(1).is_indirect);
  EXPECT_TRUE(model.accesses.at(1).is_conditional);
  EXPECT_EQ(flops_of(model), 4.0) << "an fma is two, a call none";
  EXPECT_EQ(model.values, (std::map<std::string, std::int64_t>{{"N", 5}})) << "M is none of it";
}

TEST(DescribeLoop, ATriangleHasTheMeanOfItsRows) {
  EXPECT_EQ(describe_loop(triangle(), {{"N", 5}}).loops.at(1).iterations, 3);
  EXPECT_EQ(describe_loop(triangle(), {{"N", 1001}}).loops.at(1).iterations, 501);
}

TEST(DescribeLoop, WhatHasNoValueIsUnknown) {
  const LoopModel model = describe_loop(triangle(), {});
  EXPECT_FALSE(model.loops.at(0).iterations);
  EXPECT_FALSE(model.loops.at(1).iterations);
}

TEST(DescribeLoop, ATriangleThatIsTooLargeToWalkHasNoMean) {
  EXPECT_FALSE(describe_loop(triangle(), {{"N", 1LL << 40U}}).loops.at(1).iterations);
}

TEST(DescribeLoop, PartsOfDerivedSymbolsAreParameters) {
  LoopNest nest = triangle();
  nest.levels[1].trips = TripCount{symbol("min(j, 2)")};  // for (i = 0; i <= min(j, 2); i++)
  nest.derived = {{"min(j, 2)", DerivedSymbol::Kind::least, symbol("j"), 2}};
  EXPECT_THAT(parameters_of(nest), ElementsAre("N"));
  EXPECT_EQ(describe_loop(nest, {{"N", 4}}).loops.at(1).iterations, 2)
      << "1, 2, 3 and 3, mean 2.25";
  nest.levels[0].trips = TripCount{symbol("(n/2)") - 1};
  nest.derived.insert(nest.derived.begin(),
                      {"(n/2)", DerivedSymbol::Kind::quotient, symbol("n"), 2});
  EXPECT_THAT(parameters_of(nest), ElementsAre("N", "n"));
}

TEST(DescribeLoop, ParametersAreNoCounters) {
  EXPECT_THAT(parameters_of(triangle()), ElementsAre("N"));
}

}  // namespace
}  // namespace ridge::analyze
