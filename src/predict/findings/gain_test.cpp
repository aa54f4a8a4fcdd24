#include "predict/findings/gain.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/findings/finding_case.hpp"
#include "predict/sentences_for_tests.hpp"

namespace ridge::predict {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr auto fp64 = Precision::fp64;
constexpr auto kAdd = OperationKind::add;
constexpr double kTolerance = 1e-6;

/// Gain of the only finding with this code; 0 when it has none.
struct Gained {
  double most = 0.0;
  double least = 0.0;
};
Gained gain_of(Case& example, std::string_view code) {
  const Finding* finding = example.find(code);
  EXPECT_NE(finding, nullptr) << code;
  if (finding == nullptr || !finding->gain) {
    return {};
  }
  return {*finding->gain, finding->gain_least.value_or(*finding->gain)};
}

void expect_gain(Case& example, std::string_view code, double least, double most) {
  const Gained gain = gain_of(example, code);
  EXPECT_NEAR(gain.most, most, kTolerance * most) << code;
  EXPECT_NEAR(gain.least, least, kTolerance * least) << code;
}

// Rates of the machine at one thread: scalar add 8, 128 bit 16, 256 bit 32 GFlop/s; L1 256 GB/s,
// L2 128, L3 100, DRAM 40 (reads), 36 (copies). The loop takes 10 s.

TEST(GainOfVectors, FromThoseOfAnyBuildToTheFastest) {
  Case example;
  work_of(example.loop()).add(fp64, kAdd, 64, 40000 * kMega);  // 5 s; 2.5 s; 1.25 s
  expect_gain(example, "scalar-flops", 2.0, 4.0);
  example.loop().not_vectorised = "reason";
  expect_gain(example, "not-vectorised", 2.0, 4.0);
}

TEST(GainOfVectors, IsNothingForATrueRecurrence) {
  Case example;
  work_of(example.loop()).add(fp64, kAdd, 64, 10000 * kMega);
  example.loop().iterations = 10000 * kMega;
  example.loop().not_vectorised = "reason";
  example.loop().chain = {{ChainOperation::add, fp64, false, 10000 * kMega}};
  expect_gain(example, "not-vectorised", 1.0, 1.0);
  // A sum may be taken in parts.
  example.loop().chain.front().reduction = true;
  expect_gain(example, "not-vectorised", 2.0, 4.0);
}

TEST(GainOfVectors, AreWiderOnesInProportion) {
  Case example;
  work_of(example.loop()).add(fp64, kAdd, 128, 80000 * kMega);
  expect_gain(example, "narrow-vectors", 2.0, 2.0);
}

TEST(GainOfFusing, IsThatOfThePipes) {
  // Zen multiplies and adds at the same time: fused, all stand in the pipes of the products.
  Case example;
  work_of(example.loop()).add(fp64, kAdd, 512, 160000 * kMega);
  work_of(example.loop()).add(fp64, OperationKind::mul, 512, 160000 * kMega);
  example.loop().fusible_flops = 320000 * kMega;
  expect_gain(example, "unfused-multiply-add", 1.0, 1.0);
  // Intel does either in the same pipes: half the instructions. 32 GFlop/s.
  example.profile.machine = skylake_x();
  example.cpu = skylake_x_pipes();
  expect_gain(example, "unfused-multiply-add", 2.0, 2.0);
}

TEST(GainWithoutChain, IsUpToTheNextLimit) {
  Case example;
  work_of(example.loop()).add(fp64, kAdd, 64, 10000 * kMega);  // 1.25 s
  example.loop().iterations = 10000 * kMega;
  example.loop().chain = {{ChainOperation::add, fp64, true, 10000 * kMega}};  // 7.5 s
  expect_gain(example, "dependency-chain", 6.0, 6.0);
  EXPECT_TRUE(example.find("dependency-chain")->gain_note);
  example.loop().chain.front().reduction = false;
  EXPECT_FALSE(example.find("dependency-chain")->gain);
  EXPECT_TRUE(example.find("dependency-chain")->gain_note);
}

TEST(GainWithoutDivisions, IsMeasuredWhereTheyAre) {
  Case example;
  example.profile.machine = skylake_x();
  example.cpu = skylake_x_pipes();
  work_of(example.loop()).add(fp64, OperationKind::div, 512, 5000 * kMega);  // 1 and 32 GFlop/s
  expect_gain(example, "divisions", 32.0, 32.0);
}

TEST(GainWithoutDivisions, ElseTheDividerIsBusyAsSourcesSay) {
  Case example;
  work_of(example.loop()).add(fp64, OperationKind::div, 64, 4000 * kMega);  // 5 cycles each: 5 s
  expect_gain(example, "divisions", 10.0, 10.0);
}

Needs needs_of_loop(Case& example) {
  const Region& loop = example.loop();
  const Machine& machine = example.profile.machine;
  const CeilingIndex ceilings(machine);
  return needs_of({loop, machine, ceilings, &example.cpu, nullptr, {}, {&loop}, 0.0}, loop);
}

TEST(Needs, ThreadsWorkOnTheirChainsAtTheSameTime) {
  Case example;
  example.loop().chain = {{ChainOperation::add, fp64, true, 10000 * kMega}};
  EXPECT_NEAR(needs_of_loop(example).in_core, 7.5, kTolerance);
  example.loop().threads = 4;
  EXPECT_NEAR(needs_of_loop(example).in_core, 7.5 / 4, kTolerance);
}

TEST(Needs, ADivisionOfVectorsIsOne) {
  Case example;
  example.cpu.isas.push_back(example.cpu.isas.front());
  example.cpu.isas.back().isa = Isa::avx2;
  work_of(example.loop()).add(fp64, OperationKind::div, 256, 16000 * kMega);  // 5 cycles for 4 each
  EXPECT_NEAR(needs_of_loop(example).in_core, 5.0, kTolerance);
}

TEST(GainOfAllLanes, IsAtMostTheIdlePart) {
  Case example;
  work_of(example.loop()).add(fp64, kAdd, 512, 64000 * kMega);  // 2 s, with idle lanes 6.4
  example.loop().masked = MaskedOperations{1000, 8000, 2500};
  expect_gain(example, "idle-lanes", 1.0, 3.2);
}

TEST(GainWithoutGathers, IsThatOfMeasuredOnes) {
  Case example;
  example.loop().bytes_loaded = 80000 * kMega;  // 0.3125 s
  example.loop().gathered = Traffic{80000 * kMega, 0};
  EXPECT_EQ(gain_of(example, "gather-scatter").most, 0.0);
  add_bandwidth(example.profile.machine, "L1", Pattern::gather, Isa::avx512, 1, 16e9);  // 5 s
  expect_gain(example, "gather-scatter", 16.0, 16.0);
}

TEST(GainOfLessTraffic, IsThatOfTheResourcesOverlappedOrAdded) {
  Case example;
  example.loop().bytes_loaded = 300000 * kMega;  // L1: 1.171875 s
  example.reads("DRAM", 300e9);                  // 7.5 s
  example.loop().least_traffic["DRAM"] = {100000 * kMega, 0};
  expect_gain(example, "excess-traffic", (7.5 + 1.171875) / (2.5 + 1.171875), 3.0);
  // The roof of L1 is next.
  example.loop().least_traffic["DRAM"] = {10000 * kMega, 0};
  expect_gain(example, "excess-traffic", (7.5 + 1.171875) / (0.25 + 1.171875), 6.4);
}

TEST(GainOfNonTemporalStores, HasRatesOfItsOwnWhereMeasured) {
  Case example;
  example.loop().bytes_loaded = 160000 * kMega;
  example.loop().bytes_stored = 80000 * kMega;
  example.loop().bytes_overwritten = 80000 * kMega;
  example.loop().traffic["DRAM"] = {240000 * kMega, 80000 * kMega};
  const double now = 320.0 * (0.25 / 40.0 + 0.75 / 36.0);
  const double l1 = 240.0 / 360.0;
  EXPECT_EQ(gain_of(example, "write-allocate").most, 0.0);
  EXPECT_THAT(example.find("write-allocate")->gain_note.value(), HasSubstr("were not measured"));
  add_bandwidth(example.profile.machine, "DRAM", Pattern::nt_copy, Isa::avx512, 1, 30 * kGB);
  add_bandwidth(example.profile.machine, "DRAM", Pattern::nt_store, Isa::avx512, 1, 20 * kGB);
  const double measured = 160.0 / 30.0 + 80.0 / 40.0;
  expect_gain(example, "write-allocate", (now + l1) / (measured + l1), now / measured);
}

TEST(GainOfFullLines, IsSureForTheNextLevelOnly) {
  Case example;
  example.loop().bytes_loaded = 128 * kMega;
  example.reads("L2", 640e9);  // 5 s
  example.reads("L3", 250e9);  // 2.5 s
  example.loop().line_use = 0.125;
  const double l1 = 0.128 / 256.0;
  expect_gain(example, "poor-line-use", 2.0, 8.0);
  const double sum = (7.5 + l1) / (0.625 + 2.5 + l1);
  EXPECT_GT(sum, 2.0);  // between the two
}

TEST(GainOfFullLines, IsUpToTheRoofWhereWaitingTakesTheTime) {
  Case example;
  example.loop().bytes_loaded = 128 * kMega;
  example.reads("L2", 128e9);  // 1 of 10 s
  example.loop().line_use = 0.125;
  example.loop().accesses = {{AccessPattern::constant, false, 64, 1000}};
  expect_gain(example, "strided-access", 1.0, 8.0);  // the lines that are waited for
}

TEST(GainOfReuse, IsWhatTheCapacitySaves) {
  Case example;
  example.loop().bytes_loaded = 16 * kMega;
  example.reads("L2", 8e6);
  example.reads("L3", 500e9);  // 5 s
  example.loop().miss_curve = {{32768, 8 * kMega}, {1572864, kMega}};
  EXPECT_NEAR(gain_of(example, "reuse-just-misses").most, 8.0, 1e-3);
}

TEST(GainOfThreads, IsThatOfTheRoofs) {
  Case example;
  example.reads("DRAM", 200e9);
  expect_gain(example, "few-threads", 1.5, 1.5);
}

TEST(GainOfBalance, IsAtMostThatOfTheWorkAndOfTheRoof) {
  Case example;
  example.loop().thread_work = {{0, 300, 0, 0, {}}, {1, 100, 0, 0, {}}};
  EXPECT_EQ(gain_of(example, "load-imbalance").most, 0.0);      // no roof
  work_of(example.loop()).add(fp64, kAdd, 512, 64000 * kMega);  // 2 of 10 s
  expect_gain(example, "load-imbalance", 1.0, 1.5);
  work_of(example.loop()).add(fp64, kAdd, 512, 192000 * kMega);  // 8 of 10 s
  expect_gain(example, "load-imbalance", 1.0, 1.25);
  const auto sampled = [](double seconds) {
    return SampledTime{Seconds(seconds), Seconds(seconds), Seconds(seconds), 1000};
  };
  example.loop().thread_work[0].cpu_seconds = sampled(11.0);
  example.loop().thread_work[1].cpu_seconds = sampled(9.0);
  expect_gain(example, "load-imbalance", 1.1, 1.25);
}

TEST(GainWithoutSharing, IsTheLatencyOfTheLastCache) {
  Case example;
  work_of(example.loop()).add(fp64, kAdd, 512, 32000 * kMega);  // 1 s
  example.loop().sharing = LineSharing{1, 0, 1, 100 * kMega};
  EXPECT_EQ(gain_of(example, "shared-writes").most, 0.0);
  example.add_latency("L3", 50e-9);  // 5 s; one after the other 6
  expect_gain(example, "shared-writes", 1.0, 6.0);
}

TEST(GainOfLinesInFlight, IsLittlesLaw) {
  Case example;
  for (const Level level : {Level::L2, Level::L3, Level::DRAM}) {
    example.reads(level, 6.4e9);
  }
  example.loop().bytes_loaded = 800 * kMega;
  example.loop().accesses = {{AccessPattern::indirect, false, {}, 1}};
  example.add_latency("DRAM", 100e-9);  // 10^8 lines: 10 s, one at a time
  expect_gain(example, "latency-bound", 1.0, 40e9 * 100e-9 / 64);
  EXPECT_NEAR(example.find("latency-bound")->evidence.at("lines_in_flight"), 1.0, 1e-9);
  example.loop().chain = {{ChainOperation::load, fp64, false, kMega}};
  expect_gain(example, "pointer-chase", 1.0, 62.5);
  // Slower than the latency: still one at a time. Faster: some overlap already.
  for (const Level level : {Level::L2, Level::L3, Level::DRAM}) {
    example.reads(level, 3.2e9);
  }
  expect_gain(example, "pointer-chase", 1.0, 62.5);
  for (const Level level : {Level::L2, Level::L3, Level::DRAM}) {
    example.reads(level, 12.8e9);
  }
  expect_gain(example, "pointer-chase", 1.0, 31.25);
}

TEST(GainOfOrder, IsAtMostThatOfLinesThatComeOnce) {
  Case example;
  example.loop().accesses = {{AccessPattern::indirect, false, {}, 400}};
  example.reads("DRAM", 80e9);  // 2 s: no roof explains the time
  EXPECT_FALSE(example.find("indirect-access")->gain);
  example.loop().least_traffic["DRAM"] = {40000 * kMega, 0};
  expect_gain(example, "indirect-access", 1.0, 2.0);
  EXPECT_NEAR(example.find("indirect-access")->evidence.at("lines_over_least"), 2.0, 1e-9);
  // Never beyond the roof: 10 s to 1 s.
  example.loop().least_traffic["DRAM"] = {4000 * kMega, 0};
  example.reads("L3", 100e9);
  example.loop().least_traffic["L3"] = {100000 * kMega, 0};
  EXPECT_LE(*example.find("indirect-access")->gain, 20.0);
  // In the first level order does not matter.
  example.loop().bytes_loaded = 100 * kMega;
  example.reads("L2", 4e6);
  EXPECT_FALSE(example.find("indirect-access")->gain);
  EXPECT_THAT(example.find("indirect-access")->text, HasSubstr("first level"));
}

TEST(GainOfOrder, IsNoneWhereEachLineComesOnceAlready) {
  Case example;
  example.loop().accesses = {{AccessPattern::indirect, false, {}, 400}};
  example.reads("DRAM", 80e9);
  example.loop().least_traffic["DRAM"] = {78000 * kMega, 0};
  EXPECT_FALSE(example.find("indirect-access")->gain);
  EXPECT_THAT(example.find("indirect-access")->text, HasSubstr("good order already"));
}

TEST(GainWithoutOverhead, IsUpToTheRoof) {
  Case example;
  example.loop().entries = 400000;
  work_of(example.loop()).add(fp64, kAdd, 512, 64000 * kMega);
  expect_gain(example, "short-loop", 1.0, 5.0);
}

TEST(GainOfNodes, IsUpToAllOfThem) {
  Case example;
  example.profile.machine.topology->numa_nodes = 2;
  example.profile.machine.numa = {{0, 0, "DRAM", 1, exactly<BytesPerSecond>(20e9), {}}};
  example.loop().threads = 2;
  example.reads("DRAM", 200e9);  // 3.33 s at 60 GB/s
  expect_gain(example, "one-numa-node", 1.0, 2.0);
}

TEST(GainOfNearMemory, IsTheDistanceOrTheMemoriesThatCouldHelp) {
  Case example;
  example.loop().threads = 2;
  example.reads("DRAM", 200e9);                              // 3.33 s of 10 at 60 GB/s
  example.loop().memory_nodes = {{0, 1, 100}, {1, 0, 100}};  // each on the other's
  EXPECT_EQ(gain_of(example, "remote-memory").most, 0.0) << "the distance was not measured";
  example.profile.machine.numa = {{0, 0, "DRAM", 1, exactly<BytesPerSecond>(30e9), {}},
                                  {0, 1, "DRAM", 1, exactly<BytesPerSecond>(20e9), {}},
                                  {1, 1, "DRAM", 2, exactly<BytesPerSecond>(90e9), {}}};
  expect_gain(example, "remote-memory", 1.0, 1.5);
  example.loop().memory_nodes = {{0, 0, 100}, {1, 0, 100}};  // one has all: a second could help
  expect_gain(example, "remote-memory", 1.0, 2.0);
  example.loop().memory_nodes = {{0, 0, 120}, {1, 0, 80}};
  expect_gain(example, "remote-memory", 1.0, 200.0 / 120.0);
  example.profile.machine.numa.clear();
  expect_gain(example, "remote-memory", 1.0, 200.0 / 120.0);
  example.loop().memory_nodes = {{0, 1, 195}, {1, 1, 5}};  // hardly anybody asks from there
  EXPECT_EQ(gain_of(example, "remote-memory").most, 0.0);
}

TEST(GainWithoutFaults, IsTheTimeOfTheKernelAsFarAsItIsCertain) {
  Case c;
  c.loop().page_faults = PageFaults{1000000, 500000, 1200000, 0, Seconds(4.0)};
  const Finding* finding = c.find("page-faults");
  ASSERT_NE(finding, nullptr);
  EXPECT_DOUBLE_EQ(finding->gain.value(), 1.0 / 0.6);
  EXPECT_DOUBLE_EQ(finding->gain_least.value(), 1.0 / 0.8);
  c.reads("DRAM", 40e9 * 9.0);  // the roof leaves a tenth
  finding = c.find("page-faults");
  ASSERT_NE(finding, nullptr);
  EXPECT_LT(finding->gain.value(), 1.2);
}

/// Scalar additions that explain 29.99 % of the time.
void hardly_explained(Case& c) {
  c.loop().flops = {};
  work_of(c.loop()).add(fp64, kAdd, 64, 23999 * kMega);
}

TEST(Gains, NeedSamplesAndAnExplanation) {
  Case example;
  work_of(example.loop()).add(fp64, kAdd, 64, 24001 * kMega);
  EXPECT_GT(gain_of(example, "scalar-flops").most, 1.0);
  example.samples(19);
  EXPECT_EQ(gain_of(example, "scalar-flops").most, 0.0);
  example.samples(20);
  hardly_explained(example);
  EXPECT_EQ(gain_of(example, "scalar-flops").most, 0.0);
  EXPECT_THAT(example.find("scalar-flops")->gain_note.value(), HasSubstr("30 %"));
  example.samples(19);
  EXPECT_THAT(example.find("scalar-flops")->gain_note.value(), HasSubstr("samples"));
}

TEST(Gains, OrderTheFindings) {
  Case example;
  work_of(example.loop()).add(fp64, kAdd, 64, 40000 * kMega);  // scalar: 2 to 4
  work_of(example.loop()).add(fp64, OperationKind::mul, 64, 40000 * kMega);
  example.loop().fusible_flops = 80000 * kMega;                // 1
  example.loop().masked = MaskedOperations{1000, 8000, 5000};  // at most 1.6
  example.loop().calls = {{"exp", 20 * kMega}};                // no model
  std::vector<std::string> codes;
  for (const Finding& finding : example.findings()) {
    codes.push_back(finding.code);
  }
  EXPECT_THAT(codes,
              ElementsAre("scalar-flops", "idle-lanes", "library-math", "unfused-multiply-add"));
}

TEST(Gains, ComeAfterWhatTakesTheTimeForGood) {
  Case example;
  work_of(example.loop()).add(fp64, kAdd, 128, 80000 * kMega);
  example.loop().iterations = 10000 * kMega;
  example.loop().chain = {{ChainOperation::mul, fp64, false, 10000 * kMega}};
  EXPECT_EQ(example.findings().front().code, "dependency-chain");
  example.loop().chain.front().reduction = true;
  EXPECT_EQ(example.findings().front().code, "narrow-vectors");
}

TEST(Gains, OfTheProgramAreAmdahls) {
  Case example;
  work_of(example.loop()).add(fp64, kAdd, 128, 80000 * kMega);  // twice as fast
  example.profile.program.wall_seconds = Seconds(20.0);
  EXPECT_NEAR(example.find("narrow-vectors")->gain_program.value(), 20.0 / 15.0, kTolerance);
  // Another region that ran at the same time: times do not add up.
  Region other = region_named("other");
  other.id = 3;
  took(other, 15.0);
  example.profile.regions.push_back(other);
  EXPECT_FALSE(example.find("narrow-vectors")->gain_program);
}

Region program_of(double seconds) {
  Region program = region_named("program");
  program.kind = RegionKind::program;
  program.id = 9;
  took(program, seconds);
  return program;
}

/// Half of the program, in two regions that wider vectors make twice as fast.
void two_narrow(Case& c) {
  work_of(c.loop()).add(fp64, kAdd, 128, 80000 * kMega);
  Region second = c.loop();
  second.id = 3;
  c.profile.regions.push_back(second);
  c.profile.regions.push_back(program_of(40.0));
  c.profile.program.wall_seconds = Seconds(40.0);
}

TEST(WholeProgram, SumsEachCodeOverItsRegions) {
  Case example;
  two_narrow(example);
  example.findings();
  const auto& findings = example.prediction.regions.back().findings;
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].code, "narrow-vectors");
  EXPECT_NEAR(findings[0].gain.value(), 40.0 / 30.0, kTolerance);
  EXPECT_DOUBLE_EQ(findings[0].evidence.at("regions"), 2.0);
  EXPECT_DOUBLE_EQ(findings[0].evidence.at("seconds"), 20.0);
  EXPECT_NEAR(findings[0].evidence.at("seconds_saved_at_most"), 10.0, kTolerance);
}

TEST(WholeProgram, LeavesOutWhatIsNotWorthIt) {
  Case example;
  work_of(example.loop()).add(fp64, kAdd, 128, 80000 * kMega);  // saves 5 s
  example.profile.regions.push_back(program_of(106.0));
  example.profile.program.wall_seconds = Seconds(104.0);
  example.findings();
  EXPECT_EQ(example.prediction.regions.back().findings.size(), 1U);
  example.profile.program.wall_seconds = Seconds(106.0);
  example.findings();
  EXPECT_THAT(example.prediction.regions.back().findings, IsEmpty());
}

}  // namespace

void gain_sentences(tests::Sentences& sentences) {
  Case explained;
  hardly_explained(explained);
  sentences.add("no gain: little of the time is explained",
                explained.find("scalar-flops")->gain_note.value());
  explained.samples(19);
  sentences.add("no gain: 19 samples", explained.find("scalar-flops")->gain_note.value());
  Case vectors;
  work_of(vectors.loop()).add(fp64, kAdd, 64, 40000 * kMega);
  sentences.add("gain of vectors", vectors.find("scalar-flops")->gain_note.value());
  Case chain;
  work_of(chain.loop()).add(fp64, kAdd, 64, 10000 * kMega);
  chain.loop().iterations = 10000 * kMega;
  chain.loop().chain = {{ChainOperation::add, fp64, true, 10000 * kMega}};
  sentences.add("gain without a chain", chain.find("dependency-chain")->gain_note.value());
  Case excess;
  excess.reads("DRAM", 300e9);
  excess.loop().bytes_loaded = 40000 * kMega;
  excess.loop().least_traffic["DRAM"] = {100000 * kMega, 0};
  sentences.add("gain of least traffic", excess.find("excess-traffic")->gain_note.value());
  Case program;
  two_narrow(program);
  program.findings();
  sentences.add("a finding of the program", program.prediction.regions.back().findings.at(0).text);
}

}  // namespace ridge::predict
