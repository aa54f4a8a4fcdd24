#include "predict/roof/roofline.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/findings/predict.hpp"
#include "predict/roof/machines_for_tests.hpp"
#include "predict/sentences_for_tests.hpp"

namespace ridge::predict {
namespace {

using testing::add_boundary;
using testing::add_compute;
using ::testing::AllOf;
using testing::code_bound;
using testing::has_note;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kGB;
using testing::kIntel;
using testing::kMega;
using testing::kZen;
using testing::note_text;
using testing::region_named;
using ::testing::SizeIs;
using testing::skylake_x;
using testing::skylake_x_pipes;
using testing::took;
using testing::with_work;
using testing::zen4;
using testing::zen4_pipes;

// The rule --------------------------------------------------------------------------------------

/// Two flops and 24 bytes per element like triad, 10^8 elements, 1 thread.
Region triad() {
  Region region = with_work(OperationKind::fma, 512, 200 * kMega);
  region.bytes_loaded = 1600 * kMega;
  region.bytes_stored = 800 * kMega;
  region.traffic["L2"] = {2400 * kMega, 800 * kMega};
  region.traffic["L3"] = {2400 * kMega, 800 * kMega};
  region.traffic["DRAM"] = {2400 * kMega, 800 * kMega};
  return region;
}

TEST(Roof, TheSlowestResourceBindsAndTheNextIsNamed) {
  Region region = triad();
  took(region, 0.2);
  const Bound bound = code_bound(region, zen4(), zen4_pipes());
  const double dram = 3.2e9 * (0.25 / (40 * kGB) + 0.75 / (36 * kGB));
  EXPECT_EQ(bound.ceiling, "bandwidth.DRAM.copy.avx512.t1");
  EXPECT_DOUBLE_EQ(bound.attainable, 2e8 / dram);
  EXPECT_DOUBLE_EQ(bound.fraction.value(), dram / 0.2);
  EXPECT_EQ(bound.next.value(), "bandwidth.L3.copy.avx512.t1");
  EXPECT_DOUBLE_EQ(bound.next_attainable.value(), 2e8 / (3.2e9 / (25 * kZen)));
}

// Bytes alone would give a roof of the memory, and what was not counted may lie far below it.
TEST(Roof, WorkThatNobodyCountedHasNone) {
  const Microarchitecture pipes = zen4_pipes();
  Region region = with_work(OperationKind::fma, 512, 1000 * kMega);
  region.bytes_loaded = 8000 * kMega;
  ASSERT_TRUE(predict_region(region, zen4(), &pipes).code);
  region.flops.reset();
  const RegionPrediction unknown = predict_region(region, zen4(), &pipes);
  EXPECT_FALSE(unknown.code);
  EXPECT_FALSE(unknown.machine);
  EXPECT_TRUE(has_note(unknown, "work-unknown"));
  region.kind = RegionKind::library;
  EXPECT_FALSE(has_note(predict_region(region, zen4(), &pipes), "work-unknown")) << "it says so";
}

TEST(Roof, WithoutTimeThereIsNoFraction) {
  EXPECT_FALSE(code_bound(triad(), zen4(), zen4_pipes()).fraction);
  Region region = triad();
  took(region, 0.0);
  EXPECT_FALSE(code_bound(region, zen4(), zen4_pipes()).fraction);
}

TEST(Roof, TheMachineBoundHasAllThreadsAndTheBestMix) {
  const Microarchitecture pipes = zen4_pipes();
  Region region = with_work(OperationKind::mul, 64, kMega);
  took(region, 1e-3);
  const auto prediction = predict_region(region, zen4(), &pipes);
  EXPECT_DOUBLE_EQ(prediction.machine->attainable, 2 * 24 * kZen);
  EXPECT_EQ(prediction.machine->ceiling, "compute.fp64.avx512.fma+add.t2");  // not avx2: as fast
  EXPECT_DOUBLE_EQ(prediction.machine->fraction.value(), 1e9 / (48 * kZen));
  const auto streaming = predict_region(triad(), zen4(), &pipes);
  EXPECT_EQ(streaming.machine->ceiling, "bandwidth.DRAM.copy.avx512.t2");
}

TEST(Roof, TheMachineBoundOfPureFmaIsNoLowerThanTheCodes) {
  const Microarchitecture pipes = skylake_x_pipes();
  const auto prediction =
      predict_region(with_work(OperationKind::fma, 512, kMega), skylake_x(), &pipes);
  EXPECT_DOUBLE_EQ(prediction.code->attainable, 32 * kIntel);
  EXPECT_DOUBLE_EQ(prediction.machine->attainable, 32 * kIntel);
}

TEST(Roof, AMixBetterThanTheBalancedOneLiftsTheMachineBoundToo) {
  // With a joint rate below the sum of the pipes: 77.4 % of the flops in fma fill the fma pipes and
  // the joint rate.
  Machine machine;
  add_compute(machine, "fp64", Isa::avx512, Operation::fma, 1, 32e9);
  add_compute(machine, "fp64", Isa::avx512, Operation::add, 1, 16e9);
  add_compute(machine, "fp64", Isa::avx512, Operation::fma_add, 1, 38e9);
  Region region = with_work(OperationKind::fma, 512, 774 * kMega);
  work_of(region).add(Precision::fp64, OperationKind::add, 512, 226 * kMega);
  const Microarchitecture pipes = zen4_pipes();
  const auto prediction = predict_region(region, machine, &pipes);
  EXPECT_NEAR(prediction.code->attainable / 41.3e9, 1.0, 1e-3);
  EXPECT_DOUBLE_EQ(prediction.machine->attainable, prediction.code->attainable);
}

TEST(Roof, ABoundThatLeavesWorkOutDoesNotLiftTheMachine) {
  Machine
      machine;  // neither division nor a mix was measured: the code bound is that of half the work
  add_compute(machine, "fp64", Isa::avx512, Operation::fma, 1, 32e9);
  Region region = with_work(OperationKind::fma, 512, kMega);
  work_of(region).add(Precision::fp64, OperationKind::div, 512, kMega);
  const Microarchitecture pipes = zen4_pipes();
  const auto prediction = predict_region(region, machine, &pipes);
  EXPECT_DOUBLE_EQ(prediction.code->attainable, 64e9);
  EXPECT_DOUBLE_EQ(prediction.machine->attainable, 32e9);
  EXPECT_TRUE(has_note(prediction, "code-above-machine"));
}

TEST(Roof, UnmeasuredThreadCountsShowBothNeighbours) {
  Machine machine;
  for (const unsigned threads : {1U, 4U}) {
    add_compute(machine, "fp64", Isa::avx512, Operation::fma, threads, 16e9 * threads);
    add_compute(machine, "fp64", Isa::avx512, Operation::fma_add, threads, 24e9 * threads);
  }
  Region region = with_work(OperationKind::fma, 512, kMega);
  region.threads = 2;
  const Microarchitecture pipes = zen4_pipes();
  const auto prediction = predict_region(region, machine, &pipes);
  EXPECT_DOUBLE_EQ(prediction.code->attainable, 16e9);
  ASSERT_THAT(prediction.code_at_neighbouring_threads, SizeIs(2));
  EXPECT_DOUBLE_EQ(prediction.code_at_neighbouring_threads[0].attainable, 16e9);
  EXPECT_DOUBLE_EQ(prediction.code_at_neighbouring_threads[1].attainable, 64e9);
  EXPECT_TRUE(has_note(prediction, "threads-not-measured"));
}

TEST(Roof, ALevelWithoutTrafficDoesNotBind) {
  Region region = triad();
  region.traffic["DRAM"] = {0, 0};
  EXPECT_EQ(code_bound(region, zen4(), zen4_pipes()).ceiling, "bandwidth.L3.copy.avx512.t1");
}

TEST(Roof, WithoutAnyTrafficOnlyComputeAndL1Bind) {
  Region region = triad();
  region.traffic.clear();
  const Microarchitecture pipes = zen4_pipes();
  const auto prediction = predict_region(region, zen4(), &pipes);
  EXPECT_EQ(prediction.code->ceiling, "bandwidth.L1.triad.avx512.t1");
  EXPECT_TRUE(has_note(prediction, "no-traffic"));
  region.bytes_loaded = region.bytes_stored = 0;  // arithmetic in registers: nothing is unknown
  EXPECT_FALSE(has_note(predict_region(region, zen4(), &pipes), "no-traffic"));
}

TEST(Roof, RegionsWithoutFlopsAreBoundedInBytes) {
  Region region = region_named("copy");
  region.bytes_loaded = 100 * kMega;
  region.bytes_stored = 100 * kMega;
  region.traffic["DRAM"] = {200 * kMega, 100 * kMega};
  took(region, 0.01);
  const Bound bound = code_bound(region, zen4(), zen4_pipes());
  EXPECT_EQ(bound.unit, BoundUnit::bytes_per_second);
  EXPECT_EQ(bound.ceiling, "bandwidth.DRAM.copy.avx512.t1");
  EXPECT_DOUBLE_EQ(bound.attainable, 24 * kGB);  // as asked for: 36 GB/s of traffic
  EXPECT_DOUBLE_EQ(bound.fraction.value(), 20 * kGB / (24 * kGB));
}

TEST(Roof, NothingToBoundHasNoBound) {
  const Microarchitecture pipes = zen4_pipes();
  const auto empty = predict_region(region_named("omp wait"), zen4(), &pipes);
  EXPECT_FALSE(empty.code);
  EXPECT_FALSE(empty.machine);
  EXPECT_THAT(empty.notes, IsEmpty());
  Region integers = region_named("hash");
  integers.intops = 1000;
  EXPECT_TRUE(has_note(predict_region(integers, zen4(), &pipes), "integers-only"));
  const auto bare = predict_region(triad(), Machine{}, &pipes);
  EXPECT_FALSE(bare.code);
  EXPECT_TRUE(has_note(bare, "no-ceiling"));
}

TEST(Roof, LevelsWithoutCeilingsDoNotBindAndSaySo) {
  Region region = triad();
  region.traffic["CXL"] = {1, 1};
  const Microarchitecture pipes = zen4_pipes();
  const auto prediction = predict_region(region, zen4(), &pipes);
  EXPECT_EQ(prediction.code->ceiling, "bandwidth.DRAM.copy.avx512.t1");
  EXPECT_THAT(note_text(prediction, "no-ceiling"), HasSubstr("CXL"));
}

// Above the roof --------------------------------------------------------------------------------

/// Triad at `fraction` of its roof on the Zen 4 machine.
RegionPrediction at_fraction(Region region, double fraction) {
  const Microarchitecture pipes = zen4_pipes();
  const Bound bound = predict_region(region, zen4(), &pipes).code.value();
  const Axis axis = axis_of(region, zen4()).value();
  took(region, axis.amount / bound.attainable / fraction);
  return predict_region(region, zen4(), &pipes);
}

Region triad_of_half_the_cache() {
  Region region = triad();
  region.traffic_at_share["1/2"] = {3000 * kMega, 900 * kMega};
  return region;
}

TEST(AboveTheRoof, IsKeptAndExplainedByTheShareOfTheLastLevel) {
  const auto prediction = at_fraction(triad_of_half_the_cache(), 1.5);
  EXPECT_NEAR(prediction.code->fraction.value(), 1.5, 1e-12);
  EXPECT_THAT(note_text(prediction, "above-roof"), HasSubstr("share"));
  EXPECT_THAT(note_text(prediction, "model_contradiction"), HasSubstr("3.2 GB"));
}

Region cached_triad() {
  Region region = triad();
  region.traffic.erase("DRAM");
  return region;
}

Region scalar_additions() {
  Region region = with_work(OperationKind::add, 64, kMega);
  region.bytes_loaded = 64 * kMega;
  return region;
}

TEST(AboveTheRoof, EachResourceHasItsOwnLikelyReason) {
  EXPECT_THAT(note_text(at_fraction(triad(), 1.5), "above-roof"), HasSubstr("slow moment"));
  EXPECT_THAT(note_text(at_fraction(cached_triad(), 1.5), "above-roof"), HasSubstr("inner cache"));
  EXPECT_THAT(note_text(at_fraction(scalar_additions(), 1.5), "above-roof"), HasSubstr("wider"));
  const Region registers = with_work(OperationKind::fma, 512, kMega);
  EXPECT_THAT(note_text(at_fraction(registers, 1.5), "above-roof"), HasSubstr("removed"));
  EXPECT_THAT(note_text(at_fraction(registers, 1.04), "above-roof"), HasSubstr("repeatability"));
}

RegionPrediction of_uncertain_time() {
  Region region = triad();
  took(region, 0.05);
  region.time_seconds.self->high = Seconds(0.2);
  const Microarchitecture pipes = zen4_pipes();
  return predict_region(region, zen4(), &pipes);
}

TEST(AboveTheRoof, AWideTimeIntervalIsTheFirstSuspect) {
  const auto prediction = of_uncertain_time();
  EXPECT_GT(prediction.code->fraction.value(), 1.0);
  EXPECT_THAT(note_text(prediction, "above-roof"), HasSubstr("uncertain"));
}

RegionPrediction of_16_threads() {
  Region region = triad();
  region.threads = 16;
  took(region, 0.01);
  const Microarchitecture pipes = zen4_pipes();
  return predict_region(region, zen4(), &pipes);
}

TEST(AboveTheRoof, MoreThreadsThanMeasuredAreTheReason) {
  EXPECT_THAT(note_text(of_16_threads(), "above-roof"),
              AllOf(HasSubstr("2 threads"), HasSubstr(" 16")));
}

TEST(AboveTheRoof, BelowItThereIsNothingToSay) {
  const auto prediction = at_fraction(triad(), 0.9);
  EXPECT_FALSE(has_note(prediction, "above-roof"));
  EXPECT_FALSE(has_note(prediction, "model_contradiction"));
}

TEST(AboveTheRoof, ALevelThatDoesNotBindCanContradictToo) {
  Machine machine = zen4();
  Region region = triad();
  took(region, 0.01);  // L2, L3 and DRAM all carry more than they can
  const Microarchitecture pipes = zen4_pipes();
  int contradictions = 0;
  for (const Note& note : predict_region(region, machine, &pipes).notes) {
    contradictions += note.code == "model_contradiction" ? 1 : 0;
  }
  EXPECT_EQ(contradictions, 3);
}

TEST(AboveTheRoof, ACodeBoundAboveTheMachinesIsExplained) {
  Machine machine;
  add_boundary(machine, "DRAM", 1, 40 * kGB, 40 * kGB, 40 * kGB);
  add_boundary(machine, "DRAM", 2, 35 * kGB, 35 * kGB, 35 * kGB);  // two threads are slower here
  const Microarchitecture pipes = zen4_pipes();
  EXPECT_TRUE(has_note(predict_region(triad(), machine, &pipes), "code-above-machine"));
  EXPECT_FALSE(has_note(predict_region(triad(), zen4(), &pipes), "code-above-machine"));
}

TEST(Predict, OnePredictionPerRegionInOrder) {
  Profile profile;
  profile.machine = zen4();
  profile.regions = {triad(), region_named("omp wait")};
  profile.regions[0].id = 7;
  profile.regions[1].id = 3;
  const Microarchitecture pipes = zen4_pipes();
  const Prediction prediction = predict(profile, &pipes);
  ASSERT_THAT(prediction.regions, SizeIs(2));
  EXPECT_EQ(prediction.regions[0].region, 7U);
  EXPECT_EQ(prediction.regions[1].region, 3U);
  EXPECT_FALSE(prediction.summary.empty());
}

}  // namespace

void above_roof_sentences(tests::Sentences& sentences) {
  const auto add = [&](const std::string& what, const RegionPrediction& prediction) {
    sentences.add("above the roof: " + what, note_text(prediction, "above-roof"));
  };
  const RegionPrediction half = at_fraction(triad_of_half_the_cache(), 1.5);
  add("with half of the last cache", half);
  sentences.add("contradiction", note_text(half, "model_contradiction"));
  add("of memory", at_fraction(triad(), 1.5));
  add("of a cache", at_fraction(cached_triad(), 1.5));
  add("of scalar additions", at_fraction(scalar_additions(), 1.5));
  add("of FMA", at_fraction(with_work(OperationKind::fma, 512, kMega), 1.5));
  add("of FMA, by little", at_fraction(with_work(OperationKind::fma, 512, kMega), 1.04));
  add("in an uncertain time", of_uncertain_time());
  add("with 16 threads", of_16_threads());
}

}  // namespace ridge::predict
