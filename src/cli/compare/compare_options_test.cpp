#include "cli/compare/compare_options.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::cli {
namespace {

using ::testing::HasSubstr;

TEST(CompareOptions, RulesKeepTheirCommas) {
  const auto options =
      parse_compare_options({"a", "b", "--fail-on", "time@run<int, 3>>5%", "--fail-on", "flops>0"});
  ASSERT_TRUE(options) << options.error().message;
  ASSERT_EQ((*options)->rules.size(), 2U);
  EXPECT_EQ((*options)->rules[0].region, "run<int, 3>");
  EXPECT_EQ((*options)->results, (std::vector<std::string>{"a", "b"}));
}

TEST(CompareOptions, ARuleMayStandBeforeTheResults) {
  const auto options = parse_compare_options({"--fail-on", "flops>0", "a", "b"});
  ASSERT_TRUE(options) << options.error().message;
  EXPECT_EQ((*options)->results.size(), 2U);
}

TEST(CompareOptions, OneResultIsNotEnough) {
  const auto options = parse_compare_options({"a"});
  ASSERT_FALSE(options);
  EXPECT_EQ(options.error().code, ErrorCode::usage);
}

TEST(CompareOptions, AWrongRuleNamesTheQuantities) {
  const auto options = parse_compare_options({"a", "b", "--fail-on", "speed>1"});
  ASSERT_FALSE(options);
  EXPECT_EQ(options.error().code, ErrorCode::usage);
  EXPECT_THAT(options.error().hint, HasSubstr("performance"));
}

}  // namespace
}  // namespace ridge::cli
