// Why threads wait, in words and as next steps, where a profile has the causes.
#include "predict/findings/waiting_words.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/findings/made_for_tests.hpp"
#include "predict/sentences_for_tests.hpp"

namespace ridge::predict {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::Made;
using ::testing::Not;
using ::testing::SizeIs;

constexpr double kTolerance = 1e-9;

/// A loop of four threads of which three wait for the last, and what they wait in.
Made waited_for(const WaitCauses& causes, WaitKind kind = WaitKind::join) {
  Made made(10.0);
  Region& loop = made.add("f", 8.0);
  loop.threads = 4;
  loop.share_seconds = Seconds(8.0);
  loop.caused_wait_seconds = Seconds(12.0);
  Region& wait = made.add("f", 6.0, RegionKind::library);
  wait.wait = kind;
  wait.name = "waits at the end of f";
  wait.wait_causes = causes;
  return made;
}

TEST(WaitingWords, TheCauseWithMostSecondsIsTheReason) {
  const Seconds much(8.0);
  const Seconds some(2.0);
  const Seconds none(0.0);
  const auto step_of = [](const WaitCauses& causes, WaitKind kind = WaitKind::join) {
    return waited_for(causes, kind).steps().at(0);
  };
  const NextStep uneven = step_of({much, some, none, none, some});
  EXPECT_EQ(uneven.code, "waits-imbalance");
  EXPECT_THAT(uneven.reason, HasSubstr("67 %"));
  EXPECT_NEAR(uneven.gain_program->high, 10.0 / 7.5, kTolerance) << "uneven and serial over four";
  EXPECT_EQ(step_of({some, much, none, none, none}).code, "waits-serial");
  EXPECT_EQ(step_of({some, much, none, none, none}, WaitKind::lock).code, "waits-lock");
  EXPECT_EQ(step_of({some, none, none, much, none}).code, "waits-busy");
  EXPECT_FALSE(step_of({some, none, none, much, none}).gain_program);
  EXPECT_EQ(step_of({some, none, much, none, none}).code, "waits-oversubscribed");
  EXPECT_EQ(step_of({some, none, none, none, much}).code, "waits-unknown");
}

TEST(WaitingWords, AWaitingRegionSaysAllCausesAndForWhom) {
  const Made made = waited_for({Seconds(9.0), Seconds(0.0), Seconds(0.0), Seconds(3.0), {}});
  const Finding finding = waiting_finding(made.profile.regions[1], made.profile);
  EXPECT_EQ(finding.evidence.at("imbalance_seconds"), 9.0);
  EXPECT_EQ(finding.evidence.at("busy_seconds"), 3.0);
  EXPECT_EQ(finding.evidence.at("unexplained_seconds"), 0.0);
  EXPECT_THAT(finding.text, HasSubstr("uneven work 75 %, a busy machine 25 %"));
  EXPECT_THAT(finding.text, HasSubstr("most of it for f"));
}

/// A function may have several parallel regions: that of the waiting begins at its line.
TEST(WaitingWords, ItIsTheParallelRegionOfTheWaitingThatIsNamed) {
  Made made = waited_for({Seconds(9.0), Seconds(0.0), Seconds(0.0), Seconds(3.0), {}});
  Region& waiting = made.profile.regions[1];
  waiting.line = 99;
  EXPECT_THAT(waiting_finding(waiting, made.profile).text, Not(HasSubstr("most of it")))
      << "no body of that line is known";
  Region& body = made.add("f", 0.0, RegionKind::function);
  body.line = 99;
  made.profile.regions[0].parent = body.id;
  EXPECT_THAT(waiting_finding(made.profile.regions[1], made.profile).text,
              HasSubstr("most of it for f"));
}

TEST(WaitingWords, SharesOfTheWallTimeAreWhatAStepCanSave) {
  Made made(10.0);
  for (const char* function : {"a", "b"}) {
    Region& region = made.add(function, 9.0);  // at the same time
    region.threads = 2;
    region.share_seconds = Seconds(5.0);
    made.found("strided-access", 2.0, 2.0);
  }
  const auto steps = made.steps();
  ASSERT_THAT(steps, SizeIs(2));
  EXPECT_NEAR(steps[0].gain_program->high, 10.0 / 7.5, kTolerance);
  EXPECT_FALSE(steps[0].assumes) << "nothing was scaled";
}

TEST(WaitingWords, ASerialPartAndTheWaitingForItAreOneStep) {
  Made made = waited_for({Seconds(0.0), Seconds(12.0), Seconds(0.0), Seconds(0.0), Seconds(0.0)});
  made.prediction.regions[1].findings.clear();
  Finding finding;
  finding.code = "serial-part";
  finding.gain = 4.0;
  finding.gain_least = 1.0;
  finding.evidence = {{"waiting_threads", 3.0}};
  made.prediction.regions[0].findings = {finding};
  const auto steps = made.steps();
  ASSERT_THAT(steps, SizeIs(1));
  EXPECT_EQ(steps[0].code, "serial-part");
  EXPECT_NEAR(steps[0].gain_program->high, 10.0 / 4.0, kTolerance);  // 8 s to 2 s
  EXPECT_THAT(steps[0].regions, ElementsAre(0U, 1U));
}

}  // namespace

void waiting_sentences(tests::Sentences& sentences) {
  const auto add_causes = [&](const std::string& name, const WaitCauses& causes,
                              WaitKind kind = WaitKind::join) {
    const Made waits = waited_for(causes, kind);
    const NextStep step = waits.steps().at(0);
    sentences.add(name, step.reason + "; " + step.remedy);
    sentences.add(name + ", in full",
                  waiting_finding(waits.profile.regions[1], waits.profile).text);
  };
  const Seconds most(6.0);
  const Seconds some(3.0);
  const Seconds few(1.0);
  add_causes("causes of waiting, most of it uneven work", {most, few, few, some, few});
  add_causes("causes of waiting, most of it one thread alone", {few, most, few, few, few});
  add_causes("causes of waiting, a lock", {few, most, few, few, few}, WaitKind::lock);
  add_causes("causes of waiting, most of it too few CPUs", {few, few, most, few, few});
  add_causes("causes of waiting, most of it a busy machine", {few, few, few, most, few});
  add_causes("causes of waiting, most of it unexplained", {few, few, few, few, most});
}

}  // namespace ridge::predict
