#include "analyze/traffic/layer_condition.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyze/program_for_tests.hpp"

namespace ridge::analyze {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_programs::nest;

constexpr std::uint64_t kCache = 32U << 10U;

LayerConditions of(const std::string& function, Polynomial::Values values) {
  const auto found = layer_conditions(nest("stencils.c", function), values);
  EXPECT_TRUE(found) << function << ": " << found.error().message;
  return found ? *found : LayerConditions();
}

/// Misses of each option, fewest first.
std::vector<unsigned> misses(const LayerConditions& conditions) {
  std::vector<unsigned> all;
  for (const ReuseOption& option : conditions.options) {
    all.push_back(option.misses);
  }
  return all;
}

struct Condition {
  const char* function;
  Polynomial::Values values;
  unsigned misses;
  unsigned hits;
  const char* bytes;
  std::optional<std::int64_t> up_to;  ///< N in 32 KiB
};

/// What Kerncraft 0.8.17 prints of the same kernels and 32 KiB: "2*N <= 2049" is N = 1024.
TEST(LayerConditions, EqualThoseOfKerncraft) {
  const Polynomial::Values plane{{"N", 1000}, {"M", 5000}};
  const Polynomial::Values space{{"N", 100}, {"M", 200}};
  for (const Condition& expected : {Condition{"five_points", plane, 2, 3, "32*N - 16", 1024},
                                    Condition{"seven_points", space, 2, 5, "32*N^2 - 16*N", 32},
                                    Condition{"seven_points", space, 4, 3, "48*N - 32", 683},
                                    Condition{"long_range", space, 3, 25, "88*N^2", 19},
                                    Condition{"long_range", space, 9, 19, "88*N^2 - 288*N", 21},
                                    Condition{"long_range", space, 11, 17, "152*N", 215},
                                    Condition{"long_range", space, 17, 11, "152*N - 544", 219}}) {
    SCOPED_TRACE(expected.function + std::string(" ") + expected.bytes);
    const auto conditions = of(expected.function, expected.values);
    const auto found = std::ranges::find(conditions.options, expected.misses, &ReuseOption::misses);
    ASSERT_NE(found, conditions.options.end());
    EXPECT_EQ(found->hits, expected.hits);
    EXPECT_EQ(found->bytes->text(), expected.bytes);
    EXPECT_EQ(true_up_to(*found, "N", expected.values, kCache), expected.up_to);
  }
}

TEST(LayerConditions, StreamsHaveNoReuseButThatOfWholeArrays) {
  const Polynomial::Values values{{"N", 100'000}};
  EXPECT_THAT(misses(of("copy", values)), ElementsAre(0, 2));
  EXPECT_THAT(misses(of("triad", values)), ElementsAre(0, 3));
  EXPECT_THAT(misses(of("update", values)), ElementsAre(0, 1));
  const auto daxpy = of("daxpy", values);
  EXPECT_THAT(misses(daxpy), ElementsAre(0, 2));
  EXPECT_EQ(daxpy.options.back().hits, 1U);  // a[i] is read and then written
  EXPECT_EQ(daxpy.options.front().bytes->text(), "16*N");
  EXPECT_EQ(daxpy.written, 1U);
  EXPECT_EQ(of("scalar_product", values).written, 0U);
}

TEST(LayerConditions, TheFirstTrueConditionCounts) {
  const Polynomial::Values values{{"N", 1000}, {"M", 5000}};
  const auto conditions = of("five_points", values);
  EXPECT_EQ(option_in(conditions, values, 64).misses, 5U);
  EXPECT_EQ(option_in(conditions, values, 80).misses, 4U);
  EXPECT_EQ(option_in(conditions, values, 31'983).misses, 4U);
  EXPECT_EQ(option_in(conditions, values, 31'984).misses, 2U);  // 32 N - 16
  EXPECT_EQ(option_in(conditions, values, 1U << 30U).misses, 0U);
}

TEST(LayerConditions, ASymbolWithoutAValueIsAskedFor) {
  const auto found = layer_conditions(nest("stencils.c", "five_points"), {{"M", 10}});
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::bad_input);
  EXPECT_THAT(found.error().message, HasSubstr("N has no value"));
  EXPECT_THAT(found.error().hint, HasSubstr("-D N="));
}

TEST(LayerConditions, WhatIsNotWalkedIsNamed) {
  const auto found =
      layer_conditions(nest("loops.c", "spmv"), {{"n", 10}, {"row[r]", 0}, {"row[r + 1]", 30}});
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_THAT(found->left_out, ElementsAre("read x[col[...]]"));
}

TEST(LayerConditions, TrueUpToIsUnknownWhereNothingDepends) {
  const Polynomial::Values values{{"N", 1000}, {"M", 5000}};
  const auto conditions = of("five_points", values);
  EXPECT_EQ(true_up_to(conditions.options[1], "M", values, kCache), std::nullopt);
  EXPECT_EQ(true_up_to(conditions.options.back(), "N", values, kCache), std::nullopt);
  EXPECT_EQ(true_up_to(conditions.options[1], "N", values, 8), std::nullopt);
}

}  // namespace
}  // namespace ridge::analyze
