#include "predict/projection/cache_rates.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/catalogue/kernels_for_tests.hpp"
#include "predict/projection/core_share.hpp"
#include "predict/projection/residency.hpp"
#include "predict/projection/target_machine.hpp"
#include "predict/projection/what_if.hpp"
#include "predict/roof/figure_choice.hpp"

namespace ridge::predict {
namespace {

using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;

constexpr double kCycles = 20 * 2.4e9;

/// Loads of 128 byte and stores of 64 per cycle in L1, 64 byte read per cycle from L2.
Microarchitecture core() {
  Microarchitecture made;
  made.name = "Wide";
  for (const Isa isa : {Isa::avx2, Isa::avx512}) {
    Microarchitecture::IsaLimits limits;
    limits.isa = isa;
    limits.load_bytes_per_cycle = isa == Isa::avx512 ? 128.0 : 64.0;
    limits.store_bytes_per_cycle = isa == Isa::avx512 ? 64.0 : 32.0;
    made.isas.push_back(limits);
  }
  made.levels = {{Level::L2, 64.0, std::nullopt}};
  return made;
}

/// 20 cores at 2.4 GHz, each with L1 and L2, all with one L3.
Specification part() {
  Specification made;
  made.key = "part";
  made.cores = Figure{20};
  made.clock = Figure{2.4e9};
  made.caches = {{Level::L1, false, Figure{32768}, 1U},
                 {Level::L2, false, Figure{1048576}, 1U},
                 {Level::L3, false, Figure{28e6}, 20U}};
  made.peaks = {{"fp64", Pipes::vector, Basis::theoretical, {}, {kCycles * 32}}};
  made.bandwidths = {{Level::DRAM, Basis::theoretical, {}, {128e9}}};
  return made;
}

const Figure* figure_of(const TargetMachine& target, Level level) {
  const auto* bandwidth = highest_bandwidth(target.figures, level, Basis::theoretical);
  return bandwidth == nullptr ? nullptr : &bandwidth->figure;
}

/// One flop over so many bytes that are read and written, which stay in a cache.
ResourcePrediction resident(const TargetMachine& target, std::uint64_t read, std::uint64_t written,
                            double bytes) {
  Demand demand = testing::demand_of(1.0, 0.0);
  demand.least = {read, written, 0};
  return predict_repeated(demand, {bytes, false}, target, {}, {});
}

double rate_of(const ResourcePrediction& prediction, std::string_view level) {
  for (const ResourceTime& resource : prediction.resources) {
    if (resource.resource == level) {
      return resource.rate;
    }
  }
  return 0.0;
}

TEST(CacheRates, AreBytesPerCycleTimesClockTimesCores) {
  const Microarchitecture known = core();
  const TargetMachine target = target_from(part(), &known);
  ASSERT_NE(figure_of(target, Level::L1), nullptr);
  EXPECT_DOUBLE_EQ(figure_of(target, Level::L1)->value, 128 * kCycles);
  EXPECT_DOUBLE_EQ(figure_of(target, Level::L2)->value, 64 * kCycles);
  EXPECT_EQ(figure_of(target, Level::L1)->origin, Origin::modelled);
  EXPECT_TRUE(target.figures.sources.contains(*figure_of(target, Level::L1)->source));
  EXPECT_EQ(figure_of(target, Level::L3), nullptr) << "no core has one of its own";
}

TEST(CacheRates, WhatThePartPublishesStands) {
  const Microarchitecture known = core();
  Specification own = part();
  own.bandwidths.push_back({Level::L1, Basis::sustained, "load", {3e12}, std::nullopt});
  const TargetMachine target = target_from(own, &known);
  EXPECT_EQ(figure_of(target, Level::L1), nullptr);
  EXPECT_DOUBLE_EQ(figure_of(target, Level::L2)->value, 64 * kCycles);

  Specification alone = part();  // what one core draws says nothing of all
  alone.bandwidths.push_back({Level::L1, Basis::sustained, "load", {3e11}, 1U});
  EXPECT_DOUBLE_EQ(figure_of(target_from(alone, &known), Level::L1)->value, 128 * kCycles);
}

TEST(CacheRates, WithoutCoreClockOrCoresNothingIsDerived) {
  const Microarchitecture known = core();
  Specification unclocked = part();
  unclocked.clock.reset();
  Specification uncounted = part();
  uncounted.cores.reset();
  Specification gpu = part();
  gpu.kind = MachineKind::gpu;
  for (const TargetMachine& target : {target_from(part()), target_from(unclocked, &known),
                                      target_from(uncounted, &known), target_from(gpu, &known)}) {
    EXPECT_EQ(target.figures.bandwidths.size(), 1U);
  }
}

TEST(CacheRates, ResidentDataAreBoundByTheirCache) {
  const Microarchitecture known = core();
  const TargetMachine target = target_from(part(), &known);
  const ResourcePrediction in_l1 = resident(target, 16000, 0, 16000);
  ASSERT_TRUE(in_l1.binding);
  EXPECT_EQ(in_l1.resources[*in_l1.binding].resource, "L1");
  EXPECT_DOUBLE_EQ(*in_l1.seconds, 16000 / (128 * kCycles));
  EXPECT_THAT(in_l1.notes, Contains(Field(&Note::text, HasSubstr("the microarchitecture Wide"))));
  const ResourcePrediction in_l2 = resident(target, 16'000'000, 0, 16e6);
  EXPECT_EQ(in_l2.resources[*in_l2.binding].resource, "L2");
  EXPECT_DOUBLE_EQ(*in_l2.seconds, 16e6 / (64 * kCycles));
}

// Two loads and a store in a cycle: no mix is bound below what both pipes move together.
TEST(CacheRates, LoadsAndStoresHavePipesOfTheirOwn) {
  const Microarchitecture known = core();
  const TargetMachine target = target_from(part(), &known);
  EXPECT_DOUBLE_EQ(rate_of(resident(target, 16000, 8000, 24000), "L1"), 192 * kCycles);
  EXPECT_DOUBLE_EQ(rate_of(resident(target, 8000, 8000, 16000), "L1"), 128 * kCycles);
  EXPECT_DOUBLE_EQ(rate_of(resident(target, 0, 8000, 8000), "L1"), 64 * kCycles);
  EXPECT_DOUBLE_EQ(rate_of(resident(target, 16'000'000, 0, 16e6), "L2"), 64 * kCycles);
  EXPECT_EQ(rate_of(resident(target, 0, 8'000'000, 8e6), "L2"), 0.0) << "no rate of its stores";
}

TEST(CacheRates, FollowQuestionsAboutCoresAndRates) {
  const Microarchitecture known = core();
  TargetMachine half = target_from(part(), &known);
  ASSERT_TRUE(run_on_cores(half, 10));
  EXPECT_DOUBLE_EQ(rate_of(resident(half, 16000, 8000, 24000), "L1"), 96 * kCycles);
  TargetMachine twice = target_from(part(), &known);
  ASSERT_TRUE(apply_what_if(twice, "L1=2x"));
  EXPECT_DOUBLE_EQ(rate_of(resident(twice, 16000, 8000, 24000), "L1"), 384 * kCycles);
  TargetMachine told = target_from(part(), &known);
  ASSERT_TRUE(apply_what_if(told, "L1=500GB/s"));
  EXPECT_NEAR(rate_of(resident(told, 16000, 8000, 24000), "L1"), 500e9, 1.0);
  TargetMachine two = target_from(part(), &known);
  ASSERT_TRUE(multiply_parts(two, 2));
  EXPECT_DOUBLE_EQ(figure_of(two, Level::L2)->value, 2 * 64 * kCycles);
}

}  // namespace
}  // namespace ridge::predict
