#include "render/document/run/first_screen.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "render/chart/text.hpp"
#include "render/document/run/run_summary.hpp"
#include "render/fixture_for_tests.hpp"
#include "render/golden_for_tests.hpp"

namespace ridge::render {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

NextStep step_of(std::string where, std::string remedy, double low, double high) {
  NextStep step;
  step.region = 1;
  step.code = "strided-access";
  step.where = std::move(where);
  step.reason = "33 % of its bytes are accessed with gaps";
  step.remedy = std::move(remedy);
  step.gain_program = SpeedUp{low, high};
  step.regions = {1};
  return step;
}

/// As long as it gets: a verdict of many lines, five steps of long words.
Prediction longest(const Profile& profile) {
  Prediction prediction = fixture::prediction(profile);
  for (int i = 0; i < 40; ++i) {
    prediction.verdict += "a word of the verdict ";
  }
  for (std::size_t i = 0; i < kMostNextSteps; ++i) {
    prediction.next_steps.push_back(
        step_of(fmt::format("{}::function{} (file.cc:{})", std::string(70, 'n'), i, i),
                std::string(30, 'r') + " " + std::string(80, 'm'), 1.0, 1.4));
  }
  return prediction;
}

TEST(FirstScreen, FitsATerminalOf24LinesWhateverItSays) {
  constexpr std::size_t kMostLines = 22;
  const Profile profile = fixture::profile();
  for (const int columns : {60, 80, 120, 200}) {
    const TextStyle style{columns, true, false};
    const auto lines = lines_of(first_screen(profile, longest(profile), style));
    EXPECT_LE(lines.size(), kMostLines + 1);  // the last one is empty
    for (const std::string& line : lines) {
      EXPECT_LE(display_width(line), static_cast<std::size_t>(columns)) << line;
    }
    EXPECT_TRUE(run_summary(profile, longest(profile), style)
                    .starts_with(first_screen(profile, longest(profile), style)));
  }
}

TEST(FirstScreen, BeginsWithTheVerdictThenTheStepsThenTheRun) {
  const Profile profile = fixture::profile();
  Prediction prediction = fixture::prediction(profile);
  prediction.verdict = "First words.";
  prediction.summary = "First words; others.";
  prediction.next_steps = {step_of("f (a.cc:1)", "block", 1.1, 1.4)};
  const std::string text = first_screen(profile, prediction, {80, true, false});
  EXPECT_TRUE(text.starts_with("  First words.\n")) << text;
  EXPECT_THAT(text, AllOf(HasSubstr("1. [1.1 to 1.4x] f (a.cc:1): 33 %"), HasSubstr("block\n"),
                          Not(HasSubstr("others"))));
  EXPECT_LT(text.find("block"), text.find("12.4 s"));
  prediction.verdict.clear();
  EXPECT_THAT(first_screen(profile, prediction, {}), HasSubstr("others"));
}

TEST(FirstScreen, NamesHowManyOtherRegionsAreHelped) {
  Prediction prediction;
  prediction.next_steps = {step_of("f", "block", 1.1, 1.4)};
  prediction.next_steps[0].regions = {1, 2, 3};
  EXPECT_THAT(first_screen({}, prediction, {}), HasSubstr("f and 2 more: "));
}

TEST(FirstScreen, GainsAreSaidAsFarAsTheyAreKnown) {
  NextStep step = step_of("f", "r", 1.12, 1.38);
  EXPECT_EQ(step_gain(step), "1.1 to 1.4x");
  step.gain_program = SpeedUp{1.31, 1.34};
  EXPECT_EQ(step_gain(step), "about 1.3x");
  step.gain_program = SpeedUp{1.0, 1.4};
  EXPECT_EQ(step_gain(step), "up to 1.4x");
  step.is_bound = true;
  EXPECT_EQ(step_gain(step), "at most 1.4x");
  step.gain_program.reset();
  EXPECT_EQ(step_gain(step), "");
}

TEST(FirstScreen, HostileTextIsHarmless) {
  Profile profile = fixture::profile();
  profile.program.argv = {kHostile};
  profile.machine.name = kHostile;
  Prediction prediction;
  prediction.verdict = kHostile;
  prediction.next_steps = {step_of(kHostile, kHostile, 1.1, 1.2)};
  prediction.next_steps[0].reason = kHostile;
  for (const bool unicode : {true, false}) {
    for (const std::string& line : lines_of(first_screen(profile, prediction, {80, unicode}))) {
      EXPECT_EQ(clean(line, unicode), line);
    }
  }
}

}  // namespace
}  // namespace ridge::render
