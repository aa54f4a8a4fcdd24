#include "cli/serve/serve_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::cli {
namespace {

TEST(ServeOptions, LimitsHaveDefaults) {
  const auto options = parse_serve_options({"."});
  ASSERT_TRUE(options && *options);
  EXPECT_EQ((*options)->folder, ".");
  EXPECT_EQ((*options)->port, 0U);
  EXPECT_EQ((*options)->timeout, 5U);
  EXPECT_EQ((*options)->connections, 64U);
}

TEST(ServeOptions, Everything) {
  const auto options =
      parse_serve_options({"x", "--port", "80", "--timeout", "1", "--connections", "1000"});
  ASSERT_TRUE(options && *options);
  EXPECT_EQ((*options)->port, 80U);
  EXPECT_EQ((*options)->timeout, 1U);
  EXPECT_EQ((*options)->connections, 1000U);
}

TEST(ServeOptions, WhatIsOutsideIsRefused) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{},
                                             {"a", "b"},
                                             {".", "--port", "65536"},
                                             {".", "--timeout", "0"},
                                             {".", "--timeout", "3601"},
                                             {".", "--connections", "0"},
                                             {".", "--connections", "1001"},
                                             {".", "--connections", "-1"}}) {
    const auto options = parse_serve_options(arguments);
    ASSERT_FALSE(options);
    EXPECT_EQ(options.error().code, ErrorCode::usage);
  }
}

}  // namespace
}  // namespace ridge::cli
