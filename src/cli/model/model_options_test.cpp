#include "cli/model/model_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

ModelOptions parsed(const std::vector<std::string>& words) {
  const auto options = parse_model_options(words);
  EXPECT_TRUE(options) << options.error().message;
  return options && *options ? **options : ModelOptions();
}

std::string refusal(const std::vector<std::string>& words) {
  const auto options = parse_model_options(words);
  EXPECT_FALSE(options);
  return options ? "" : options.error().message;
}

TEST(ModelOptions, SizesFunctionAndFlags) {
  const ModelOptions options = parsed({"s.c", "-D", "N=4000", "-DM=2", "--function", "f", "--line",
                                       "7", "--cores", "4", "--", "-I", "x", "-D", "N=3"});
  EXPECT_EQ(options.file, "s.c");
  EXPECT_THAT(options.sizes, ElementsAre(Sizes{{"M", 2}, {"N", 4000}}));
  EXPECT_EQ(options.function, "f");
  EXPECT_EQ(options.line, 7U);
  EXPECT_EQ(options.cores, 4U);
  EXPECT_THAT(options.flags, ElementsAre("-I", "x", "-D", "N=3"));
}

TEST(ModelOptions, WithoutAnythingButAFile) {
  const ModelOptions options = parsed({"s.c"});
  EXPECT_THAT(options.sizes, ElementsAre(Sizes{}));
  EXPECT_EQ(options.cores, 1U);
  EXPECT_FALSE(options.traffic);
}

TEST(ModelOptions, WhatCannotBeIsRefused) {
  EXPECT_THAT(refusal({}), HasSubstr("no FILE"));
  EXPECT_THAT(refusal({"a.c", "b.c"}), HasSubstr("one FILE"));
  EXPECT_THAT(refusal({"a.c", "--cores", "0"}), HasSubstr("--cores"));
  EXPECT_THAT(refusal({"a.c", "--traffic", "guess"}), HasSubstr("guess"));
  EXPECT_THAT(refusal({"a.c", "-D", "N"}), HasSubstr("-D N"));
  EXPECT_THAT(refusal({"a.c", "--index", "col"}), HasSubstr("--index col"));
  EXPECT_THAT(refusal({"a.c", "--run", "--cpu", "znver4"}), HasSubstr("--run"));
  EXPECT_THAT(refusal({"a.c", "--run", "--cores", "2"}), HasSubstr("--run"));
  EXPECT_THAT(refusal({"a.c", "--from", "c.json", "--", "-I."}), HasSubstr("--from"));
}

}  // namespace
}  // namespace ridge::cli
