#include "cli/common/dispatch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/common/command.hpp"
#include "cli/common/help_texts.hpp"

namespace ridge::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct Answer {
  Result<int> code;
  std::string text;
};

Answer answer(const std::vector<std::string>& words) {
  testing::internal::CaptureStdout();
  auto code = dispatch(words, "the version\n");
  return {std::move(code), testing::internal::GetCapturedStdout()};
}

TEST(Dispatch, HelpOfACommandIsThatOfItsOption) {
  for (const Command& command : commands()) {
    const std::string name(command.name);
    const Answer help = answer({"help", name});
    ASSERT_TRUE(help.code) << name;
    EXPECT_EQ(*help.code, 0);
    EXPECT_THAT(help.text, HasSubstr("ridge " + name + " - "));
    EXPECT_EQ(help.text, answer({name, "--help"}).text);
  }
}

TEST(Dispatch, HelpOfTheCompilersIsTheirText) {
  EXPECT_EQ(answer({"help", "ridge-cc"}).text, embedded::ridge_cc_help);
  EXPECT_EQ(answer({"help", "ridge-c++"}).text, embedded::ridge_cc_help);
}

TEST(Dispatch, HelpAloneListsTheCommands) {
  for (const char* word : {"help", "--help", "-h"}) {
    const Answer overview = answer({word});
    ASSERT_TRUE(overview.code);
    for (const Command& command : commands()) {
      EXPECT_THAT(overview.text, HasSubstr(std::string(command.summary)));
    }
  }
  EXPECT_EQ(answer({}).text, answer({"help"}).text);
}

TEST(Dispatch, VersionIsAnsweredInThreeWays) {
  for (const char* word : {"version", "--version", "-v"}) {
    EXPECT_EQ(answer({word}).text, "the version\n") << word;
  }
}

TEST(Dispatch, AWrongCommandNamesTheNearOne) {
  for (const auto& words : std::vector<std::vector<std::string>>{{"rum"}, {"help", "rum"}}) {
    const Answer wrong = answer(words);
    ASSERT_FALSE(wrong.code);
    EXPECT_EQ(wrong.code.error().code, ErrorCode::usage);
    EXPECT_THAT(wrong.code.error().message, HasSubstr("`rum`"));
    EXPECT_THAT(wrong.code.error().hint, HasSubstr("Did you mean run?"));
  }
  const Answer option = answer({"--verison"});
  ASSERT_FALSE(option.code);
  EXPECT_THAT(option.code.error().hint, HasSubstr("Did you mean --version?"));
}

TEST(Dispatch, WhatComesNearNothingSuggestsNothing) {
  const Answer wrong = answer({"frobnicate"});
  ASSERT_FALSE(wrong.code);
  EXPECT_THAT(wrong.code.error().hint, Not(HasSubstr("mean")));
  EXPECT_THAT(wrong.code.error().hint, HasSubstr("ridge --help"));
}

}  // namespace
}  // namespace ridge::cli
