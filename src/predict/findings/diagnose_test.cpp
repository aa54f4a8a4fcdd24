#include "predict/findings/diagnose.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/findings/predict.hpp"
#include "predict/roof/machines_for_tests.hpp"
#include "predict/sentences_for_tests.hpp"

namespace ridge::predict {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::region_named;
using ::testing::StartsWith;
using testing::took;
using testing::zen4;
using testing::zen4_pipes;

constexpr double kDramCopy = 36e9;  // traffic rate of the Zen 4 machine, one thread

/// A loop at `fraction` of the DRAM roof (copy mix) for `seconds`.
Region dram_loop(std::string name, double seconds, double fraction) {
  Region region = region_named(std::move(name));
  const double bytes = seconds * fraction * kDramCopy;
  region.traffic["DRAM"] = {static_cast<std::uint64_t>(bytes * 2 / 3),
                            static_cast<std::uint64_t>(bytes / 3)};
  work_of(region).add(Precision::fp64, OperationKind::fma, 512,
                      static_cast<std::uint64_t>(bytes / 16));
  took(region, seconds);
  return region;
}

/// A loop of fma at `fraction` of the compute roof of `width` for `seconds`.
Region compute_loop(std::string name, double seconds, double fraction, unsigned width) {
  Region region = region_named(std::move(name));
  const double rate = (width == 64 ? 4 : 16) * 4e9;
  work_of(region).add(Precision::fp64, OperationKind::fma, width,
                      static_cast<std::uint64_t>(seconds * fraction * rate));
  took(region, seconds);
  return region;
}

Region library(std::string name, double seconds) {
  Region region = region_named(std::move(name));
  region.kind = RegionKind::library;
  took(region, seconds);
  return region;
}

Profile profile_of(double wall_seconds, std::vector<Region> regions) {
  Profile profile;
  profile.machine = zen4();
  profile.program.wall_seconds = Seconds(wall_seconds);
  Region program = region_named("program");
  program.kind = RegionKind::program;
  for (const Region& region : regions) {
    work_of(program) += known_work(region);
  }
  took(program, wall_seconds);
  profile.regions = std::move(regions);
  profile.regions.push_back(program);
  return profile;
}

/// Where no rule of findings fires: what roofs and verdicts alone say.
std::string sentence(const Profile& profile) {
  const Microarchitecture pipes = zen4_pipes();
  Prediction prediction = predict(profile, &pipes);
  for (RegionPrediction& region : prediction.regions) {
    region.findings.clear();
  }
  return summarise(profile, prediction);
}

TEST(Speedup, IsAmdahlsLawTowardsTheRoof) {
  const Profile profile = profile_of(10.0, {dram_loop("a", 6.0, 0.5)});
  const Microarchitecture pipes = zen4_pipes();
  const Region& region = profile.regions.front();
  const auto prediction = predict_region(region, profile.machine, &pipes);
  EXPECT_NEAR(speedup_at_roof(region, 10.0, prediction).value(), 10.0 / 7.0, 1e-6);
}

TEST(Speedup, IsOneAboveTheRoofAndUnknownWithoutTimeOrBound) {
  const Microarchitecture pipes = zen4_pipes();
  Profile profile = profile_of(10.0, {dram_loop("a", 6.0, 1.5)});
  Region region = profile.regions.front();
  const auto above = predict_region(region, profile.machine, &pipes);
  EXPECT_DOUBLE_EQ(speedup_at_roof(region, 10.0, above).value(), 1.0);
  EXPECT_FALSE(speedup_at_roof(region, 10.0, RegionPrediction{}));
  region.time_seconds.self.reset();
  EXPECT_FALSE(speedup_at_roof(region, 10.0, predict_region(region, profile.machine, &pipes)));
}

TEST(Speedup, ARegionLongerThanTheProgramIsAllOfIt) {
  Profile profile = profile_of(1.0, {dram_loop("a", 2.0, 0.5)});
  const Microarchitecture pipes = zen4_pipes();
  const Region& region = profile.regions.front();
  EXPECT_NEAR(speedup_at_roof(region, 1.0, predict_region(region, profile.machine, &pipes)).value(),
              2.0, 1e-6);
}

Profile heat2d() {
  Region sweep = dram_loop("jacobi_sweep", 6.1, 0.54);
  sweep.file = "examples/heat2d/heat2d.cpp";
  sweep.line = 42;
  return profile_of(10.0, {dram_loop("residual", 1.7, 0.9), sweep});
}

TEST(Summary, NamesTheResourceTheLoopAndTheGain) {
  EXPECT_THAT(sentence(heat2d()),
              AllOf(StartsWith("78 % "), HasSubstr("DRAM bandwidth"),
                    HasSubstr("jacobi_sweep (heat2d.cpp:42): 61 %"), HasSubstr("54 % of its DRAM"),
                    HasSubstr("1.4x"), HasSubstr("; try "), Not(HasSubstr("residual"))));
}

Profile most_to_win_in_less_time() {
  return profile_of(10.0, {dram_loop("good", 6.0, 0.98), dram_loop("bad", 3.0, 0.4)});
}

TEST(Summary, TheMostToWinIsNotTheMostTime) {
  EXPECT_THAT(sentence(most_to_win_in_less_time()),
              AllOf(HasSubstr(" bad: 30 %"), HasSubstr(" 40 %"), Not(HasSubstr("good"))));
}

Profile narrow_arithmetic() {
  return profile_of(1.0, {compute_loop("gemm", 0.9, 0.7, 64)});
}

TEST(Summary, NarrowArithmeticIsToldToWiden) {
  EXPECT_THAT(sentence(narrow_arithmetic()),
              AllOf(StartsWith("90 % "), HasSubstr("bound by arithmetic"),
                    HasSubstr("70 % of its arithmetic"), HasSubstr("(scalar FMA, "),
                    HasSubstr("wider SIMD and FMA")));
}

Profile far_below() {
  return profile_of(1.0, {dram_loop("chase", 0.9, 0.05)});
}

TEST(Summary, FarBelowEveryRoofIsLatency) {
  EXPECT_THAT(sentence(far_below()),
              AllOf(StartsWith("90 % "), HasSubstr("latency"), HasSubstr("5 % of its DRAM"),
                    HasSubstr("not known"), Not(HasSubstr("try"))));
}

Profile slow_sum() {
  Region sum = dram_loop("sum", 0.9, 0.05);
  sum.chain = {{ChainOperation::add, Precision::fp64, true, 1000}};
  return profile_of(1.0, {sum});
}

/// 250 bytes at addresses that nobody foresees.
Profile slow_search(std::uint64_t other_bytes) {
  Region search = dram_loop("search", 0.9, 0.05);
  search.accesses = {{AccessPattern::indirect, false, {}, 250},
                     {AccessPattern::unit, true, {}, other_bytes}};
  return profile_of(1.0, {search});
}

TEST(Summary, AdviceAgainstWaitingNeedsAReason) {
  // A first touch of memory waits for the kernel: no accumulator helps.
  EXPECT_THAT(sentence(slow_sum()), AllOf(HasSubstr("; try "), HasSubstr("accumulators")));
  EXPECT_THAT(sentence(slow_search(750)), AllOf(HasSubstr("; try "), HasSubstr("loads")));
  EXPECT_THAT(sentence(slow_search(751)), Not(HasSubstr("try")));
}

// One pass: the sentence knows what the rules found.
TEST(Summary, IsMadeAfterTheFindings) {
  const Microarchitecture pipes = zen4_pipes();
  const Prediction prediction =
      predict(profile_of(1.0, {compute_loop("gemm", 0.9, 0.7, 64)}), &pipes);
  ASSERT_FALSE(prediction.regions.front().findings.empty());
  EXPECT_THAT(prediction.summary,
              HasSubstr("; there, " + prediction.regions.front().findings[0].text));
}

TEST(Summary, TheFirstFindingStandsForGeneralAdvice) {
  const Profile profile = profile_of(10.0, {dram_loop("sweep", 9.0, 0.5)});
  Prediction prediction = predict(profile, nullptr);
  EXPECT_THAT(summarise(profile, prediction), HasSubstr("; try "));
  prediction.regions.front().findings = {{"code", "FIRST", {}, {}, {}},
                                         {"other", "SECOND", {}, {}, {}}};
  EXPECT_THAT(summarise(profile, prediction),
              AllOf(HasSubstr("there, FIRST."), Not(HasSubstr("try")), Not(HasSubstr("SECOND"))));
}

Profile at_the_roof() {
  return profile_of(1.0, {dram_loop("copy", 0.9, 0.98)});
}

TEST(Summary, AtTheRoofLittleIsLeft) {
  EXPECT_THAT(sentence(at_the_roof()), AllOf(HasSubstr("little is left"), HasSubstr("to go beyond"),
                                             Not(HasSubstr("faster; try"))));
}

Profile in_libraries() {
  return profile_of(1.0, {library("in libopenblas.so.0", 0.7), library("in libm.so.6", 0.1),
                          dram_loop("update", 0.2, 0.5)});
}

TEST(Summary, LibrariesAreNamed) {
  EXPECT_THAT(sentence(in_libraries()),
              AllOf(StartsWith("80 % "), HasSubstr("libraries"), HasSubstr("libopenblas.so.0"),
                    Not(HasSubstr("libm.so.6")), HasSubstr("look first at update")));
  EXPECT_THAT(sentence(profile_of(1.0, {library("in libz.so", 1.0)})),
              Not(HasSubstr("look first")));
}

TEST(Summary, RegionsBeyondTheFirst95PercentAreLeftOut) {
  // The last loop alone has something to win, and too little time to matter.
  const auto text =
      sentence(profile_of(1.0, {dram_loop("large", 0.96, 1.0), dram_loop("tiny", 0.04, 0.01)}));
  EXPECT_THAT(text, Not(HasSubstr("tiny")));
}

/// Half of the CPU time waits.
Profile waits(double unattributed_fraction) {
  Profile profile = profile_of(1.0, {dram_loop("a", 0.6, 0.5), region_named("omp wait")});
  profile.regions[0].cpu_seconds.self = profile.regions[0].time_seconds.self;
  took(profile.regions[1], 0.9);
  profile.regions[1].cpu_seconds.self = SampledTime{Seconds(0.6), Seconds(0.6), Seconds(0.6), 600};
  profile.time.unattributed_fraction = unattributed_fraction;
  return profile;
}

TEST(Summary, UnattributedTimeAndWaitingAreSaid) {
  EXPECT_THAT(sentence(waits(0.4)), AllOf(StartsWith("60 % "), HasSubstr("bound by DRAM"),
                                          HasSubstr("attributed"), HasSubstr("40 % (38 to 42 %)"),
                                          HasSubstr("50 % of the CPU"), HasSubstr("OpenMP")));
  EXPECT_THAT(sentence(waits(0.7)),
              AllOf(StartsWith("70 % (68 to 72 %)"), HasSubstr("attributed")));
}

TEST(Summary, AShareOfThreeSamplesCarriesItsInterval) {
  Profile profile = profile_of(1.0, {dram_loop("a", 0.6, 0.5)});
  profile.regions.back().time_seconds.self->samples = 3;
  profile.time.unattributed_fraction = 0.34;
  EXPECT_THAT(sentence(profile), AllOf(HasSubstr("34 % (11 to 68 %)"), HasSubstr("attributed")));
  profile.time.unattributed_fraction = 0.3;  // 9 to 64 %: perhaps nothing of weight
  EXPECT_THAT(sentence(profile), Not(HasSubstr("attributed")));
  profile.time.unattributed_fraction = 0.34;
  profile.regions.back().time_seconds.self->samples = 1000;
  EXPECT_THAT(sentence(profile), HasSubstr("34 % (32 to 36 %)"));
}

TEST(Summary, NoTimeAndNoLoopsAreSaid) {
  EXPECT_THAT(sentence(Profile{}), StartsWith("No loop "));
  EXPECT_THAT(sentence(profile_of(0.5, {})), StartsWith("No loop "));
  EXPECT_THAT(sentence(profile_of(0.0, {region_named("short")})), StartsWith("No time "));
  Region zero = region_named("zero");
  took(zero, 0.0);
  EXPECT_THAT(sentence(profile_of(0.0, {zero})), StartsWith("No time "));
}

Profile imported(Profile profile) {
  profile.imports.push_back({"T", std::nullopt, "f"});
  profile.notes.push_back({"imported", "imported from T: f"});
  return profile;
}

TEST(Summary, OfAnImportSpeaksOfWhatTheFileHolds) {
  for (const Profile& profile :
       {imported(profile_of(0.5, {})), imported(profile_of(0.0, {region_named("short")}))}) {
    EXPECT_THAT(sentence(profile), AllOf(StartsWith("No "), HasSubstr("import"),
                                         Not(HasSubstr("ridge-cc")), Not(HasSubstr("too short"))));
  }
  // Measured figures that were laid on a run leave it a run.
  Profile laid = profile_of(0.5, {});
  laid.imports.push_back({"T", std::nullopt, "f"});
  EXPECT_THAT(sentence(laid), HasSubstr("ridge-cc"));
}

TEST(Summary, AProgramThatCouldNotBeMeasuredIsNotCalledUninstrumented) {
  Profile profile = profile_of(0.5, {});
  profile.notes.push_back({"not-attached", "not attached, because x"});
  EXPECT_EQ(sentence(profile), "not attached, because x.");
}

Profile without_roofs() {
  Region hash = region_named("hash");
  hash.intops = 1000;
  took(hash, 0.8);
  return profile_of(1.0, {hash});
}

TEST(Summary, WorkWithoutRoofsIsSaid) {
  EXPECT_THAT(sentence(without_roofs()),
              AllOf(StartsWith("80 % "), HasSubstr("no roof"), Not(HasSubstr("look first"))));
}

TEST(Verdict, OfTheProgramIsTheSummaryWithoutAdvice) {
  const Profile profile = profile_of(10.0, {dram_loop("a", 6.0, 0.5)});
  const Prediction prediction = predict(profile, nullptr);
  EXPECT_TRUE(prediction.verdict.ends_with("bound by DRAM bandwidth.")) << prediction.verdict;
  EXPECT_THAT(prediction.summary,
              StartsWith(prediction.verdict.substr(0, prediction.verdict.size() - 1)));
}

TEST(Verdict, MoreWaitingThanWorkIsSaidFirst) {
  Profile profile = profile_of(10.0, {dram_loop("a", 4.0, 0.5), library("omp wait", 9.0)});
  profile.regions[0].cpu_seconds.self = profile.regions[0].time_seconds.self;
  profile.regions[1].cpu_seconds.self = profile.regions[1].time_seconds.self;
  EXPECT_THAT(predict(profile, nullptr).verdict, StartsWith("69 % of the CPU time waits"));
}

}  // namespace

void summary_sentences(tests::Sentences& sentences) {
  const auto add = [&](const std::string& what, const Profile& profile) {
    sentences.add("summary: " + what, sentence(profile));
  };
  add("heat2d", heat2d());
  add("the most to win is not the most time", most_to_win_in_less_time());
  add("narrow arithmetic", narrow_arithmetic());
  add("a chase far below every roof", far_below());
  add("a sum far below every roof", slow_sum());
  add("a search far below every roof", slow_search(750));
  add("at the roof", at_the_roof());
  add("in libraries", in_libraries());
  add("half of the CPU time waits, 40 % without a region", waits(0.4));
  add("half of the CPU time waits, 70 % without a region", waits(0.7));
  add("no loops", profile_of(0.5, {}));
  add("import without loops", imported(profile_of(0.5, {})));
  add("import without times", imported(profile_of(0.0, {region_named("short")})));
  add("no time", profile_of(0.0, {region_named("short")}));
  add("without roofs", without_roofs());
  const Profile profile = heat2d();
  Prediction prediction = predict(profile, nullptr);
  for (RegionPrediction& region : prediction.regions) {
    region.findings = {{"code", "FINDING", {}, {}, {}}};
  }
  sentences.add("summary: with a finding", summarise(profile, prediction));
}

}  // namespace ridge::predict
