#include "predict/roofline.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/test_machines.hpp"

namespace ridge::predict {
namespace {

using testing::add_bandwidth;
using testing::add_boundary;
using testing::add_compute;
using testing::has_note;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kGB;
using testing::note_text;
using testing::region_named;
using ::testing::SizeIs;
using testing::skylake_x;
using testing::skylake_x_pipes;
using testing::took;
using testing::zen4;
using testing::zen4_pipes;

constexpr double kZen = 4e9;    // clock of the Zen 4 machine
constexpr double kIntel = 2e9;  // clock of the Skylake-X machine
constexpr std::uint64_t kMega = 1000000;

Bound code_bound(const Region& region, const Machine& machine, const Microarchitecture& pipes) {
  return predict_region(region, machine, &pipes).code.value();
}

Region with_work(OperationKind kind, unsigned width, std::uint64_t flops,
                 Precision precision = Precision::fp64) {
  Region region = region_named("loop");
  region.flops.add(precision, kind, width, flops);
  return region;
}

// Compute ---------------------------------------------------------------------------------------

TEST(ComputeRoof, OneKindOfOperationReachesItsOwnCeiling) {
  const Bound fma = code_bound(with_work(OperationKind::fma, 512, 2 * kMega), zen4(), zen4_pipes());
  EXPECT_DOUBLE_EQ(fma.attainable, 16 * kZen);
  EXPECT_EQ(fma.ceiling, "compute.fp64.avx512.fma.t1");
  EXPECT_EQ(fma.unit, BoundUnit::flops_per_second);
  const Bound add = code_bound(with_work(OperationKind::add, 256, 2 * kMega), zen4(), zen4_pipes());
  EXPECT_DOUBLE_EQ(add.attainable, 8 * kZen);
  EXPECT_EQ(add.ceiling, "compute.fp64.avx2.add.t1");
}

TEST(ComputeRoof, ZenAddsRunBesideFmaAndMulShareThePipesOfFma) {
  // Per element 2 fma (4 flop), 1 mul, 1 add with 256 bit: the fma pipes need 4/16 + 1/8 cycles,
  // the add pipes 1/8, all four operations together 4 / (24 * 2/3) = 1/4: 6 flop in 3/8 cycle.
  Region region = with_work(OperationKind::fma, 256, 4 * kMega);
  region.flops.add(Precision::fp64, OperationKind::mul, 256, kMega);
  region.flops.add(Precision::fp64, OperationKind::add, 256, kMega);
  const Bound bound = code_bound(region, zen4(), zen4_pipes());
  EXPECT_DOUBLE_EQ(bound.attainable, 16 * kZen);
  EXPECT_EQ(bound.ceiling, "compute.fp64.avx2.fma.t1");
}

TEST(ComputeRoof, IntelSharesOneGroup) {
  // 4/32 + 1/16 + 1/16 = 1/4 cycle for 6 flop.
  Region region = with_work(OperationKind::fma, 512, 4 * kMega);
  region.flops.add(Precision::fp64, OperationKind::mul, 512, kMega);
  region.flops.add(Precision::fp64, OperationKind::add, 512, kMega);
  EXPECT_DOUBLE_EQ(code_bound(region, skylake_x(), skylake_x_pipes()).attainable, 24 * kIntel);
}

TEST(ComputeRoof, TheBalancedMixIsAJointConstraint) {
  // Zen 5: fma 32, add 16 flop/cycle, but 1:1 reaches 38 and not 48.
  Machine machine;
  add_compute(machine, "fp64", "avx512", "fma", 1, 32e9);
  add_compute(machine, "fp64", "avx512", "add", 1, 16e9);
  add_compute(machine, "fp64", "avx512", "fma+add", 1, 38e9);
  Region region = with_work(OperationKind::fma, 512, 2 * kMega);
  region.flops.add(Precision::fp64, OperationKind::add, 512, kMega);
  const Bound bound = code_bound(region, machine, zen4_pipes());
  EXPECT_DOUBLE_EQ(bound.attainable, 38e9);
  EXPECT_EQ(bound.ceiling, "compute.fp64.avx512.fma+add.t1");
}

TEST(ComputeRoof, TheBalancedMixSpeaksForOperationsBesideAnFma) {
  // Zen 4 up to 256 bit: fma+add reach 3 operations per cycle together, mul+add 4.
  Machine machine;
  add_compute(machine, "fp64", "avx2", "fma", 1, 16e9);
  add_compute(machine, "fp64", "avx2", "add", 1, 8e9);
  add_compute(machine, "fp64", "avx2", "mul", 1, 8e9);
  add_compute(machine, "fp64", "avx2", "fma+add", 1, 18e9);
  const auto rate = [&](std::uint64_t fmas, std::uint64_t muls, std::uint64_t adds) {
    Region region = with_work(OperationKind::fma, 256, 2 * fmas * kMega);
    region.flops.add(Precision::fp64, OperationKind::mul, 256, muls * kMega);
    region.flops.add(Precision::fp64, OperationKind::add, 256, adds * kMega);
    return code_bound(region, machine, zen4_pipes()).attainable;
  };
  EXPECT_DOUBLE_EQ(rate(0, 1, 1), 16e9);
  EXPECT_DOUBLE_EQ(rate(1, 0, 1), 18e9);
  EXPECT_DOUBLE_EQ(rate(4, 0, 3), 11.0 / 7.0 * 12e9);  // all seven at 12 operations per ns
  EXPECT_DOUBLE_EQ(rate(1, 3, 4), 9.0 / 8.0 * 16e9);   // two of eight do not bind
}

TEST(ComputeRoof, MixedPrecisionsAndWidthsAddTimesOnASharedGroup) {
  // fp64 fma scalar: 4 flop/cycle, fp32 fma 512 bit: 32 flop/cycle: 1/4 + 1/32 cycles per 2 flop.
  Region region = with_work(OperationKind::fma, 64, kMega);
  region.flops.add(Precision::fp32, OperationKind::fma, 512, kMega);
  const Bound bound = code_bound(region, zen4(), zen4_pipes());
  EXPECT_DOUBLE_EQ(bound.attainable, 2.0 / (1.0 / 4 + 1.0 / 32) * kZen);
  EXPECT_EQ(bound.ceiling, "compute.fp64.scalar.fma.t1");  // the group's slowest term
}

TEST(ComputeRoof, AnUnknownCpuGetsTheBalancedMaximum) {
  const Region adds = with_work(OperationKind::add, 256, kMega);
  const auto zen = predict_region(adds, zen4(), nullptr);
  EXPECT_DOUBLE_EQ(zen.code->attainable, 24 * kZen);
  EXPECT_EQ(zen.code->ceiling, "compute.fp64.avx2.fma+add.t1");
  EXPECT_TRUE(has_note(zen, "unknown-microarchitecture"));
  // Where fma and add share pipes the mix is slower than fma alone: the maximum is fma.
  const auto intel = predict_region(adds, skylake_x(), nullptr);
  EXPECT_DOUBLE_EQ(intel.code->attainable, 16 * kIntel);
}

TEST(ComputeRoof, DivisionBindsWhereItWasMeasured) {
  // 1 division and 7 fma: 1/0.5 cycles against 14/32.
  Region region = with_work(OperationKind::fma, 512, 14 * kMega);
  region.flops.add(Precision::fp64, OperationKind::div, 512, kMega);
  const Bound bound = code_bound(region, skylake_x(), skylake_x_pipes());
  EXPECT_DOUBLE_EQ(bound.attainable, 15.0 / 2.0 * kIntel);
  EXPECT_EQ(bound.ceiling, "compute.fp64.avx512.div.t1");
}

TEST(ComputeRoof, DivisionWithoutCeilingIsOnlyOneOfAllOperations) {
  const Region region = with_work(OperationKind::div, 256, kMega);
  const Microarchitecture pipes = zen4_pipes();
  const auto prediction = predict_region(region, zen4(), &pipes);
  EXPECT_DOUBLE_EQ(prediction.code->attainable, 16 * kZen);  // 24 flop/cycle = 16 operations
  EXPECT_EQ(prediction.code->ceiling, "compute.fp64.avx2.fma+add.t1");
  EXPECT_THAT(note_text(prediction, "no-ceiling"), HasSubstr("fp64 div"));
}

TEST(ComputeRoof, PrecisionsWithoutAnyCeilingHaveNoBound) {
  const Microarchitecture pipes = zen4_pipes();
  const auto prediction =
      predict_region(with_work(OperationKind::fma, 512, kMega, Precision::bf16), zen4(), &pipes);
  EXPECT_FALSE(prediction.code);
  EXPECT_THAT(note_text(prediction, "no-ceiling"), HasSubstr("bf16"));
}

TEST(ComputeRoof, TheNearestCeilingStandsInWithANote) {
  Machine machine;
  add_compute(machine, "fp64", "avx2", "fma", 1, 16e9);
  add_compute(machine, "fp64", "avx2", "fma+add", 1, 24e9);
  const Microarchitecture pipes = zen4_pipes();
  const auto prediction =
      predict_region(with_work(OperationKind::fma, 512, kMega), machine, &pipes);
  EXPECT_DOUBLE_EQ(prediction.code->attainable, 16e9);
  EXPECT_THAT(note_text(prediction, "nearest-ceiling"), HasSubstr("compute.fp64.avx2.fma.t1"));
}

TEST(ComputeRoof, AMixOfAnotherWidthConstrainsNothing) {
  Machine machine;
  add_compute(machine, "fp64", "avx512", "fma", 1, 32e9);
  add_compute(machine, "fp64", "sse", "fma+add", 1, 6e9);
  const Microarchitecture pipes = skylake_x_pipes();
  const auto prediction =
      predict_region(with_work(OperationKind::fma, 512, kMega), machine, &pipes);
  EXPECT_DOUBLE_EQ(prediction.code->attainable, 32e9);
  EXPECT_THAT(note_text(prediction, "no-ceiling"), HasSubstr("fp64 fma+add"));
}

// Bandwidth -------------------------------------------------------------------------------------

Region with_traffic(Traffic dram, std::uint64_t flops) {
  Region region = with_work(OperationKind::fma, 512, flops);
  region.traffic["DRAM"] = dram;
  return region;
}

TEST(BandwidthRoof, MeasuredMixesAreReproduced) {
  const auto rate = [](Traffic traffic) {  // flop/s with one flop per byte of traffic
    return code_bound(with_traffic(traffic, traffic.total()), zen4(), zen4_pipes());
  };
  EXPECT_DOUBLE_EQ(rate({300 * kMega, 0}).attainable, 40 * kGB);
  EXPECT_EQ(rate({300 * kMega, 0}).ceiling, "bandwidth.DRAM.load.avx512.t1");
  EXPECT_DOUBLE_EQ(rate({200 * kMega, 100 * kMega}).attainable, 36 * kGB);
  EXPECT_EQ(rate({200 * kMega, 100 * kMega}).ceiling, "bandwidth.DRAM.copy.avx512.t1");
  EXPECT_DOUBLE_EQ(rate({150 * kMega, 150 * kMega}).attainable, 30 * kGB);
  EXPECT_EQ(rate({150 * kMega, 150 * kMega}).ceiling, "bandwidth.DRAM.store.avx512.t1");
}

TEST(BandwidthRoof, TimePerByteIsLinearBetweenThem) {
  // Triad with write-allocate: 3 read, 1 written, share 1/4 = 3/4 of the way from load to copy.
  const Bound triad = code_bound(with_traffic({3 * kMega, kMega}, 4 * kMega), zen4(), zen4_pipes());
  EXPECT_DOUBLE_EQ(triad.attainable, 1.0 / (0.25 / (40 * kGB) + 0.75 / (36 * kGB)));
  EXPECT_EQ(triad.ceiling, "bandwidth.DRAM.copy.avx512.t1");
  // Beyond the store mix (non-temporal stores): the store ceiling.
  const Bound stores = code_bound(with_traffic({0, kMega}, kMega), zen4(), zen4_pipes());
  EXPECT_DOUBLE_EQ(stores.attainable, 30 * kGB);
}

TEST(BandwidthRoof, WithoutWriteAllocateTheMixesMove) {
  Machine machine;
  add_bandwidth(machine, "DRAM", "load", "avx512", 1, 40 * kGB);
  add_bandwidth(machine, "DRAM", "copy", "avx512", 1, 36 * kGB);   // half written
  add_bandwidth(machine, "DRAM", "store", "avx512", 1, 30 * kGB);  // all written
  const auto rate = [&](Traffic traffic) {
    Region region = region_named("copy");
    region.bytes_loaded = traffic.read;
    region.bytes_stored = traffic.written;
    region.traffic["DRAM"] = traffic;
    return code_bound(region, machine, zen4_pipes()).attainable;
  };
  EXPECT_DOUBLE_EQ(rate({kMega, kMega}), 36 * kGB);
  EXPECT_DOUBLE_EQ(rate({0, kMega}), 30 * kGB);
}

TEST(BandwidthRoof, OfTwoRatesForOneMixTheHigherHolds) {
  Machine machine;
  add_bandwidth(machine, "DRAM", "copy", "avx512", 1, 20 * kGB, 1.0);   // half written
  add_bandwidth(machine, "DRAM", "store", "avx512", 1, 15 * kGB, 2.0);  // half written as well
  const auto rate = [&] {
    Region region = with_traffic({kMega, kMega}, 2 * kMega);
    return code_bound(region, machine, zen4_pipes()).attainable;
  };
  EXPECT_DOUBLE_EQ(rate(), 30 * kGB);
  machine.ceilings.front() = machine.ceilings.back();
  add_bandwidth(machine, "DRAM", "copy", "avx512", 1, 35 * kGB, 1.0);
  EXPECT_DOUBLE_EQ(rate(), 35 * kGB);
}

TEST(BandwidthRoof, CleanVictimsCountOnNeitherSide) {
  // Each line that enters L2 pushes one out into the victim L3: half of all traffic is written.
  Machine machine = zen4();
  machine.caches[2].policy = CachePolicy::victim;
  const auto rate_of_reads = [&](Traffic l2, Traffic l3) {
    Region region = region_named("stream");
    region.traffic["L2"] = l2;
    region.traffic["L3"] = l3;
    const Bound bound = code_bound(region, machine, zen4_pipes());
    const double seconds = static_cast<double>(l2.total()) / bound.attainable;
    return static_cast<double>(l3.read) / seconds / kZen;  // byte/cycle
  };
  // A sum: none of the victims is dirty. A copy: one for two lines read. Both as measured.
  EXPECT_DOUBLE_EQ(rate_of_reads({6 * kMega, 0}, {6 * kMega, 6 * kMega}), 25.0);
  EXPECT_DOUBLE_EQ(rate_of_reads({6 * kMega, 3 * kMega}, {6 * kMega, 6 * kMega}), 25.0 * 2 / 3);
  // Of an inclusive cache all that is written is dirty.
  machine.caches[2].policy = CachePolicy::inclusive;
  EXPECT_DOUBLE_EQ(rate_of_reads({6 * kMega, 0}, {6 * kMega, 6 * kMega}), 25.0 / 2);
}

TEST(BandwidthRoof, VictimsInTheRatesOfCeilingsAreTakenOutToo) {
  Machine machine;
  add_bandwidth(machine, "L3", "load", "avx512", 1, 20 * kGB, 2.0);
  Region region = region_named("sum");
  region.traffic["L3"] = {kMega, 0};
  EXPECT_DOUBLE_EQ(code_bound(region, machine, zen4_pipes()).attainable, 20 * kGB);
}

TEST(BandwidthRoof, WritingCeilingsOfUnknownTrafficAreLeftOut) {
  Machine machine;
  add_bandwidth(machine, "DRAM", "load", "avx512", 1, 40 * kGB);
  add_bandwidth(machine, "DRAM", "copy", "avx512", 1, 10 * kGB);
  machine.ceilings.back().traffic_value.reset();
  machine.ceilings.front().traffic_value.reset();  // what a load asks for is what it reads
  const Bound bound =
      code_bound(with_traffic({2 * kMega, kMega}, 3 * kMega), machine, zen4_pipes());
  EXPECT_DOUBLE_EQ(bound.attainable, 40 * kGB);
}

TEST(BandwidthRoof, LessTrafficNeverTakesLonger) {
  // A store ceiling so slow that the interpolation would speed up when reads are added.
  Machine machine;
  add_boundary(machine, "DRAM", 1, 40 * kGB, 36 * kGB, 10 * kGB);
  const auto seconds = [&](Traffic traffic) {
    Region region = with_traffic(traffic, kMega);
    return kMega / code_bound(region, machine, zen4_pipes()).attainable;
  };
  EXPECT_DOUBLE_EQ(seconds({kMega, kMega}), 2 * kMega / (10 * kGB));
  EXPECT_DOUBLE_EQ(seconds({2 * kMega, kMega}), 2 * kMega / (10 * kGB));
}

TEST(BandwidthRoof, L1LoadsStoresAndAllTogether) {
  const auto seconds = [](std::uint64_t loaded, std::uint64_t stored) {
    Region region = region_named("move");
    region.bytes_loaded = loaded;
    region.bytes_stored = stored;
    const Bound bound = code_bound(region, zen4(), zen4_pipes());
    EXPECT_EQ(bound.unit, BoundUnit::bytes_per_second);
    return std::pair{static_cast<double>(loaded + stored) / bound.attainable * kZen, bound.ceiling};
  };
  EXPECT_DOUBLE_EQ(seconds(64, 0).first, 1.0);
  EXPECT_EQ(seconds(64, 0).second, "bandwidth.L1.load.avx512.t1");
  EXPECT_DOUBLE_EQ(seconds(64, 64).first, 2.0);
  EXPECT_EQ(seconds(64, 64).second, "bandwidth.L1.store.avx512.t1");
  EXPECT_DOUBLE_EQ(seconds(64, 32).first, 96.0 / 90.0);  // the triad ceiling: all together
  EXPECT_EQ(seconds(64, 32).second, "bandwidth.L1.triad.avx512.t1");
}

TEST(BandwidthRoof, L1UsesTheWidthThatDoesMostOfTheWork) {
  Region region = with_work(OperationKind::fma, 64, kMega);
  region.bytes_loaded = 16 * kMega;
  const Microarchitecture pipes = zen4_pipes();
  const auto prediction = predict_region(region, zen4(), &pipes);
  EXPECT_EQ(prediction.code->ceiling, "bandwidth.L1.load.scalar.t1");
  EXPECT_DOUBLE_EQ(prediction.code->attainable, kZen);
  EXPECT_EQ(prediction.machine->ceiling, "bandwidth.L1.load.avx512.t2");
}

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
  // With the rates of Zen 5: 77.4 % of the flops in fma fill the fma pipes and the joint rate.
  Machine machine;
  add_compute(machine, "fp64", "avx512", "fma", 1, 32e9);
  add_compute(machine, "fp64", "avx512", "add", 1, 16e9);
  add_compute(machine, "fp64", "avx512", "fma+add", 1, 38e9);
  Region region = with_work(OperationKind::fma, 512, 774 * kMega);
  region.flops.add(Precision::fp64, OperationKind::add, 512, 226 * kMega);
  const Microarchitecture pipes = zen4_pipes();
  const auto prediction = predict_region(region, machine, &pipes);
  EXPECT_NEAR(prediction.code->attainable / 41.3e9, 1.0, 1e-3);
  EXPECT_DOUBLE_EQ(prediction.machine->attainable, prediction.code->attainable);
}

TEST(Roof, ABoundThatLeavesWorkOutDoesNotLiftTheMachine) {
  Machine
      machine;  // neither division nor a mix was measured: the code bound is that of half the work
  add_compute(machine, "fp64", "avx512", "fma", 1, 32e9);
  Region region = with_work(OperationKind::fma, 512, kMega);
  region.flops.add(Precision::fp64, OperationKind::div, 512, kMega);
  const Microarchitecture pipes = zen4_pipes();
  const auto prediction = predict_region(region, machine, &pipes);
  EXPECT_DOUBLE_EQ(prediction.code->attainable, 64e9);
  EXPECT_DOUBLE_EQ(prediction.machine->attainable, 32e9);
  EXPECT_TRUE(has_note(prediction, "code-above-machine"));
}

TEST(Roof, UnmeasuredThreadCountsShowBothNeighbours) {
  Machine machine;
  for (const unsigned threads : {1U, 4U}) {
    add_compute(machine, "fp64", "avx512", "fma", threads, 16e9 * threads);
    add_compute(machine, "fp64", "avx512", "fma+add", threads, 24e9 * threads);
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
  EXPECT_TRUE(has_note(predict_region(integers, zen4(), &pipes), "no-integer-ceiling"));
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

TEST(AboveTheRoof, IsKeptAndExplainedByTheShareOfTheLastLevel) {
  Region region = triad();
  region.traffic_at_share["1/2"] = {3000 * kMega, 900 * kMega};
  const auto prediction = at_fraction(region, 1.5);
  EXPECT_NEAR(prediction.code->fraction.value(), 1.5, 1e-12);
  EXPECT_THAT(note_text(prediction, "above-roof"), HasSubstr("share of the last level"));
  EXPECT_THAT(note_text(prediction, "model_contradiction"), HasSubstr("DRAM traffic of 3.2 GB"));
}

TEST(AboveTheRoof, EachResourceHasItsOwnLikelyReason) {
  EXPECT_THAT(note_text(at_fraction(triad(), 1.5), "above-roof"), HasSubstr("slow moment"));
  Region cached = triad();
  cached.traffic.erase("DRAM");
  EXPECT_THAT(note_text(at_fraction(cached, 1.5), "above-roof"), HasSubstr("inner cache"));
  Region scalar = with_work(OperationKind::add, 64, kMega);
  scalar.bytes_loaded = 64 * kMega;
  EXPECT_THAT(note_text(at_fraction(scalar, 1.5), "above-roof"), HasSubstr("wider"));
  Region registers = with_work(OperationKind::fma, 512, kMega);
  EXPECT_THAT(note_text(at_fraction(registers, 1.5), "above-roof"), HasSubstr("removed"));
  EXPECT_THAT(note_text(at_fraction(registers, 1.04), "above-roof"), HasSubstr("repeatability"));
}

TEST(AboveTheRoof, AWideTimeIntervalIsTheFirstSuspect) {
  Region region = triad();
  took(region, 0.05);
  region.time_seconds.self->high = Seconds(0.2);
  const Microarchitecture pipes = zen4_pipes();
  const auto prediction = predict_region(region, zen4(), &pipes);
  EXPECT_GT(prediction.code->fraction.value(), 1.0);
  EXPECT_THAT(note_text(prediction, "above-roof"), HasSubstr("uncertain"));
}

TEST(AboveTheRoof, MoreThreadsThanMeasuredAreTheReason) {
  Region region = triad();
  region.threads = 16;
  took(region, 0.01);
  const Microarchitecture pipes = zen4_pipes();
  EXPECT_THAT(note_text(predict_region(region, zen4(), &pipes), "above-roof"),
              HasSubstr("2 threads, the region ran with up to 16"));
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
}  // namespace ridge::predict
