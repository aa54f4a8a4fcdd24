#include "cli/common/option_parser.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::cli {
namespace {

struct Options {
  bool json = false;
  std::optional<std::string> output;
  std::optional<unsigned> number;
  std::vector<unsigned> threads;
  std::vector<std::string> files;
};

Result<ParseOutcome> parse(Options& options, const std::vector<std::string>& words) {
  OptionParser parser("example", "the help text\n");
  parser.flag("--json", options.json);
  parser.option("-o,--output", options.output);
  parser.option("--number", options.number);
  parser.option("--threads", options.threads);
  parser.positional("files", options.files);
  return parser.parse(words);
}

TEST(OptionParser, FillsEveryKindOfTarget) {
  Options options;
  const auto outcome =
      parse(options, {"--json", "-o", "a b", "--number", "7", "--threads", "1,2", "x"});
  ASSERT_TRUE(outcome);
  EXPECT_EQ(*outcome, ParseOutcome::parsed);
  EXPECT_TRUE(options.json);
  EXPECT_EQ(options.output, "a b");
  EXPECT_EQ(options.number, 7U);
  EXPECT_THAT(options.threads, testing::ElementsAre(1, 2));
  EXPECT_THAT(options.files, testing::ElementsAre("x"));
}

TEST(OptionParser, WhatIsNotGivenStaysUnknown) {
  Options options;
  ASSERT_TRUE(parse(options, {}));
  EXPECT_FALSE(options.output);
  EXPECT_FALSE(options.number);
}

TEST(OptionParser, AnUnknownOptionIsAUsageErrorThatNamesIt) {
  Options options;
  const auto outcome = parse(options, {"--jsn"});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::usage);
  EXPECT_THAT(outcome.error().message, testing::HasSubstr("--jsn"));
  EXPECT_THAT(outcome.error().hint, testing::HasSubstr("ridge example --help"));
}

TEST(OptionParser, AWrongOptionNamesTheNearOneWhateverStandsAround) {
  for (const auto& words : std::vector<std::vector<std::string>>{
           {"x", "--outptu", "y"}, {"--outptu=y"}, {"1", "2", "--outptu"}}) {
    Options options;
    const auto outcome = parse(options, words);
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code, ErrorCode::usage);
    EXPECT_THAT(outcome.error().message, testing::EndsWith("outptu"));
    EXPECT_THAT(outcome.error().hint, testing::HasSubstr("Did you mean --output?"));
  }
}

TEST(OptionParser, AnOptionThatComesNearNothingSuggestsNothing) {
  Options options;
  const auto outcome = parse(options, {"--frobnicate"});
  ASSERT_FALSE(outcome);
  EXPECT_THAT(outcome.error().hint, testing::Not(testing::HasSubstr("mean")));
}

TEST(OptionParser, AWordTooManyIsNamed) {
  OptionParser parser("example", "");
  const auto outcome = parser.parse({"surplus"});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::usage);
  EXPECT_THAT(outcome.error().message, testing::HasSubstr("`surplus`"));
}

TEST(OptionParser, ANumberMustBeOne) {
  Options options;
  const auto outcome = parse(options, {"--number", "many"});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::usage);
}

TEST(OptionParser, HelpPrintsTheTextAndParsesNothing) {
  Options options;
  testing::internal::CaptureStdout();
  const auto outcome = parse(options, {"--jsn", "--help"});
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "the help text\n");
  ASSERT_TRUE(outcome);
  EXPECT_EQ(*outcome, ParseOutcome::help_shown);
}

}  // namespace
}  // namespace ridge::cli
