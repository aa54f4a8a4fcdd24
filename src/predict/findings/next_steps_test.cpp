// What to do next: closed forms on findings made by hand, and what must hold of any ranking.
#include "predict/findings/next_steps.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <string>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/findings/finding_examples.hpp"
#include "predict/findings/findings.hpp"
#include "predict/findings/made_for_tests.hpp"
#include "predict/findings/step_words.hpp"
#include "predict/roof/machines_for_tests.hpp"
#include "predict/sentences_for_tests.hpp"

namespace ridge::predict {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Made;
using ::testing::SizeIs;

constexpr double kTolerance = 1e-9;

std::vector<std::string> codes(const std::vector<NextStep>& steps) {
  std::vector<std::string> all;
  for (const NextStep& step : steps) {
    all.push_back(step.code);
  }
  return all;
}

TEST(NextSteps, RankBySecondsSavedOfTheProgramNotByHeat) {
  Made made(10.0);
  made.add("hot", 6.0);
  made.found("write-allocate", 1.0, 1.2);  // 0 to 1 s
  made.add("cool", 3.0);
  made.found("strided-access", 2.0, 3.0);  // 1.5 to 2 s
  const auto steps = made.steps();
  EXPECT_THAT(codes(steps), ElementsAre("strided-access", "write-allocate"));
  EXPECT_NEAR(steps[0].gain_program->low, 10.0 / 8.5, kTolerance);
  EXPECT_NEAR(steps[0].gain_program->high, 10.0 / 8.0, kTolerance);
  EXPECT_NEAR(steps[1].gain_program->low, 1.0, kTolerance);
  EXPECT_NEAR(steps[1].gain_program->high, 10.0 / 9.0, kTolerance);
}

TEST(NextSteps, WhatIsSavedOnceIsNotSavedAgain) {
  Made made(10.0);
  made.add("hot", 10.0);
  made.found("strided-access", 2.0, 2.0);
  made.found("write-allocate", 2.0, 2.0);
  const auto steps = made.steps();
  ASSERT_THAT(steps, SizeIs(2));
  EXPECT_NEAR(steps[0].gain_program->high, 2.0, kTolerance);
  EXPECT_NEAR(steps[1].gain_program->high, 10.0 / 7.5, kTolerance);
}

TEST(NextSteps, OneOptionOfTheCompilerIsOneStep) {
  Made made(10.0);
  for (const char* function : {"a", "b", "c"}) {
    made.add(function, 2.0);
    made.found("narrow-vectors", 1.5, 1.5).evidence = {
        {"width_bits", 256.0}, {"best_width_bits", 512.0}, {"rate_ratio", 1.9}};
  }
  made.profile.regions[1].time_seconds.self->value = Seconds(3.0);
  const auto steps = made.steps();
  ASSERT_THAT(steps, SizeIs(1));
  EXPECT_THAT(steps[0].remedy, HasSubstr("-mprefer-vector-width=512"));
  EXPECT_EQ(steps[0].region, 1U);
  EXPECT_THAT(steps[0].regions, ElementsAre(1U, 0U, 2U));
  EXPECT_NEAR(steps[0].gain_program->high, 10.0 / (10.0 - 7.0 / 3.0), kTolerance);
}

TEST(NextSteps, OneCodeInSeveralLoopsOfOneFunctionIsOneStep) {
  Made made(10.0);
  for (const char* function : {"a", "a", "b"}) {
    made.add(function, 2.0);
    made.found("strided-access", 2.0, 2.0);
  }
  const auto steps = made.steps();
  ASSERT_THAT(steps, SizeIs(2));
  EXPECT_THAT(steps[0].regions, ElementsAre(0U, 1U));
  EXPECT_EQ(steps[1].where, "b");
}

TEST(NextSteps, TwoFindingsOfOneRegionWithOneRemedyAreOneStep) {
  Made made(10.0);
  made.add("hot", 10.0);
  made.found("reuse-just-misses", 2.0, 2.5);
  made.found("excess-traffic", 1.25, 2.0);
  const auto steps = made.steps();
  ASSERT_THAT(codes(steps), ElementsAre("reuse-just-misses"));
  EXPECT_NEAR(steps[0].gain_program->low, 1.25, kTolerance);
  EXPECT_NEAR(steps[0].gain_program->high, 2.5, kTolerance);
}

TEST(NextSteps, RegionsAtTheSameTimeShareTheWallTime) {
  Made made(5.0);
  for (const char* function : {"a", "b"}) {
    made.add(function, 5.0);
    made.found("strided-access", 2.0, 2.0).gain_is_bound = true;
  }
  const auto steps = made.steps();
  ASSERT_THAT(steps, SizeIs(2));
  EXPECT_NEAR(steps[0].gain_program->high, 5.0 / 3.75, kTolerance);
  EXPECT_FALSE(steps[0].is_bound);
  EXPECT_THAT(steps[0].assumes.value_or(""), HasSubstr("same time"));
}

TEST(NextSteps, WaitingIsWorthWhatAnEvenSpreadSaves) {
  Made made(10.0);
  made.add("EvalEOSForElems", 9.0).threads = 4;
  made.add_wait("EvalEOSForElems", 8.0, 12.0);
  const auto steps = made.steps();
  ASSERT_THAT(steps, SizeIs(1));
  EXPECT_EQ(steps[0].code, "waits-unknown");
  EXPECT_EQ(steps[0].where, "waits at the end of EvalEOSForElems");
  EXPECT_NEAR(steps[0].gain_program->low, 1.0, kTolerance);
  EXPECT_NEAR(steps[0].gain_program->high, 10.0 / 7.0, kTolerance);
  EXPECT_TRUE(steps[0].is_bound);
}

Made uneven(bool with_finding) {
  Made made(10.0);
  Region& loop = made.add("f", 9.0);
  loop.threads = 2;
  loop.thread_work = {{0, 100, 0, 0, {}}, {1, 300, 0, 0, {}}};
  if (with_finding) {
    made.found("load-imbalance", 1.0, 1.5).evidence = {{"threads", 2.0}, {"max_over_mean", 1.5}};
  }
  made.add_wait("f", 4.0, 4.0);
  made.add_wait("f", 2.0, 2.0).threads = 2;
  return made;
}

TEST(NextSteps, WaitingForUnevenWorkHasTheRemedyOfThatWork) {
  const auto alone = uneven(false).steps();
  ASSERT_THAT(alone, SizeIs(1));
  EXPECT_EQ(alone[0].code, "waits-imbalance");
  EXPECT_THAT(alone[0].reason, HasSubstr("1.50 times the mean of the flops"));
  EXPECT_NEAR(alone[0].gain_program->high, 10.0 / 7.0, kTolerance);
  const auto beside = uneven(true).steps();
  ASSERT_THAT(beside, SizeIs(1));
  EXPECT_NEAR(beside[0].gain_program->high, 10.0 / 7.0, kTolerance);  // 9 s / 1.5, counted once
  EXPECT_THAT(beside[0].regions, ElementsAre(0U, 1U, 2U));
}

TEST(NextSteps, UnevenWorkIsNamedOnlyWhereItExplainsTheWaiting) {
  Made made = uneven(false);
  EXPECT_EQ(made.steps().at(0).code, "waits-imbalance");
  made.profile.regions[0].time_seconds.self->value = Seconds(1.0);  // spares a third of it
  EXPECT_EQ(made.steps().at(0).code, "waits-serial");
}

TEST(NextSteps, WhereRanksShareTooFewCpusThereAreFewerRanksOrFewerThreadsOfEach) {
  Made made(10.0);
  made.add("f", 9.0).threads = 8;
  made.add_wait("f", 8.0, 8.0).waited_seconds = Seconds(24.0);
  made.profile.machine.topology->threads = 4;
  made.profile.parallel.emplace().measured = 8;
  EXPECT_THAT(made.steps().at(0).reason, HasSubstr("8 ranks share 4 CPUs"));
  EXPECT_EQ(made.steps().at(0).remedy, "at most 4 ranks on this machine");
  made.profile.parallel->measured = 2;
  EXPECT_THAT(made.steps().at(0).reason, HasSubstr("8 threads of 2 ranks share 4 CPUs"));
  EXPECT_EQ(made.steps().at(0).remedy, "OMP_NUM_THREADS=2");
}

TEST(NextSteps, WaitingTellsItsReasonsApart) {
  Made made(10.0);
  made.add("f", 9.0).threads = 8;
  Region& wait = made.add_wait("f", 8.0, 8.0);
  wait.waited_seconds = Seconds(24.0);
  EXPECT_THAT(made.steps().at(0).reason, HasSubstr("busy machine: 75 %"));
  EXPECT_FALSE(made.steps().at(0).gain_program);
  made.profile.machine.topology->threads = 4;
  EXPECT_EQ(made.steps().at(0).remedy, "OMP_NUM_THREADS=4");
  made.profile.machine.topology->threads = 8;
  made.profile.regions[1].waited_seconds.reset();
  EXPECT_THAT(made.steps().at(0).reason, HasSubstr("not known"));
  made.profile.regions[0].thread_work = {{0, 100, 0, 0, {}}, {1, 100, 0, 0, {}}};
  EXPECT_THAT(made.steps().at(0).reason, HasSubstr("equal work"));
}

TEST(NextSteps, TooFewSamplesAskForMoreWork) {
  Made made(10.0);
  made.add("f", 9.0);
  made.prediction.regions[0].verdict = RegionVerdict{VerdictKind::few_samples, {}, {}};
  const auto steps = made.steps();
  ASSERT_THAT(codes(steps), ElementsAre("few-samples"));
  EXPECT_THAT(steps[0].reason, HasSubstr("90 % of the time"));
}

TEST(NextSteps, ARegionBelowItsRoofIsOneWhereNoRuleSaysMore) {
  Made made(10.0);
  made.profile.machine = testing::zen4();
  made.add("f", 8.0);
  RegionPrediction& own = made.prediction.regions[0];
  own.code = Bound{"bandwidth.DRAM.copy.avx512.t1", BoundUnit::flops_per_second, 1e9, 0.25, {}, {}};
  own.gain = 10.0 / 4.0;
  auto steps = made.steps();
  ASSERT_THAT(codes(steps), ElementsAre("below-roof"));
  EXPECT_THAT(steps[0].reason, HasSubstr("25 %"));
  EXPECT_NEAR(steps[0].gain_program->low, 1.0, kTolerance);
  EXPECT_NEAR(steps[0].gain_program->high, 10.0 / 4.0, kTolerance);
  made.profile.regions[0].kind = RegionKind::program;
  EXPECT_THAT(made.steps(), IsEmpty());
  made.profile.regions[0].kind = RegionKind::loop;
  made.found("strided-access", 1.5, 1.5);
  EXPECT_THAT(codes(made.steps()), ElementsAre("strided-access"));
}

TEST(NextSteps, WhatNobodyKnowsComesAfterWhatCanBeDone) {
  Made made(10.0);
  made.profile.machine = testing::zen4();
  made.add("dark", 8.0);
  RegionPrediction& own = made.prediction.regions[0];
  own.code = Bound{"bandwidth.DRAM.copy.avx512.t1", BoundUnit::flops_per_second, 1e9, 0.25, {}, {}};
  own.gain = 10.0 / 4.0;
  made.add("clear", 1.0);
  made.found("strided-access", 2.0, 2.0);
  EXPECT_THAT(codes(made.steps()), ElementsAre("strided-access", "below-roof"));
  // Data in a good order have no remedy in the words of their finding; divisions have.
  Finding finding;
  finding.code = "indirect-access";
  finding.text = "its data lie in a good order already";
  made.prediction.regions[0].findings = {finding};
  EXPECT_THAT(codes(made.steps()), ElementsAre("strided-access", "below-roof"));
  finding.code = "divisions";
  made.prediction.regions[0].findings.push_back(finding);
  const auto steps = made.steps();
  ASSERT_THAT(codes(steps), ElementsAre("below-roof", "strided-access"));
  EXPECT_THAT(steps[0].remedy, HasSubstr("reciprocal"));
}

TEST(NextSteps, PageFaultsSaveTheKernelsTimeWhereverTheyAreSeen) {
  Made made(10.0);
  made.add("program", 10.0, RegionKind::program);
  made.found("page-faults", 1.25, 1.25).evidence = {{"share", 0.2}};
  made.add("outer", 0.0);  // its inner loops are too short to tell apart
  made.found("page-faults", 5.0, 5.0).evidence = {{"share", 0.8}};
  const auto steps = made.steps();
  ASSERT_THAT(codes(steps), ElementsAre("page-faults"));
  EXPECT_NEAR(steps[0].gain_program->high, 1.25, kTolerance);
  EXPECT_THAT(steps[0].reason, HasSubstr("20 %"));
}

TEST(NextSteps, NoneWithoutTimeOrGain) {
  EXPECT_THAT(next_steps({}, {}), IsEmpty());
  Made made(10.0);
  made.add("f", 1.0);
  made.found("strided-access", 1.0, 1.4);  // 0.29 s at most: below 1.05
  EXPECT_THAT(made.steps(), IsEmpty());
}

/// Without a model there is no gain, and so no step.
bool can_gain(std::string_view code) {
  constexpr std::array<std::string_view, 6> kNever{"above-roof",       "library-math",
                                                   "opaque-calls",     "small-function",
                                                   "needs-last-level", "at-roof"};
  return std::find(kNever.begin(), kNever.end(), code) == kNever.end();
}

// A rule that may give a gain and has no words of its own would repeat its long sentence.
TEST(StepWords, EveryRuleWithAGainHasARemedy) {
  for (const auto& rule : testing::rule_cases()) {
    testing::Case example;
    rule.fires(example);
    const Finding* finding = example.find(rule.code);
    ASSERT_NE(finding, nullptr) << rule.code;
    const StepWords words = step_words(*finding, example.loop());
    EXPECT_EQ(words.remedy.empty(), !can_gain(rule.code)) << rule.code;
    if (can_gain(rule.code)) {
      EXPECT_LE(words.reason.size(), 76U) << words.reason;
      EXPECT_LE(words.remedy.size(), 90U) << words.remedy;
    }
  }
}

Made random_made(std::mt19937_64& random) {
  const auto real = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  Made made(real(1.0, 20.0));
  const std::array<const char*, 5> rules{"narrow-vectors", "strided-access", "load-imbalance",
                                         "unfused-multiply-add", "page-faults"};
  for (int i = 0; i < 20; ++i) {
    made.add(fmt::format("f{}", random() % 6), real(0.0, 5.0)).threads = 1 + random() % 4;
    for (const char* rule : rules) {
      if (random() % 3 == 0) {
        const double least = real(1.0, 3.0);
        made.found(rule, least, least * real(1.0, 3.0));
      }
    }
    if (random() % 4 == 0) {
      made.add_wait(fmt::format("f{}", random() % 6), real(0.0, 5.0), real(0.0, 20.0));
    }
  }
  return made;
}

TEST(NextSteps, NeverSaveMoreThanTheProgramTakesAndNameEachRemedyOnce) {
  std::mt19937_64 random(22);
  std::size_t seen = 0;
  for (int round = 0; round < 300; ++round) {
    const Made made = random_made(random);
    const auto steps = made.steps();
    ASSERT_LE(steps.size(), kMostNextSteps);
    const double seconds = made.profile.program.wall_seconds.value();
    double before = seconds;
    double sum = 0.0;
    std::set<std::pair<std::string, std::string>> remedies;
    for (const NextStep& step : steps) {
      ASSERT_TRUE(step.gain_program);
      EXPECT_GE(step.gain_program->low, 1.0);
      EXPECT_LE(step.gain_program->low, step.gain_program->high);
      EXPECT_GE(step.gain_program->high, kWorthwhileGain);
      const double saved =
          seconds - (seconds / step.gain_program->low + seconds / step.gain_program->high) / 2.0;
      EXPECT_LE(saved, before + kTolerance);
      before = saved;
      sum += saved;
      const std::string function = made.profile.regions.at(step.regions.at(0)).function;
      EXPECT_TRUE(remedies.emplace(step.remedy, step.remedy[0] == '-' ? "" : function).second);
      ++seen;
    }
    EXPECT_LE(sum, seconds * (1.0 + kTolerance));
  }
  EXPECT_GT(seen, 900U);  // the property was tried
}

}  // namespace

void next_step_sentences(tests::Sentences& sentences) {
  for (const auto& rule : testing::rule_cases()) {
    testing::Case example;
    rule.fires(example);
    const Finding* finding = example.find(rule.code);
    if (finding != nullptr && can_gain(rule.code)) {
      const StepWords words = step_words(*finding, example.loop());
      sentences.add(fmt::format("{} as a next step", rule.code),
                    fmt::format("{}; {}", words.reason, words.remedy));
    }
  }
  const auto add = [&](const std::string& name, const Made& made) {
    std::string text;
    for (const NextStep& step : made.steps()) {
      text += fmt::format("{}{}: {}; {}", text.empty() ? "" : "\n", step.where, step.reason,
                          step.remedy);
    }
    sentences.add(name, text);
  };
  add("waiting for uneven work", uneven(true));
  Made made(10.0);
  made.add("f", 9.0).threads = 8;
  made.add_wait("f", 8.0, 8.0).waited_seconds = Seconds(24.0);
  add("waiting on a busy machine", made);
  made.profile.machine.topology->threads = 4;
  add("waiting of more threads than CPUs", made);
  made.profile.machine.topology->threads = 8;
  made.profile.regions[1].waited_seconds.reset();
  add("waiting of which nothing is known", made);
  made.profile.regions[0].thread_work = {{0, 100, 0, 0, {}}, {1, 100, 0, 0, {}}};
  add("waiting of threads with equal work", made);
}

}  // namespace ridge::predict
