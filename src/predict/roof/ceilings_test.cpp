#include "predict/roof/ceilings.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/roof/machines_for_tests.hpp"

namespace ridge::predict {
namespace {

using testing::add_bandwidth;
using testing::add_compute;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::zen4;

TEST(Ceilings, WidthsNameInstructionSets) {
  EXPECT_EQ(isa_of_width(Precision::fp64, 64), Isa::scalar);
  EXPECT_EQ(isa_of_width(Precision::fp32, 32), Isa::scalar);
  EXPECT_EQ(isa_of_width(Precision::fp16, 16), Isa::scalar);
  EXPECT_EQ(isa_of_width(Precision::fp32, 64), Isa::sse);  // two lanes
  EXPECT_EQ(isa_of_width(Precision::fp64, 128), Isa::sse);
  EXPECT_EQ(isa_of_width(Precision::fp64, 256), Isa::avx2);
  EXPECT_EQ(isa_of_width(Precision::fp64, 512), Isa::avx512);
  EXPECT_EQ(isa_of_width(Precision::fp64, 0), Isa::scalar);
  EXPECT_EQ(isa_of_width(Precision::fp64, 4096), Isa::avx512);
}

TEST(Ceilings, TheExactOneIsPreferred) {
  const Machine machine = zen4();
  const Match match = find_compute(machine, {"fp64", Isa::avx2, Operation::fma, 2});
  ASSERT_NE(match.ceiling, nullptr);
  EXPECT_TRUE(match.exact);
  EXPECT_EQ(match.ceiling->id, "compute.fp64.avx2.fma.t2");
}

TEST(Ceilings, OfTwoEquallyNearWidthsTheWiderStandsIn) {
  Machine machine;
  add_compute(machine, "fp64", Isa::scalar, Operation::add, 1, 1e9);
  add_compute(machine, "fp64", Isa::avx2, Operation::add, 1, 4e9);
  const Match match = find_compute(machine, {"fp64", Isa::sse, Operation::add, 1});
  ASSERT_NE(match.ceiling, nullptr);
  EXPECT_FALSE(match.same_isa);
  EXPECT_FALSE(match.exact);
  EXPECT_EQ(match.ceiling->id, "compute.fp64.avx2.add.t1");
}

TEST(Ceilings, ThreadsComeBeforeWidthAndLowerCountsBeforeHigherOnes) {
  Machine machine;
  add_bandwidth(machine, "L2", Pattern::load, Isa::avx512, 2, 1e9);
  add_bandwidth(machine, "L2", Pattern::load, Isa::avx512, 8, 1e9);
  add_bandwidth(machine, "L2", Pattern::load, Isa::sse, 4, 1e9);
  const auto id = [&](unsigned threads) {
    return find_bandwidth(machine, {"L2", Pattern::load, Isa::avx512, threads}).ceiling->id;
  };
  EXPECT_EQ(id(4), "bandwidth.L2.load.sse.t4");
  EXPECT_EQ(id(3), "bandwidth.L2.load.avx512.t2");
  EXPECT_EQ(id(7), "bandwidth.L2.load.sse.t4");
  EXPECT_EQ(id(1), "bandwidth.L2.load.avx512.t2");
  EXPECT_EQ(id(64), "bandwidth.L2.load.avx512.t8");
}

TEST(Ceilings, DevicesAndImpossibleRatesArePassedOver) {
  Machine machine;
  add_compute(machine, "fp64", Isa::avx2, Operation::fma, 1, 1e9);
  machine.ceilings.back().device = "gpu0";
  for (const double rate : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(),
                            std::numeric_limits<double>::infinity()}) {
    add_compute(machine, "fp64", Isa::avx2, Operation::fma, 1, rate);
  }
  EXPECT_EQ(find_compute(machine, {"fp64", Isa::avx2, Operation::fma, 1}).ceiling, nullptr);
  EXPECT_THAT(measured_threads(machine), IsEmpty());
  EXPECT_FALSE(choose_threads(machine, 1));
}

TEST(Ceilings, ThreadCountsThatWereNotMeasuredHaveNeighbours) {
  Machine machine;
  for (const unsigned threads : {8U, 2U, 4U, 2U}) {
    add_compute(machine, "fp64", Isa::avx2, Operation::fma, threads, 1e9 * threads);
  }
  EXPECT_THAT(measured_threads(machine), ElementsAre(2U, 4U, 8U));
  const auto chosen = [&](unsigned threads) { return choose_threads(machine, threads).value(); };
  EXPECT_TRUE(chosen(4).exact);
  EXPECT_THAT(chosen(4).neighbours, IsEmpty());
  EXPECT_EQ(chosen(6).used, 4U);
  EXPECT_THAT(chosen(6).neighbours, ElementsAre(4U, 8U));
  EXPECT_EQ(chosen(99).used, 8U);
  EXPECT_THAT(chosen(99).neighbours, ElementsAre(8U));
  EXPECT_EQ(chosen(1).used, 2U);
  EXPECT_FALSE(chosen(1).exact);
  EXPECT_THAT(chosen(1).neighbours, ElementsAre(2U));
}

TEST(Ceilings, AnIdNamesItsResource) {
  EXPECT_EQ(resource_of("bandwidth.DRAM.copy.avx512.t1"), "DRAM");
  EXPECT_EQ(resource_of("bandwidth.L1"), "L1");
  EXPECT_EQ(resource_of("compute.fp64.avx512.fma.t1"), "compute");
}

}  // namespace
}  // namespace ridge::predict
