#include "predict/roof/computation.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/catalogue/kernels_for_tests.hpp"

namespace ridge::predict {
namespace {

using ::testing::HasSubstr;
using testing::target_with;

ComputationFigures named() {
  ComputationFigures figures;
  figures.name = "case";
  return figures;
}

double work(const Computation& computation) {
  return static_cast<double>(computation.demand.work.flops());
}
double bytes(const Computation& computation) {
  return static_cast<double>(computation.demand.least.total(true));
}

TEST(Computation, WorkAndBytesAsGiven) {
  ComputationFigures figures = named();
  figures.work = 20e6;
  figures.bytes = 240e6;
  figures.seconds = 1.2e-3;
  const Computation computation = computation_from(figures).value();
  EXPECT_DOUBLE_EQ(work(computation), 20e6);
  EXPECT_DOUBLE_EQ(bytes(computation), 240e6);
  EXPECT_DOUBLE_EQ(computation.seconds.value(), 1.2e-3);
  EXPECT_FALSE(computation.of_unit_work);
}

TEST(Computation, WhatIsMissingFollows) {
  ComputationFigures by_balance = named();
  by_balance.work = 1e9;
  by_balance.balance = 6.0;
  EXPECT_DOUBLE_EQ(bytes(computation_from(by_balance).value()), 6e9);

  ComputationFigures by_intensity = named();
  by_intensity.bytes = 1e9;
  by_intensity.intensity = 0.25;
  EXPECT_DOUBLE_EQ(work(computation_from(by_intensity).value()), 2.5e8);

  ComputationFigures by_performance = named();
  by_performance.performance = 5e9;
  by_performance.seconds = 2.0;
  EXPECT_DOUBLE_EQ(work(computation_from(by_performance).value()), 1e10);

  ComputationFigures dot = named();
  dot.intensity = 0.5;
  dot.performance = 4e9;
  const Computation computation = computation_from(dot).value();
  EXPECT_TRUE(computation.of_unit_work);
  EXPECT_DOUBLE_EQ(computation.seconds.value(), kUnitWork / 4e9);
  EXPECT_DOUBLE_EQ(bytes(computation), kUnitWork / 0.5);
}

TEST(Computation, KindsOfOperations) {
  ComputationFigures figures = named();
  figures.work_by_kind = {{"fma", 2e6}, {"add", 1e6}};
  figures.bytes = 1e6;
  const Computation computation = computation_from(figures).value();
  EXPECT_EQ(computation.demand.work.fma, 2000000U);
  EXPECT_EQ(computation.demand.work.add, 1000000U);
  EXPECT_EQ(computation.demand.work.any, 0U);
}

TEST(Computation, BytesByLevelGoToTheLevelsOfTheMachine) {
  ComputationFigures figures = named();
  figures.work = 1e9;
  figures.bytes_at = {{Level::L2, 4e9}, {Level::DRAM, 1e9}};
  const Computation computation = computation_from(figures).value();
  EXPECT_DOUBLE_EQ(bytes(computation), 1e9);
  const auto there = traffic_on(computation, target_with(1e12, 1e12, "fp64", "HBM"));
  EXPECT_EQ(there.at(Level::HBM).read, 1000000000U);
  EXPECT_EQ(there.at(Level::L2).read, 4000000000U);
  EXPECT_EQ(there.at(Level::L1).read, 4000000000U) << "what crosses L2 has crossed L1";
  EXPECT_EQ(there.at(Level::L3).read, 1000000000U);
  EXPECT_FALSE(outermost_known(computation));
  figures.bytes_at = {{Level::L1, 4e9}, {Level::L3, 2e9}};
  const Computation caches = computation_from(figures).value();
  EXPECT_DOUBLE_EQ(bytes(caches), 2e9);  // the outermost one
  EXPECT_EQ(outermost_known(caches), Level::L3);
  EXPECT_EQ(traffic_on(caches, target_with(1e12, 1e12)).at(Level::L2).read, 2000000000U);
}

TEST(Computation, FiguresThatSayOneThingTwiceAreRefused) {
  const auto message = [](const ComputationFigures& figures) {
    const auto computation = computation_from(figures);
    return computation ? std::string("fine") : computation.error().message;
  };
  EXPECT_THAT(message(named()), HasSubstr("neither work nor bytes"));
  ComputationFigures figures = named();
  figures.balance = 8;
  figures.intensity = 0.125;
  EXPECT_THAT(message(figures), HasSubstr("inverse"));
  figures.intensity.reset();
  figures.work = 1e6;
  figures.bytes = 1e6;
  EXPECT_THAT(message(figures), HasSubstr("say the balance"));
  figures.balance.reset();
  figures.seconds = 1;
  figures.performance = 1e6;
  EXPECT_THAT(message(figures), HasSubstr("say the performance"));
  figures.performance.reset();
  figures.seconds = 0.0;
  EXPECT_THAT(message(figures), HasSubstr("above 0"));
  figures.seconds = 1.0;
  figures.work_by_kind = {{"fma", 1e6}};
  EXPECT_THAT(message(figures), HasSubstr("by kind"));
  figures.work.reset();
  figures.work_by_kind = {{"exp", 1e6}};
  EXPECT_THAT(message(figures), HasSubstr("`exp`"));
  figures.work_by_kind = {{"fma", 1e300}};
  EXPECT_THAT(message(figures), HasSubstr("2^53"));
  figures.work_by_kind = {{"fma", 1e6}};
  figures.precision = "fp63";
  EXPECT_THAT(message(figures), HasSubstr("`fp63`"));
}

}  // namespace
}  // namespace ridge::predict
