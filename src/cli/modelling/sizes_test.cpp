#include "cli/modelling/sizes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::int64_t> values(const std::string& word) {
  std::vector<std::int64_t> found;
  const auto sizes = sizes_of({word});
  EXPECT_TRUE(sizes) << word;
  if (sizes) {
    for (const Sizes& each : *sizes) {
      found.push_back(each.begin()->second);
    }
  }
  return found;
}

std::string refusal(const std::vector<std::string>& words) {
  const auto sizes = sizes_of(words);
  EXPECT_FALSE(sizes);
  return sizes ? "" : sizes.error().message;
}

TEST(ModelSizes, NothingIsOneSetWithoutValues) {
  const auto sizes = sizes_of({});
  ASSERT_TRUE(sizes);
  EXPECT_THAT(*sizes, ElementsAre(Sizes{}));
}

TEST(ModelSizes, NumbersMayHaveSuffixes) {
  EXPECT_THAT(values("N=4000"), ElementsAre(4000));
  EXPECT_THAT(values("N=4k"), ElementsAre(4000));
  EXPECT_THAT(values("N=2Mi"), ElementsAre(2 << 20));
  EXPECT_THAT(values("lo=-3"), ElementsAre(-3));
}

TEST(ModelSizes, SweepsAreGeometricOrArithmetic) {
  EXPECT_THAT(values("N=100:10000:log:3"), ElementsAre(100, 1000, 10000));
  EXPECT_THAT(values("N=10:30:10"), ElementsAre(10, 20, 30));
  EXPECT_THAT(values("N=10:29:10"), ElementsAre(10, 20));
  EXPECT_EQ(values("N=100:1M").size(), kSweepPoints);
  EXPECT_THAT(values("N=1:3"), ElementsAre(1, 2, 3)) << "no size twice";
}

TEST(ModelSizes, OtherValuesStayInEverySet) {
  const auto sizes = sizes_of({"M=7", "N=1:2:1"});
  ASSERT_TRUE(sizes);
  EXPECT_THAT(*sizes, ElementsAre(Sizes{{"M", 7}, {"N", 1}}, Sizes{{"M", 7}, {"N", 2}}));
  EXPECT_EQ(sizes_text(sizes->front()), "M=7,N=1");
}

TEST(ModelSizes, WhatIsNoSizeIsRefused) {
  EXPECT_THAT(refusal({"N"}), HasSubstr("no name"));
  EXPECT_THAT(refusal({"=4"}), HasSubstr("no name"));
  EXPECT_THAT(refusal({"N=4x"}), HasSubstr("no whole number"));
  EXPECT_THAT(refusal({"N="}), HasSubstr("no whole number"));
  EXPECT_THAT(refusal({"N=99999999999999999999"}), HasSubstr("no whole number"));
  EXPECT_THAT(refusal({"N=9500000000G"}), HasSubstr("no whole number")) << "beyond 64 bits";
  EXPECT_THAT(refusal({"N=4", "N=5"}), HasSubstr("twice"));
  EXPECT_THAT(refusal({"N=1:2", "N=5"}), HasSubstr("twice"));
  EXPECT_THAT(refusal({"N=1:2", "M=1:2"}), HasSubstr("one at a time"));
  EXPECT_THAT(refusal({"N=0:10"}), HasSubstr("above 0"));
  EXPECT_THAT(refusal({"N=10:1"}), HasSubstr("greater"));
  EXPECT_THAT(refusal({"N=1:1M:1"}), HasSubstr("points"));
  EXPECT_THAT(refusal({"N=1:1M:log:1"}), HasSubstr("points"));
  EXPECT_THAT(refusal({"N=1:10:2:3"}), HasSubstr("no sweep"));
}

}  // namespace
}  // namespace ridge::cli
