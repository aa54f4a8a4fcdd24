#include "predict/compare/compare.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/compare/figures.hpp"
#include "predict/compare/profiles_for_tests.hpp"
#include "predict/compare/words.hpp"
#include "predict/findings/predict.hpp"
#include "predict/sentences_for_tests.hpp"

namespace ridge::predict {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::ProfileBuilder;
using ::testing::StartsWith;

struct Evaluated {
  Profile profile;
  Prediction prediction;
};

Comparison compare_profiles(const std::vector<Profile>& profiles) {
  std::vector<Evaluated> evaluated;
  std::vector<ResultToCompare> results;
  evaluated.reserve(profiles.size());
  for (const Profile& profile : profiles) {
    evaluated.push_back({profile, predict(profile, nullptr)});
    results.push_back({std::string(1, static_cast<char>('A' + results.size())),
                       &evaluated.back().profile, &evaluated.back().prediction});
  }
  return compare(results);
}

/// A sweep that streams from memory in `seconds`, with `dram` bytes.
ProfileBuilder sweep(double seconds, std::uint64_t dram = 40'000'000'000) {
  ProfileBuilder builder;
  const auto f = builder.function("sweep", 10);
  const auto l = builder.loop(f, "sweep", 12, 10'000'000'000);
  builder[l].traffic["DRAM"] = {dram, 0};
  builder.took(l, seconds * 0.9);
  builder.took(seconds);
  return builder;
}
constexpr std::uint32_t kLoop = 2;

const Change& change(const Comparison& comparison, std::string_view quantity,
                     std::size_t step = 0) {
  for (const ComparedLoop& loop : comparison.loops) {
    if (loop.kind == RegionKind::loop) {
      const Change* found = find_change(*find_step(loop, step), quantity);
      EXPECT_NE(found, nullptr) << quantity;
      return *found;
    }
  }
  throw std::runtime_error("no loop");
}

TEST(Compare, AResultEqualsItself) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    const Profile profile = testing::random_profile(seed);
    const Comparison comparison = compare_profiles({profile, profile});
    std::size_t regions = 1;
    for (const ComparedLoop& loop : comparison.loops) {
      regions += loop.places.size() == 2 ? 1 : 0;
      ASSERT_EQ(loop.steps.size(), 1U);
      for (const Change& change : loop.steps[0].changes) {
        EXPECT_EQ(change.verdict, Verdict::same) << change.quantity;
      }
    }
    EXPECT_EQ(regions, profile.regions.size());
    EXPECT_THAT(comparison.summary, StartsWith("as fast within 5 %"));
    EXPECT_THAT(comparison.summary, Not(HasSubstr("new")));
  }
}

TEST(Compare, OrderOfRegionsDoesNotMatter) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    const Profile a = testing::random_profile(seed);
    const Profile b = testing::random_profile(seed + 1);
    EXPECT_EQ(compare_profiles({a, b}),
              compare_profiles({testing::shuffled(a, 1), testing::shuffled(b, 2)}));
  }
}

TEST(Compare, RatiosAreThoseOfTheValues) {
  const Comparison comparison =
      compare_profiles({sweep(2.0).profile, sweep(1.0, 20'000'000'000).profile});
  EXPECT_DOUBLE_EQ(*change(comparison, "time").ratio, 0.5);
  EXPECT_DOUBLE_EQ(*change(comparison, "traffic.DRAM").ratio, 0.5);
  EXPECT_DOUBLE_EQ(*change(comparison, "intensity.DRAM").ratio, 2.0);
  EXPECT_DOUBLE_EQ(*change(comparison, "performance").ratio, 2.0);
  EXPECT_DOUBLE_EQ(*change(comparison, "bandwidth.DRAM").ratio, 1.0);
  EXPECT_EQ(change(comparison, "flops").verdict, Verdict::same);
  EXPECT_EQ(change(comparison, "time").verdict, Verdict::changed);
}

TEST(Compare, TimesChangeWhenTheirIntervalsAreApart) {
  // 0.9 s +- 5 % against 0.96 s +- 5 %: [0.855, 0.945] and [0.912, 1.008] overlap.
  EXPECT_EQ(
      change(compare_profiles({sweep(1.0).profile, sweep(0.96 / 0.9).profile}), "time").verdict,
      Verdict::within_spread);
  // Against 1.0 s +- 5 %: [0.95, 1.05].
  EXPECT_EQ(
      change(compare_profiles({sweep(1.0).profile, sweep(1.0 / 0.9).profile}), "time").verdict,
      Verdict::changed);
}

TEST(Compare, OneMeasurementHasNoSpread) {
  ProfileBuilder a = sweep(1.0);
  ProfileBuilder b = sweep(2.0);
  const Comparison comparison = compare_profiles({a.profile, b.profile});
  EXPECT_EQ(find_change(comparison.program->steps[0], "time")->verdict, Verdict::one_run);
}

TEST(Compare, OneFlopIsAChange) {
  ProfileBuilder b = sweep(1.0);
  work_of(b[kLoop]).terms[0].flops += 1;
  const Comparison comparison = compare_profiles({sweep(1.0).profile, b.profile});
  EXPECT_EQ(change(comparison, "flops").verdict, Verdict::changed);
  EXPECT_EQ(change(comparison, "bytes").verdict, Verdict::same);
}

TEST(Compare, CountsDifferBeyondTheRangeOfDoubles) {
  constexpr std::uint64_t kHuge = 9007199254740992ULL;  // 2^53
  ProfileBuilder a = sweep(1.0);
  ProfileBuilder b = sweep(1.0);
  work_of(a[kLoop]).terms[0].flops = kHuge;
  work_of(b[kLoop]).terms[0].flops = kHuge + 1;
  EXPECT_EQ(change(compare_profiles({a.profile, b.profile}), "flops").verdict, Verdict::changed);
}

TEST(Compare, SampledTrafficHasASpread) {
  const auto verdict = [](std::uint64_t after) {
    ProfileBuilder a = sweep(1.0, 100'000'000);
    ProfileBuilder b = sweep(1.0, after);
    a[kLoop].traffic_mode = TrafficMode::sampled;
    b[kLoop].traffic_mode = TrafficMode::sampled;
    return change(compare_profiles({a.profile, b.profile}), "traffic.DRAM").verdict;
  };
  EXPECT_EQ(verdict(103'000'000), Verdict::within_spread);  // 2 % each
  EXPECT_EQ(verdict(105'000'000), Verdict::changed);
  EXPECT_EQ(verdict(100'000'000), Verdict::same);
}

TEST(Compare, ExactTrafficHasNone) {
  EXPECT_EQ(
      change(compare_profiles({sweep(1.0, 100).profile, sweep(1.0, 101).profile}), "traffic.DRAM")
          .verdict,
      Verdict::changed);
}

TEST(Compare, AtTheEdgeOfTheLastLevelTheSpreadIsThatOfHalfOfIt) {
  const auto verdict = [](std::uint64_t after) {
    ProfileBuilder a = sweep(1.0, 100'000'000);
    a[kLoop].traffic_at_share["1/2"] = {200'000'000, 0};  // up to twice, down to half
    return change(compare_profiles({a.profile, sweep(1.0, after).profile}), "traffic.DRAM").verdict;
  };
  EXPECT_EQ(verdict(190'000'000), Verdict::within_spread);
  EXPECT_EQ(verdict(51'000'000), Verdict::within_spread);
  EXPECT_EQ(verdict(49'000'000), Verdict::changed);
  EXPECT_EQ(verdict(201'000'000), Verdict::changed);
}

TEST(Compare, TrafficThatDependsOnTheOrderOfThreadsIsAnInterval) {
  const auto verdict = [](std::uint64_t after, std::uint64_t low, std::uint64_t high) {
    ProfileBuilder a = sweep(1.0, 100'000'000);
    ProfileBuilder b = sweep(1.0, after);
    a[kLoop].traffic_interval["DRAM"] = {95'000'000, 110'000'000};
    b[kLoop].traffic_interval["DRAM"] = {low, high};
    return change(compare_profiles({a.profile, b.profile}), "traffic.DRAM").verdict;
  };
  EXPECT_EQ(verdict(112'000'000, 109'000'000, 120'000'000), Verdict::within_spread);
  EXPECT_EQ(verdict(115'000'000, 111'000'000, 120'000'000), Verdict::changed);
  EXPECT_EQ(verdict(111'000'000, 111'000'000, 111'000'000), Verdict::changed);
  EXPECT_EQ(verdict(109'000'000, 109'000'000, 109'000'000), Verdict::within_spread);
}

TEST(Compare, IntervalsOfOrderAndOfSamplingAddUp) {
  ProfileBuilder b = sweep(1.0, 100'000'000);
  b[kLoop].traffic_mode = TrafficMode::sampled;
  b[kLoop].traffic_interval["DRAM"] = {99'000'000, 130'000'000};
  const Comparison comparison = compare_profiles({sweep(1.0).profile, b.profile});
  const auto& after = change(comparison, "traffic.DRAM").after;
  EXPECT_DOUBLE_EQ(*after->low, 98'000'000);
  EXPECT_DOUBLE_EQ(*after->high, 130'000'000);
}

TEST(Compare, TrafficThatTheSimulationDoesNotVouchForIsDoubtful) {
  ProfileBuilder b = sweep(1.0, 30'000'000'000);
  b[kLoop].notes.push_back({"sampled-uneven", "..."});
  const Comparison comparison = compare_profiles({sweep(1.0).profile, b.profile});
  EXPECT_EQ(change(comparison, "traffic.DRAM").verdict, Verdict::doubtful);
  EXPECT_EQ(change(comparison, "traffic.L1").verdict, Verdict::same);
  EXPECT_THAT(comparison.summary, Not(HasSubstr("traffic")));
}

TEST(Compare, AtAnEdgeOnlyMemoryTrafficIsDoubtful) {
  ProfileBuilder a = sweep(1.0);
  ProfileBuilder b = sweep(1.0, 30'000'000'000);
  a[kLoop].traffic["L2"] = {1'000'000, 0};
  b[kLoop].traffic["L2"] = {2'000'000, 0};
  b[kLoop].notes.push_back({"sampled-edge", "..."});
  const Comparison comparison = compare_profiles({a.profile, b.profile});
  EXPECT_EQ(change(comparison, "traffic.DRAM").verdict, Verdict::doubtful);
  EXPECT_EQ(change(comparison, "traffic.L2").verdict, Verdict::changed);
}

TEST(Compare, WhatIsKnownOnOneSideIsUnknown) {
  ProfileBuilder b = sweep(1.0);
  b[kLoop].traffic.erase("DRAM");
  b[kLoop].time_seconds = {};
  const Comparison comparison = compare_profiles({sweep(1.0).profile, b.profile});
  EXPECT_EQ(change(comparison, "traffic.DRAM").verdict, Verdict::unknown);
  EXPECT_EQ(change(comparison, "time").verdict, Verdict::unknown);
  EXPECT_FALSE(change(comparison, "time").ratio);
}

TEST(Compare, AnotherPrecisionIsNoUnknown) {
  ProfileBuilder b = sweep(1.0);
  work_of(b[kLoop]).terms[0].precision = Precision::fp32;
  const Comparison comparison = compare_profiles({sweep(1.0).profile, b.profile});
  EXPECT_EQ(change(comparison, "flops.fp64").after->count, 0U);
  EXPECT_EQ(change(comparison, "flops.fp32").before->count, 0U);
  EXPECT_EQ(change(comparison, "flops.fp64").verdict, Verdict::changed);
  EXPECT_EQ(change(comparison, "flops").verdict, Verdict::same);
}

Comparison of_other_machines() {
  ProfileBuilder b = sweep(0.5);
  b.profile.machine = testing::skylake_x();
  b.profile.machine.caches.at(1).size_bytes *= 2;
  return compare_profiles({sweep(1.0).profile, b.profile});
}

TEST(Compare, TimesOfOtherMachinesAreNotCompared) {
  const Comparison comparison = of_other_machines();
  EXPECT_FALSE(comparison.steps[0].times_comparable);
  EXPECT_FALSE(comparison.steps[0].traffic_comparable);
  EXPECT_EQ(change(comparison, "time").verdict, Verdict::not_comparable);
  EXPECT_FALSE(change(comparison, "time").ratio);
  EXPECT_EQ(change(comparison, "traffic.DRAM").verdict, Verdict::not_comparable);
  EXPECT_EQ(change(comparison, "traffic.L1").verdict, Verdict::same);
  EXPECT_EQ(change(comparison, "flops").verdict, Verdict::same);
  EXPECT_THAT(comparison.summary, AllOf(HasSubstr("machine"), Not(HasSubstr("faster"))));
}

TEST(Compare, AnotherHostWithTheSameProcessorIsSaid) {
  ProfileBuilder a = sweep(1.0);
  ProfileBuilder b = sweep(0.5);
  a.profile.machine.host = "one";
  b.profile.machine.host = "two";
  const Comparison comparison = compare_profiles({a.profile, b.profile});
  EXPECT_TRUE(comparison.steps[0].times_comparable);
  EXPECT_EQ(comparison.steps[0].notes.at(0).code, "other-host");
}

std::string sentence(double before, double after) {
  return compare_profiles({sweep(before).profile, sweep(after).profile}).summary;
}

TEST(Sentence, FasterSlowerAndNeither) {
  EXPECT_THAT(sentence(1.9, 1.0),
              AllOf(StartsWith("1.9x faster (1.00 s, 1.90 s before"), HasSubstr(": sweep")));
  EXPECT_THAT(sentence(1.0, 2.6), AllOf(StartsWith("2.6x slower (2.60 s, 1.00 s before"),
                                        HasSubstr(": sweep"), HasSubstr(" 2.6x ")));
  EXPECT_THAT(sentence(1.0, 1.01),
              AllOf(HasSubstr("5 % (1.01 s, 1.00 s before"), HasSubstr("same work"),
                    Not(HasSubstr("faster")), Not(HasSubstr("slower"))));
}

TEST(Sentence, NamesTheBoundThatALoopLeft) {
  // 40 GB/s from memory binds the first; without memory traffic L1 or the arithmetic does.
  const Comparison comparison =
      compare_profiles({sweep(1.9).profile, sweep(1.0, 20'800'000'000).profile});
  EXPECT_NEAR(change(comparison, "traffic.DRAM").ratio.value(), 0.52, 1e-9);
  EXPECT_THAT(comparison.summary, HasSubstr("DRAM fell by 48 %"));
  const Comparison moved = compare_profiles({sweep(1.9).profile, sweep(1.0, 64).profile});
  const auto loop = std::find_if(moved.loops.begin(), moved.loops.end(), [](const auto& compared) {
    return compared.kind == RegionKind::loop;
  });
  ASSERT_NE(loop, moved.loops.end());
  EXPECT_EQ(loop->places.at(0).limit, "DRAM");
  EXPECT_EQ(loop->places.at(1).limit, "L1");
  EXPECT_THAT(moved.summary, HasSubstr("from DRAM-bound to L1-bound"));
  EXPECT_THAT(moved.summary, HasSubstr("more than 99 %"));
}

Comparison of_other_arguments() {
  ProfileBuilder b = sweep(2.0);
  b.profile.program.argv = {"./a", "200"};
  return compare_profiles({sweep(1.0).profile, b.profile});
}

TEST(Sentence, SaysWhenTheArgumentsDiffer) {
  const Comparison comparison = of_other_arguments();
  EXPECT_THAT(comparison.summary, AllOf(HasSubstr("arguments"), HasSubstr("2.0x slower")));
  EXPECT_EQ(comparison.steps[0].notes.at(0).code, "other-arguments");
  EXPECT_THAT(comparison.steps[0].notes.at(0).text, HasSubstr("100 against 200"));
}

Comparison of_other_threads() {
  ProfileBuilder b = sweep(0.5);
  b[kLoop].threads = 4;
  return compare_profiles({sweep(1.0).profile, b.profile});
}

TEST(Sentence, SaysWhenTheThreadsDiffer) {
  EXPECT_THAT(of_other_threads().summary, AllOf(HasSubstr("threads"), HasSubstr("2.0x faster")));
}

Profile unseen_sweep() {
  ProfileBuilder unseen = sweep(1.0);
  const SampledTime none{Seconds(0.0), Seconds(0.0), Seconds(0.001), 0};
  unseen[kLoop].time_seconds = {none, none};
  return unseen.profile;
}

TEST(Sentence, HoldsForLoopsThatNoSampleMet) {
  EXPECT_THAT(compare_profiles({unseen_sweep(), sweep(1.0).profile}).summary,
              AllOf(HasSubstr("sweep"), HasSubstr("DRAM-bound"), HasSubstr("900 ms"),
                    HasSubstr("no sample")));
  EXPECT_THAT(compare_profiles({sweep(1.0).profile, unseen_sweep()}).summary,
              AllOf(HasSubstr("sweep"), HasSubstr("DRAM-bound"), HasSubstr("too short")));
}

Profile sweep_without_time() {
  ProfileBuilder a = sweep(1.0);
  for (Region& region : a.profile.regions) {
    region.time_seconds = {};
  }
  a.profile.program.wall_seconds = Seconds(0.0);
  return a.profile;
}

TEST(Sentence, HoldsWithoutAnyTime) {
  EXPECT_THAT(compare_profiles({sweep_without_time(), sweep_without_time()}).summary,
              AllOf(HasSubstr("not known"), HasSubstr("same work"), Not(HasSubstr("before"))));
}

TEST(Compare, SaysWhenNothingButTheTimeDiffers) {
  const auto only_time = [](const Profile& a, const Profile& b) {
    const auto notes = compare_profiles({a, b}).steps[0].notes;
    return std::any_of(notes.begin(), notes.end(),
                       [](const Note& note) { return note.code == "only-time"; });
  };
  EXPECT_TRUE(only_time(sweep(2.0).profile, sweep(1.0).profile));
  EXPECT_FALSE(only_time(sweep(1.0).profile, sweep(1.0).profile));
  EXPECT_FALSE(only_time(sweep(2.0).profile, sweep(1.0, 5).profile));
}

TEST(Sentence, CountsNewAndVanishedLoops) {
  ProfileBuilder b = sweep(1.0);
  b.loop(b.function("added", 50), "added", 51, 77);
  EXPECT_THAT(compare_profiles({sweep(1.0).profile, b.profile}).summary, HasSubstr("1 loop new"));
  EXPECT_THAT(compare_profiles({b.profile, sweep(1.0).profile}).summary,
              HasSubstr("1 loop vanished"));
}

TEST(History, FollowsALoopThroughAllResults) {
  const Comparison comparison =
      compare_profiles({sweep(4.0).profile, sweep(2.0).profile, sweep(1.0).profile});
  ASSERT_EQ(comparison.steps.size(), 3U);
  EXPECT_DOUBLE_EQ(*change(comparison, "time", 0).ratio, 0.5);
  EXPECT_DOUBLE_EQ(*change(comparison, "time", 1).ratio, 0.5);
  EXPECT_DOUBLE_EQ(*change(comparison, "time", 2).ratio, 0.25);
  EXPECT_THAT(comparison.summary, StartsWith("4.0x faster"));
  EXPECT_THAT(comparison.steps[0].summary, StartsWith("2.0x faster"));
}

TEST(History, ALoopThatComesBackIsTheSame) {
  ProfileBuilder gap;
  const Comparison comparison =
      compare_profiles({sweep(1.0).profile, gap.profile, sweep(1.0).profile});
  for (const ComparedLoop& loop : comparison.loops) {
    ASSERT_EQ(loop.places.size(), 2U);
    EXPECT_EQ(loop.places[1].result, 2U);
    ASSERT_EQ(loop.steps.size(), 1U);  // only the one over all
    EXPECT_EQ(loop.steps[0].step, 2U);
  }
}

TEST(Figures, LoadedAndStoredBytesAreThoseOfTheRegion) {
  ProfileBuilder a = sweep(1.0);
  a[kLoop].bytes_loaded = 300;
  a[kLoop].bytes_stored = 50;
  const Comparison comparison = compare_profiles({a.profile, a.profile});
  EXPECT_EQ(change(comparison, "loaded").before->value, 300.0);
  EXPECT_EQ(change(comparison, "stored").before->value, 50.0);
  EXPECT_EQ(change(comparison, "bytes").before->value, 350.0);
}

TEST(Figures, AnIntensityIsLeastWithTheMostTraffic) {
  ProfileBuilder a = sweep(1.0, 100'000'000);
  a[kLoop].traffic_mode = TrafficMode::sampled;  // 2 % up and down
  const Comparison comparison = compare_profiles({a.profile, a.profile});
  const FigureValue intensity = *change(comparison, "intensity.DRAM").before;
  EXPECT_DOUBLE_EQ(intensity.value, 100.0);
  EXPECT_DOUBLE_EQ(*intensity.low, 100.0 / 1.02);
  EXPECT_DOUBLE_EQ(*intensity.high, 100.0 / 0.98);
}

TEST(Figures, PartialCountsProveNothing) {
  ProfileBuilder a = sweep(1.0);
  a[kLoop].partial = true;
  work_of(a[kLoop]).terms[0].flops -= 5;
  EXPECT_EQ(change(compare_profiles({a.profile, sweep(1.0).profile}), "flops").verdict,
            Verdict::doubtful);
}

TEST(Words, AreRoundedWithoutLying) {
  EXPECT_EQ(seconds_words(0.9996), "1.00 s");
  EXPECT_EQ(seconds_words(0.012345), "12.3 ms");
  EXPECT_EQ(seconds_words(123.4), "123 s");
  EXPECT_EQ(seconds_words(3e-10), "0.30 ns");
  EXPECT_EQ(percent_words(0.999), "more than 99 %");
  EXPECT_EQ(percent_words(1.0), "100 %");
  EXPECT_EQ(percent_words(1e-9), "less than 0.01 %");
  EXPECT_EQ(factor_words(1.05), "1.05");
  EXPECT_EQ(factor_words(1.93), "1.9");
  EXPECT_EQ(factor_words(24.4), "24");
}

}  // namespace

void comparison_sentences(tests::Sentences& sentences) {
  sentences.add("comparison: faster", sentence(1.9, 1.0));
  sentences.add("comparison: slower", sentence(1.0, 2.6));
  sentences.add("comparison: as fast", sentence(1.0, 1.01));
  sentences.add("comparison: other machines", of_other_machines().summary);
  const auto add = [&](const std::string& what, const Profile& before, const Profile& after) {
    sentences.add("comparison: " + what, compare_profiles({before, after}).summary);
  };
  add("half of the traffic", sweep(1.9).profile, sweep(1.0, 20'800'000'000).profile);
  add("another bound", sweep(1.9).profile, sweep(1.0, 64).profile);
  sentences.add("comparison: other arguments", of_other_arguments().summary);
  sentences.add("note: other arguments", of_other_arguments().steps[0].notes.at(0).text);
  sentences.add("comparison: other threads", of_other_threads().summary);
  add("no sample before", unseen_sweep(), sweep(1.0).profile);
  add("no sample after", sweep(1.0).profile, unseen_sweep());
  add("without time", sweep_without_time(), sweep_without_time());
}

}  // namespace ridge::predict
