#include "predict/findings/verdict.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/findings/finding_case.hpp"
#include "predict/roof/judged_time.hpp"
#include "predict/roof/program_time.hpp"
#include "predict/sentences_for_tests.hpp"

namespace ridge::predict {
namespace {

using namespace testing;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

Prediction predicted(Case& example) {
  return predict(example.profile, &example.cpu);
}

RegionVerdict verdict(Case& example) {
  return predicted(example).regions.at(1).verdict.value();
}

/// A stencil that lives in memory: 40 % of the DRAM roof, 2.5 % of that of L1.
void stencil(Case& c) {
  c.loop().traffic.clear();
  c.profile.program.wall_seconds = Seconds(kTen);
  work_of(c.loop()).add(Precision::fp64, OperationKind::add, 256, 10000 * kMega);
  c.loop().bytes_loaded = 50000 * kMega;
  c.loop().bytes_stored = 10000 * kMega;
  c.loop().traffic["L1"] = {*c.loop().bytes_loaded, *c.loop().bytes_stored};
  c.loop().accesses = {{AccessPattern::unit, false, {}, 50000 * kMega},
                       {AccessPattern::unit, true, {}, 10000 * kMega}};
}

TEST(Verdict, NamesWhatBinds) {
  Case example;
  stencil(example);
  example.reads("DRAM", 160e9);
  EXPECT_EQ(verdict(example).kind, VerdictKind::bandwidth);
  EXPECT_EQ(verdict(example).resource, "DRAM");
  EXPECT_NEAR(predicted(example).regions.at(1).code->fraction.value(), 0.4, 1e-6);
  Case horner;
  work_of(horner.loop()).add(Precision::fp64, OperationKind::fma, 512, 320000 * kMega);
  EXPECT_EQ(verdict(horner).kind, VerdictKind::arithmetic);
}

TEST(Verdict, IsWithheldWhereTrafficIsUnknownAndMayBind) {
  Case example;
  stencil(example);
  const Prediction prediction = predicted(example);
  const RegionPrediction& loop = prediction.regions.at(1);
  ASSERT_TRUE(loop.verdict);
  EXPECT_EQ(loop.verdict->kind, VerdictKind::no_traffic);
  EXPECT_TRUE(is_withheld(loop.verdict->kind));
  EXPECT_THAT(loop.verdict->text, HasSubstr("a run without --no-traffic"));
  EXPECT_FALSE(loop.code);
  EXPECT_FALSE(loop.machine);
  EXPECT_FALSE(loop.gain);
  EXPECT_THAT(prediction.summary, AllOf(HasSubstr("is not known"), HasSubstr("--no-traffic"),
                                        Not(HasSubstr("faster")), Not(HasSubstr("try"))));
}

void stencil_of_different_runs(Case& c) {
  stencil(c);
  c.loop().notes.push_back({"traffic-dropped", "the two runs differ too much here"});
}

TEST(Verdict, SaysWhenTheRunsDidDifferentWork) {
  Case example;
  stencil_of_different_runs(example);
  const Prediction prediction = predicted(example);
  const RegionPrediction& loop = prediction.regions.at(1);
  EXPECT_EQ(loop.verdict.value().kind, VerdictKind::no_traffic);
  for (const std::string& text : {loop.verdict->text, prediction.summary}) {
    EXPECT_THAT(text, AllOf(HasSubstr(std::string(what_tells_traffic(example.loop()))),
                            HasSubstr("fixed"), Not(HasSubstr("--no-traffic"))));
  }
}

/// Counted ahead of its loop: several times the roof.
void cut_midway(Case& c) {
  work_of(c.loop()).add(Precision::fp64, OperationKind::fma, 512, 3200000 * kMega);
  c.loop().partial = true;
}

TEST(Verdict, IsWithheldWhereTheProgramWasCut) {
  Case example;
  cut_midway(example);
  const Prediction prediction = predicted(example);
  const RegionPrediction& loop = prediction.regions.at(1);
  EXPECT_EQ(loop.verdict.value().kind, VerdictKind::partial);
  EXPECT_FALSE(loop.code);
  EXPECT_FALSE(loop.gain);
  EXPECT_FALSE(performance(example.loop()));
  EXPECT_THAT(prediction.summary, AllOf(HasSubstr("cut midway"), Not(HasSubstr("roof"))));
}

void scalar_without_traffic(Case& c) {
  stencil(c);
  c.loop().flops = {};
  work_of(c.loop()).add(Precision::fp64, OperationKind::add, 64, 40000 * kMega);
  c.loop().accesses.front().pattern = AccessPattern::unknown;
}

TEST(Verdict, WithoutTrafficThereAreNoGains) {
  Case example;
  scalar_without_traffic(example);
  const Finding* finding = example.find("scalar-flops");
  ASSERT_NE(finding, nullptr);
  EXPECT_FALSE(finding->gain);
  EXPECT_THAT(finding->gain_note.value(), HasSubstr("traffic"));
  for (const Level level : {Level::L2, Level::L3, Level::DRAM}) {
    example.reads(level, 0.0);
  }
  EXPECT_TRUE(example.find("scalar-flops")->gain);
}

TEST(Verdict, StandsWithoutTrafficThatCouldNotBind) {
  // 160 flop for each byte, in arrays that are walked through once: at most twice what is asked for
  // crosses, 0.07 s beside 4 s of arithmetic.
  Case horner;
  horner.loop().traffic.clear();
  work_of(horner.loop()).add(Precision::fp64, OperationKind::fma, 256, 256000 * kMega);
  horner.loop().bytes_loaded = 800 * kMega;
  horner.loop().bytes_stored = 800 * kMega;
  horner.loop().accesses = {{AccessPattern::unit, false, {}, 800 * kMega},
                            {AccessPattern::unit, true, {}, 800 * kMega}};
  EXPECT_EQ(verdict(horner).kind, VerdictKind::arithmetic);
  EXPECT_TRUE(predicted(horner).regions.at(1).gain);
  // Below its roof, memory may be what it waits for where addresses are computed ...
  horner.loop().accesses.front().pattern = AccessPattern::indirect;
  EXPECT_EQ(verdict(horner).kind, VerdictKind::no_traffic);
  // ... or where each entry ends within a few lines.
  horner.loop().accesses.front().pattern = AccessPattern::unit;
  EXPECT_EQ(verdict(horner).kind, VerdictKind::arithmetic);
  horner.loop().entries = 100 * kMega;
  EXPECT_EQ(verdict(horner).kind, VerdictKind::no_traffic);
}

TEST(Verdict, AtItsRoofNoTrafficIsNeeded) {
  Case example;
  stencil(example);
  example.loop().bytes_loaded = 2560000 * kMega;  // all of the 10 s
  EXPECT_EQ(verdict(example).kind, VerdictKind::bandwidth);
  EXPECT_EQ(verdict(example).resource, "L1");
}

TEST(Verdict, NeedsSamples) {
  Case example;
  example.reads("DRAM", 160e9);
  example.samples(19);
  EXPECT_EQ(verdict(example).kind, VerdictKind::few_samples);
  example.samples(20);
  EXPECT_EQ(verdict(example).kind, VerdictKind::bandwidth);
  example.samples(0);  // measured as a whole, by another tool
  EXPECT_EQ(verdict(example).kind, VerdictKind::bandwidth);
  example.loop().time_seconds.self.reset();
  EXPECT_FALSE(predicted(example).regions.at(1).verdict);
}

TEST(Verdict, WhereNoThreadRunsNothingIsSaidOfLatency) {
  Case example;
  example.reads("DRAM", 40e9);  // 10 %
  EXPECT_EQ(verdict(example).kind, VerdictKind::latency);
  EXPECT_NEAR(predicted(example).regions.at(1).code->fraction.value(), 0.1, 1e-6);
  EXPECT_THAT(verdict(example).text, HasSubstr("10 % of its DRAM roof"));
  example.loop().cpu_seconds.self->value = Seconds(4.9);
  EXPECT_EQ(verdict(example).kind, VerdictKind::blocked);
  EXPECT_THAT(verdict(example).text, HasSubstr("51 %"));
  EXPECT_FALSE(predicted(example).regions.at(1).gain);
}

/// Half of its roof, and for half of its time its threads sleep.
void sleeps(Case& c) {
  c.reads("DRAM", 200e9);
  c.loop().asleep_seconds = Seconds(kTen / 2.0);
}

TEST(Verdict, SleepHasNoRoof) {
  Case example;
  sleeps(example);
  example.loop().asleep_seconds = Seconds(4.99);
  EXPECT_EQ(verdict(example).kind, VerdictKind::bandwidth);
  sleeps(example);
  const Prediction prediction = predicted(example);
  const RegionPrediction& loop = prediction.regions.at(1);
  EXPECT_EQ(loop.verdict.value().kind, VerdictKind::asleep);
  EXPECT_FALSE(is_withheld(loop.verdict->kind));
  EXPECT_THAT(loop.verdict->text, AllOf(HasSubstr("sleep"), HasSubstr("50 %")));
  EXPECT_FALSE(loop.code);
  EXPECT_FALSE(loop.machine);
  EXPECT_FALSE(loop.gain);
  EXPECT_THAT(prediction.verdict, AllOf(HasSubstr("asleep"), Not(HasSubstr("bound by"))));
}

TEST(Verdict, SleepIsSeenInFewLooks) {
  Case example;
  sleeps(example);
  example.samples(3);
  EXPECT_EQ(verdict(example).kind, VerdictKind::asleep);
  example.loop().partial = true;
  EXPECT_EQ(verdict(example).kind, VerdictKind::asleep) << "whatever its counts are";
}

void in_the_kernel(Case& c) {
  c.reads("DRAM", 200e9);
  c.loop().kernel_seconds = Seconds(kTen / 2.0);
}

TEST(Verdict, TheKernelHasNoRoof) {
  Case example;
  in_the_kernel(example);
  example.loop().kernel_seconds = Seconds(4.99);
  EXPECT_EQ(verdict(example).kind, VerdictKind::bandwidth);
  in_the_kernel(example);
  const Prediction prediction = predicted(example);
  const RegionPrediction& loop = prediction.regions.at(1);
  EXPECT_EQ(loop.verdict.value().kind, VerdictKind::kernel);
  EXPECT_THAT(loop.verdict->text, AllOf(HasSubstr("kernel"), HasSubstr("50 %")));
  EXPECT_FALSE(loop.code);
  EXPECT_FALSE(loop.gain);
  EXPECT_THAT(prediction.verdict, AllOf(HasSubstr("kernel"), Not(HasSubstr("bound by"))));
  example.loop().cpu_seconds.self->samples = 19;
  EXPECT_EQ(verdict(example).kind, VerdictKind::bandwidth) << "too few samples of CPU time";
}

TEST(Verdict, SleepAndKernelAreNamedBesideWhatTakesMore) {
  Case example;
  example.reads("DRAM", 200e9);
  example.loop().share_seconds = Seconds(6.0);
  example.function().share_seconds = Seconds(4.0);
  took(example.function(), 4.0);
  example.profile.program.wall_seconds = Seconds(kTen);
  example.function().asleep_seconds = Seconds(4.0);
  EXPECT_THAT(predicted(example).verdict,
              AllOf(HasSubstr("60 % of the time is bound by DRAM"), HasSubstr("40 %"),
                    HasSubstr("asleep (most of it in f)")));
}

TEST(Verdict, WhatSleepsGainsNothingFromItsRoof) {
  Case example;
  scalar_without_traffic(example);
  for (const Level level : {Level::L2, Level::L3, Level::DRAM}) {
    example.reads(level, 0.0);
  }
  EXPECT_TRUE(example.find("scalar-flops")->gain);
  example.loop().asleep_seconds = Seconds(kTen);
  EXPECT_FALSE(example.find("scalar-flops")->gain);
  EXPECT_THAT(example.find("scalar-flops")->gain_note.value(), HasSubstr("asleep"));
}

/// Much below its roof.
void slow(Case& c) {
  c.loop().iterations = 10 * kMega;
  work_of(c.loop()).add(Precision::fp64, OperationKind::fma, 256, 16000 * kMega);
}

TEST(Verdict, CallsThatAreNotCountedAreNoLatency) {
  Case example;
  slow(example);
  EXPECT_EQ(verdict(example).kind, VerdictKind::latency);
  example.loop().calls = {{"exp", 20 * kMega}};
  EXPECT_EQ(verdict(example).kind, VerdictKind::calls);
  EXPECT_THAT(verdict(example).text, HasSubstr(" exp "));
  EXPECT_FALSE(predicted(example).regions.at(1).gain);
}

// Three regions of 10 s in a program of 12 s: they ran at the same time, and each had a CPU for
// half of its own.
TEST(ProgramTime, RegionsAtTheSameTimeWaitAtTheSameTime) {
  Profile profile;
  profile.program.wall_seconds = Seconds(12.0);
  Region region = region_named("loop");
  took(region, kTen);
  region.cpu_seconds.self = SampledTime{Seconds(5.0), Seconds(5.0), Seconds(5.0), 500};
  region.waited_seconds = Seconds(5.0);
  profile.regions = {region, region, region};
  EXPECT_DOUBLE_EQ(undisturbed_seconds(profile), 6.0);
}

/// 80 % of the arithmetic roof in 2 s of CPU time; others had the CPU for 8 s.
void busy(Case& c) {
  c.profile.program.wall_seconds = Seconds(kTen);
  work_of(c.loop()).add(Precision::fp64, OperationKind::fma, 256, 102400 * kMega);
  c.loop().cpu_seconds.self = SampledTime{Seconds(2.0), Seconds(1.9), Seconds(2.1), 500};
  c.loop().waited_seconds = Seconds(8.0);
  Region program = region_named("program");
  program.kind = RegionKind::program;
  program.id = 3;
  program.cpu_seconds.self = c.loop().cpu_seconds.self;
  program.waited_seconds = c.loop().waited_seconds;
  c.profile.regions.push_back(program);
}

TEST(Busy, VerdictsGoByCpuTime) {
  Case example;
  busy(example);
  const Prediction prediction = predicted(example);
  const RegionPrediction& loop = prediction.regions.at(1);
  EXPECT_EQ(loop.verdict->kind, VerdictKind::arithmetic);
  EXPECT_TRUE(loop.verdict->by_cpu_time);
  EXPECT_THAT(loop.verdict->text, AllOf(HasSubstr("AVX2 FMA"), HasSubstr("CPU time")));
  EXPECT_NEAR(loop.code->fraction.value(), 0.8, 1e-6);
  EXPECT_TRUE(has_note(loop, "cpu-time"));
  EXPECT_NEAR(loop.gain.value(), 1.25, 1e-6);  // of the 2 s that an idle machine takes
  EXPECT_THAT(prediction.summary,
              AllOf(HasSubstr("busy"), HasSubstr("waited 80 %"), HasSubstr("bound by arithmetic"),
                    Not(HasSubstr("far below"))));
}

TEST(Busy, TheEdgeIsOneInTwenty) {
  Case example;
  busy(example);
  example.loop().waited_seconds = Seconds(0.106);
  EXPECT_TRUE(verdict(example).by_cpu_time);
  example.loop().waited_seconds = Seconds(0.1);
  EXPECT_FALSE(verdict(example).by_cpu_time);
  example.loop().waited_seconds.reset();
  EXPECT_FALSE(verdict(example).by_cpu_time);
}

TEST(Busy, OfSeveralThreadsTheBusiestCounts) {
  Case example;
  busy(example);
  Region& loop = example.loop();
  loop.threads = 2;
  loop.cpu_seconds.self->value = Seconds(4.0);
  EXPECT_DOUBLE_EQ(judged_seconds(loop), 2.0);
  const auto sampled = [](double seconds) {
    return SampledTime{Seconds(seconds), Seconds(seconds), Seconds(seconds), 100};
  };
  loop.thread_work = {{0, 0, 0, 0, sampled(3.0)}, {1, 0, 0, 0, sampled(1.0)}};
  EXPECT_DOUBLE_EQ(judged_seconds(loop), 3.0);
}

TEST(Busy, WhatWasBlockedIsNotBusy) {
  Case example;
  busy(example);
  example.loop().waited_seconds = Seconds(0.0);
  EXPECT_EQ(verdict(example).kind, VerdictKind::blocked);
  EXPECT_FALSE(verdict(example).by_cpu_time);
}

TEST(Busy, GainsOfFindingsGoByCpuTimeToo) {
  Case example;
  busy(example);
  example.loop().flops = {};
  work_of(example.loop())
      .add(Precision::fp64, OperationKind::add, 64, 14400 * kMega);  // 1.8 of 2 s
  const Finding* finding = example.find("scalar-flops");
  ASSERT_NE(finding, nullptr);
  EXPECT_NEAR(finding->gain.value(), 4.0, 1e-6);
  EXPECT_NEAR(finding->gain_program.value(), 4.0, 1e-6);
}

}  // namespace

void verdict_sentences(tests::Sentences& sentences) {
  const auto add = [&](const std::string& what, const auto& change) {
    Case example;
    change(example);
    const Prediction prediction = predicted(example);
    sentences.add("verdict: " + what, prediction.regions.at(1).verdict.value().text);
    sentences.add("summary: " + what, prediction.summary);
  };
  add("a level binds", [](Case& c) {
    stencil(c);
    c.reads("DRAM", 160e9);
  });
  add("arithmetic binds", [](Case& c) {
    work_of(c.loop()).add(Precision::fp64, OperationKind::fma, 512, 320000 * kMega);
  });
  add("the traffic is not known", stencil);
  add("the runs did different work", stencil_of_different_runs);
  add("cut midway", cut_midway);
  add("19 samples", [](Case& c) {
    c.reads("DRAM", 160e9);
    c.samples(19);
  });
  add("far below every roof", [](Case& c) { c.reads("DRAM", 40e9); });
  add("no thread runs", [](Case& c) {
    c.reads("DRAM", 40e9);
    c.loop().cpu_seconds.self->value = Seconds(4.9);
  });
  add("its threads sleep", sleeps);
  add("in the kernel", in_the_kernel);
  add("calls that are not counted", [](Case& c) {
    slow(c);
    c.loop().calls = {{"exp", 20 * kMega}};
  });
  add("a busy machine", busy);
  Case scalar;
  scalar_without_traffic(scalar);
  sentences.add("no gain: the traffic is not known",
                scalar.find("scalar-flops")->gain_note.value());
}

}  // namespace ridge::predict
