#include "predict/findings/diagnose.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/findings/predict.hpp"
#include "predict/roof/machines_for_tests.hpp"

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

TEST(Summary, NamesTheResourceTheLoopAndTheGain) {
  Region sweep = dram_loop("jacobi_sweep", 6.1, 0.54);
  sweep.file = "examples/heat2d/heat2d.cpp";
  sweep.line = 42;
  EXPECT_EQ(sentence(profile_of(10.0, {dram_loop("residual", 1.7, 0.9), sweep})),
            "78 % of the time is bound by DRAM bandwidth; look first at jacobi_sweep "
            "(heat2d.cpp:42): 61 % of the time at 54 % of its DRAM roof (copy, 36 GB/s with 1 "
            "thread); reaching it would make the program 1.4x faster; try less traffic per update "
            "(blocking, fusing loops, smaller types), or more threads.");
}

TEST(Summary, TheMostToWinIsNotTheMostTime) {
  EXPECT_THAT(
      sentence(profile_of(10.0, {dram_loop("good", 6.0, 0.98), dram_loop("bad", 3.0, 0.4)})),
      HasSubstr("look first at bad: 30 % of the time at 40 %"));
}

TEST(Summary, NarrowArithmeticIsToldToWiden) {
  EXPECT_THAT(sentence(profile_of(1.0, {compute_loop("gemm", 0.9, 0.7, 64)})),
              AllOf(StartsWith("90 % of the time is bound by arithmetic"),
                    HasSubstr("70 % of its arithmetic roof (scalar FMA, "),
                    HasSubstr("wider SIMD and FMA")));
}

TEST(Summary, FarBelowEveryRoofIsLatency) {
  EXPECT_THAT(sentence(profile_of(1.0, {dram_loop("chase", 0.9, 0.05)})),
              AllOf(StartsWith("90 % of the time runs far below every roof"),
                    HasSubstr("at 5 % of its DRAM roof"),
                    HasSubstr("what it waits for is not known"), Not(HasSubstr("try"))));
}

TEST(Summary, AdviceAgainstWaitingNeedsAReason) {
  // A first touch of memory waits for the kernel: no accumulator helps.
  Region sum = dram_loop("sum", 0.9, 0.05);
  sum.chain = {{ChainOperation::add, Precision::fp64, true, 1000}};
  EXPECT_THAT(sentence(profile_of(1.0, {sum})), HasSubstr("try sums in several parts"));
  Region search = dram_loop("search", 0.9, 0.05);
  search.accesses = {{AccessPattern::indirect, false, {}, 250},
                     {AccessPattern::unit, true, {}, 750}};
  EXPECT_THAT(sentence(profile_of(1.0, {search})), HasSubstr("try more independent loads"));
  search.accesses.back().bytes = 751;
  EXPECT_THAT(sentence(profile_of(1.0, {search})), Not(HasSubstr("try")));
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
  prediction.regions.front().findings = {{"code", "this is in the way", {}, {}, {}},
                                         {"other", "a second thing", {}, {}, {}}};
  EXPECT_THAT(summarise(profile, prediction),
              AllOf(HasSubstr("faster; there, this is in the way."), Not(HasSubstr("try")),
                    Not(HasSubstr("second"))));
}

TEST(Summary, AtTheRoofLittleIsLeft) {
  EXPECT_THAT(sentence(profile_of(1.0, {dram_loop("copy", 0.9, 0.98)})),
              AllOf(HasSubstr("little is left below the roofs"), HasSubstr("to go beyond"),
                    Not(HasSubstr("faster; try"))));
}

TEST(Summary, LibrariesAreNamed) {
  const std::string text =
      sentence(profile_of(1.0, {library("in libopenblas.so.0", 0.7), library("in libm.so.6", 0.1),
                                dram_loop("update", 0.2, 0.5)}));
  EXPECT_THAT(
      text, AllOf(StartsWith("80 % of the time is spent in libraries"),
                  HasSubstr("most of it in libopenblas.so.0"), HasSubstr("look first at update")));
  EXPECT_THAT(sentence(profile_of(1.0, {library("in libz.so", 1.0)})),
              Not(HasSubstr("look first")));
}

TEST(Summary, RegionsBeyondTheFirst95PercentAreLeftOut) {
  // The last loop alone has something to win, and too little time to matter.
  const auto text =
      sentence(profile_of(1.0, {dram_loop("large", 0.96, 1.0), dram_loop("tiny", 0.04, 0.01)}));
  EXPECT_THAT(text, Not(HasSubstr("tiny")));
}

TEST(Summary, UnattributedTimeAndWaitingAreSaid) {
  Profile profile = profile_of(1.0, {dram_loop("a", 0.6, 0.5), region_named("omp wait")});
  profile.regions[0].cpu_seconds.self = profile.regions[0].time_seconds.self;
  took(profile.regions[1], 0.9);
  profile.regions[1].cpu_seconds.self = SampledTime{Seconds(0.6), Seconds(0.6), Seconds(0.6), 600};
  profile.time.unattributed_fraction = 0.4;
  EXPECT_THAT(sentence(profile),
              AllOf(StartsWith("60 % of the time is bound by DRAM"),
                    HasSubstr("40 % (38 to 42 %) of the time could not be attributed"),
                    HasSubstr("50 % of the CPU time waits in the OpenMP runtime")));
  profile.time.unattributed_fraction = 0.7;
  EXPECT_THAT(sentence(profile),
              StartsWith("70 % (68 to 72 %) of the time could not be attributed"));
}

TEST(Summary, AShareOfThreeSamplesCarriesItsInterval) {
  Profile profile = profile_of(1.0, {dram_loop("a", 0.6, 0.5)});
  profile.regions.back().time_seconds.self->samples = 3;
  profile.time.unattributed_fraction = 0.34;
  EXPECT_THAT(sentence(profile), HasSubstr("34 % (11 to 68 %) of the time could not"));
  profile.time.unattributed_fraction = 0.3;  // 9 to 64 %: perhaps nothing of weight
  EXPECT_THAT(sentence(profile), Not(HasSubstr("attributed")));
  profile.time.unattributed_fraction = 0.34;
  profile.regions.back().time_seconds.self->samples = 1000;
  EXPECT_THAT(sentence(profile), HasSubstr("34 % (32 to 36 %) of the time could not"));
}

TEST(Summary, NoTimeAndNoLoopsAreSaid) {
  EXPECT_THAT(sentence(Profile{}), StartsWith("No loop or function was seen"));
  EXPECT_THAT(sentence(profile_of(0.5, {})), StartsWith("No loop or function was seen"));
  EXPECT_THAT(sentence(profile_of(0.0, {region_named("short")})),
              StartsWith("No time was measured"));
  Region zero = region_named("zero");
  took(zero, 0.0);
  EXPECT_THAT(sentence(profile_of(0.0, {zero})), StartsWith("No time was measured"));
}

TEST(Summary, AProgramThatCouldNotBeMeasuredIsNotCalledUninstrumented) {
  Profile profile = profile_of(0.5, {});
  profile.notes.push_back({"not-attached", "Ridge could not attach to the program, because x"});
  EXPECT_EQ(sentence(profile), "Ridge could not attach to the program, because x.");
}

TEST(Summary, WorkWithoutRoofsIsSaid) {
  Region hash = region_named("hash");
  hash.intops = 1000;
  took(hash, 0.8);
  EXPECT_THAT(sentence(profile_of(1.0, {hash})),
              StartsWith("80 % of the time is spent where no roof is known"));
}

}  // namespace
}  // namespace ridge::predict
