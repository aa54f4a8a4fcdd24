#include "predict/projection/roofline_dots.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/projection/derived_machine.hpp"
#include "predict/roof/computation.hpp"

namespace ridge::predict {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

struct Case {
  KernelPrediction head;
  TargetMachine target;
  ResourcePrediction prediction;
};

/// 1e9 flop over 4e9 byte of memory and 16e9 byte of L2: 0.25 and 0.0625 flop/byte.
Case on_machine(const char* machine) {
  ComputationFigures figures;
  figures.work = 1e9;
  figures.bytes_at = {{Level::DRAM, 4e9}, {Level::L2, 16e9}};
  const auto computation = computation_from(figures).value();
  Case made;
  made.head.kernel.name = "point";
  made.head.demand = computation.demand;
  made.target = derive_machine(machine).value().target;
  made.prediction =
      predict_demand(computation.demand, made.target, {}, traffic_on(computation, made.target));
  return made;
}

TEST(RooflineDots, StandAtTheirIntensityUnderTheRoof) {
  const Case made = on_machine("name=A fp64=100G DRAM=100GB/s");
  const auto dots = roofline_dots(made.head, made.target, made.prediction, {{}, 0.05});
  ASSERT_THAT(dots, SizeIs(2));
  EXPECT_FALSE(dots[0].measured);
  EXPECT_DOUBLE_EQ(dots[0].intensity, 0.25);
  EXPECT_DOUBLE_EQ(dots[0].performance, 25e9);
  EXPECT_TRUE(dots[1].measured);
  EXPECT_DOUBLE_EQ(dots[1].performance, 20e9);
  EXPECT_EQ(dots[1].machine, "A");
  EXPECT_EQ(dots[1].level, to_string(Level::DRAM));
}

TEST(RooflineDots, StandAtTheOutermostOfTheLevelsThatAreDrawn) {
  const Case made = on_machine("name=A fp64=100G DRAM=100GB/s L2=200GB/s");
  const auto inner =
      roofline_dots(made.head, made.target, made.prediction, {{Level::L1, Level::L2}, {}});
  ASSERT_THAT(inner, SizeIs(1));
  EXPECT_DOUBLE_EQ(inner[0].intensity, 1.0 / 16.0);
  EXPECT_DOUBLE_EQ(inner[0].performance, 12.5e9) << "bound by L2: 16e9 byte at 200 GB/s";
  EXPECT_DOUBLE_EQ(roofline_dots(made.head, made.target, made.prediction, {})[0].intensity, 0.25);
}

TEST(RooflineDots, WithoutWorkThereIsNone) {
  Case made = on_machine("name=A fp64=100G DRAM=100GB/s");
  made.head.demand.work = {};
  ResourcePrediction nothing;
  EXPECT_THAT(roofline_dots(made.head, made.target, nothing, {{}, 1.0}), IsEmpty());
}

TEST(RooflineDots, WhatWasMeasuredStandsWithoutARoof) {
  const Case made = on_machine("name=A fp64=100G DRAM=100GB/s");
  ResourcePrediction nothing;
  nothing.missing = "no fp64 peak known";
  const auto dots = roofline_dots(made.head, made.target, nothing, {{}, 0.5});
  ASSERT_THAT(dots, SizeIs(1));
  EXPECT_TRUE(dots[0].measured);
  EXPECT_DOUBLE_EQ(dots[0].intensity, 0.25);
}

}  // namespace
}  // namespace ridge::predict
