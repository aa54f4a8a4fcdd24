#include "cli/run/run_progress.hpp"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/sentences_for_tests.hpp"

namespace ridge::cli {
namespace {

using measure::Progress;
using measure::RunOfProgram;
using measure::SecondsRange;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Progress at(RunOfProgram run, double elapsed, double least, double most) {
  return {run, Seconds(elapsed), std::nullopt, SecondsRange{Seconds(least), Seconds(most)}};
}

/// Everything that is said of a run of `seconds` s, with a look each second.
std::vector<std::string> said(ProgressLines& lines, RunOfProgram run, int seconds) {
  std::vector<std::string> all;
  for (int second = 0; second <= seconds; ++second) {
    if (auto line = lines.next(at(run, second, seconds - second, seconds - second))) {
      all.push_back(*line);
    }
  }
  return all;
}

TEST(ProgressLines, ALogGetsALineEachTenSeconds) {
  ProgressLines lines(false);
  EXPECT_THAT(said(lines, RunOfProgram::first, 35), SizeIs(3));
  EXPECT_THAT(said(lines, RunOfProgram::traffic, 35), SizeIs(4)) << "one when it begins";
  EXPECT_THAT(said(lines, RunOfProgram::traffic_again, 35), SizeIs(4));
}

TEST(ProgressLines, WhatIsSoonOverIsNotWorthALine) {
  ProgressLines lines(false);
  EXPECT_THAT(said(lines, RunOfProgram::first, 9), IsEmpty());
  EXPECT_THAT(said(lines, RunOfProgram::traffic, 9), IsEmpty());
}

TEST(ProgressLines, AStarvedLookCatchesUpInOneLine) {
  ProgressLines lines(false);
  EXPECT_FALSE(lines.next(at(RunOfProgram::first, 0, 0, 0)));
  EXPECT_TRUE(lines.next(at(RunOfProgram::first, 47, 0, 0)));
  EXPECT_FALSE(lines.next(at(RunOfProgram::first, 49, 0, 0)));
  EXPECT_TRUE(lines.next(at(RunOfProgram::first, 50, 0, 0)));
}

// There the program writes too.
TEST(ProgressLines, OnATerminalOnlyThatARunForTrafficBegins) {
  ProgressLines lines(true);
  EXPECT_THAT(said(lines, RunOfProgram::first, 100), IsEmpty());
  EXPECT_THAT(said(lines, RunOfProgram::traffic, 100), SizeIs(1));
  EXPECT_THAT(said(lines, RunOfProgram::traffic_again, 3), SizeIs(1));
}

TEST(ProgressLines, TheExpectedTimeIsSaidBeforeItStarts) {
  for (const bool on_terminal : {true, false}) {
    ProgressLines lines(on_terminal);
    const auto line = lines.next(at(RunOfProgram::traffic, 0, 20, 60));
    ASSERT_TRUE(line);
    EXPECT_THAT(*line, HasSubstr("20 to 60 s"));
  }
}

TEST(WordsOf, WhatIsKnown) {
  Progress progress{RunOfProgram::traffic, Seconds(41.0), 0.349,
                    SecondsRange{Seconds(80.0), Seconds(80.0)}};
  EXPECT_THAT(words_of(progress), HasSubstr("34 %"));
  EXPECT_THAT(words_of(progress), HasSubstr("80 s"));
  progress.done.reset();
  progress.remaining.reset();
  EXPECT_THAT(words_of(progress), testing::Not(HasSubstr("%")));
  EXPECT_THAT(words_of(progress), HasSubstr("41 s"));
}

}  // namespace

void run_progress_sentences(tests::Sentences& sentences) {
  ProgressLines lines(false);
  const SecondsRange rest{Seconds(80.0), Seconds(80.0)};
  sentences.add("first run goes on", words_of({RunOfProgram::first, Seconds(20.0), {}, {}}));
  sentences.add("second run begins", *lines.next(at(RunOfProgram::traffic, 0, 40, 180)));
  sentences.add("second run goes on", words_of({RunOfProgram::traffic, Seconds(41.0), 0.34, rest}));
  sentences.add("third run begins", *lines.next(at(RunOfProgram::traffic_again, 0, 40, 180)));
}

}  // namespace ridge::cli
