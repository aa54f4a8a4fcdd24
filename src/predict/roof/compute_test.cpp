#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/findings/predict.hpp"
#include "predict/roof/machines_for_tests.hpp"

namespace ridge::predict {
namespace {

using testing::add_compute;
using testing::code_bound;
using testing::has_note;
using ::testing::HasSubstr;
using testing::kIntel;
using testing::kMega;
using testing::kZen;
using testing::note_text;
using testing::skylake_x;
using testing::skylake_x_pipes;
using testing::with_work;
using testing::zen4;
using testing::zen4_pipes;

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
  // fma 32, add 16 flop/cycle on pipes of their own, but 1:1 reaches 38 and not 48.
  Machine machine;
  add_compute(machine, "fp64", Isa::avx512, Operation::fma, 1, 32e9);
  add_compute(machine, "fp64", Isa::avx512, Operation::add, 1, 16e9);
  add_compute(machine, "fp64", Isa::avx512, Operation::fma_add, 1, 38e9);
  Region region = with_work(OperationKind::fma, 512, 2 * kMega);
  region.flops.add(Precision::fp64, OperationKind::add, 512, kMega);
  const Bound bound = code_bound(region, machine, zen4_pipes());
  EXPECT_DOUBLE_EQ(bound.attainable, 38e9);
  EXPECT_EQ(bound.ceiling, "compute.fp64.avx512.fma+add.t1");
}

TEST(ComputeRoof, TheBalancedMixSpeaksForOperationsBesideAnFma) {
  // Zen 4 up to 256 bit: fma+add reach 3 operations per cycle together, mul+add 4.
  Machine machine;
  add_compute(machine, "fp64", Isa::avx2, Operation::fma, 1, 16e9);
  add_compute(machine, "fp64", Isa::avx2, Operation::add, 1, 8e9);
  add_compute(machine, "fp64", Isa::avx2, Operation::mul, 1, 8e9);
  add_compute(machine, "fp64", Isa::avx2, Operation::fma_add, 1, 18e9);
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
  add_compute(machine, "fp64", Isa::avx2, Operation::fma, 1, 16e9);
  add_compute(machine, "fp64", Isa::avx2, Operation::fma_add, 1, 24e9);
  const Microarchitecture pipes = zen4_pipes();
  const auto prediction =
      predict_region(with_work(OperationKind::fma, 512, kMega), machine, &pipes);
  EXPECT_DOUBLE_EQ(prediction.code->attainable, 16e9);
  EXPECT_THAT(note_text(prediction, "nearest-ceiling"), HasSubstr("compute.fp64.avx2.fma.t1"));
}

TEST(ComputeRoof, AMixOfAnotherWidthConstrainsNothing) {
  Machine machine;
  add_compute(machine, "fp64", Isa::avx512, Operation::fma, 1, 32e9);
  add_compute(machine, "fp64", Isa::sse, Operation::fma_add, 1, 6e9);
  const Microarchitecture pipes = skylake_x_pipes();
  const auto prediction =
      predict_region(with_work(OperationKind::fma, 512, kMega), machine, &pipes);
  EXPECT_DOUBLE_EQ(prediction.code->attainable, 32e9);
  EXPECT_THAT(note_text(prediction, "no-ceiling"), HasSubstr("fp64 fma+add"));
}

}  // namespace
}  // namespace ridge::predict
