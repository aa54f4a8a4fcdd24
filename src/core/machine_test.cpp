#include "core/machine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge {
namespace {

TEST(Machine, LevelNamesRunFromL1ToMemory) {
  Machine machine;
  machine.caches = {{.level = "L1"}, {.level = "L2"}};
  machine.memories = {{.level = "HBM"}, {.level = "DRAM"}};
  EXPECT_THAT(level_names(machine), testing::ElementsAre("L1", "L2", "HBM"));
}

TEST(Machine, CeilingIdsAreSpelledAsInTheContract) {
  EXPECT_EQ(compute_ceiling_id("fp64", "avx512", "fma", 1), "compute.fp64.avx512.fma.t1");
  EXPECT_EQ(bandwidth_ceiling_id("L2", "load", "avx512", 2), "bandwidth.L2.load.avx512.t2");
}

TEST(Machine, UnitFollowsTheKindOfEstimate) {
  EXPECT_EQ(unit_of(Estimate<FlopsPerSecond>{}), "flop/s");
  EXPECT_EQ(unit_of(Estimate<BytesPerSecond>{}), "byte/s");
  EXPECT_EQ(unit_of(Estimate<Seconds>{}), "s");
}

TEST(Microarchitecture, UnknownCpuGetsNoTheory) {
  Microarchitecture zen4;
  zen4.name = "Zen 4";
  zen4.matches = {{"AuthenticAMD", 25, {17, 97}}};
  const std::vector<Microarchitecture> known{zen4};
  EXPECT_EQ(find_microarchitecture(known, {"AuthenticAMD", "", 25, 17, 1}), known.data());
  EXPECT_EQ(find_microarchitecture(known, {"AuthenticAMD", "", 25, 18, 1}), nullptr);
  EXPECT_EQ(find_microarchitecture(known, {"GenuineIntel", "", 25, 17, 1}), nullptr);
}

Ceiling bandwidth(const char* isa, unsigned threads, double rate) {
  Ceiling ceiling;
  ceiling.kind = CeilingKind::bandwidth;
  ceiling.level = "DRAM";
  ceiling.pattern = "load";
  ceiling.isa = isa;
  ceiling.threads = threads;
  ceiling.value = Estimate<BytesPerSecond>{.p90 = BytesPerSecond{rate}};
  return ceiling;
}

TEST(Machine, SaturationIsTheFewestThreadsThatNearlyReachTheHighest) {
  Machine machine;
  machine.ceilings = {bandwidth("avx2", 4, 100.0), bandwidth("avx2", 1, 30.0),
                      bandwidth("avx2", 2, 58.0),  bandwidth("avx2", 8, 104.0),
                      bandwidth("sse", 1, 20.0),   bandwidth("sse", 8, 105.0)};
  const auto curve = saturation_of(machine, "DRAM", "load");
  ASSERT_TRUE(curve);
  EXPECT_EQ(curve->isa, "avx2");
  ASSERT_EQ(curve->points.size(), 4U);
  EXPECT_EQ(curve->points[1].threads, 2U);
  EXPECT_EQ(curve->points[1].p90, BytesPerSecond{58.0});
  EXPECT_EQ(curve->threads, 4U);
  EXPECT_FALSE(saturation_of(machine, "DRAM", "copy"));
}

TEST(Machine, NoSaturationWhileMoreThreadsStillAdd) {
  Machine machine;
  machine.ceilings = {bandwidth("avx2", 1, 30.0), bandwidth("avx2", 2, 40.0)};
  const auto curve = saturation_of(machine, "DRAM", "load");
  ASSERT_TRUE(curve);
  EXPECT_FALSE(curve->threads);
  machine.ceilings.pop_back();
  EXPECT_FALSE(saturation_of(machine, "DRAM", "load")) << "one point is no curve";
}

TEST(Machine, GreatestShortfallIsThePointFurthestBelowItsCeilings) {
  MeasuredRoof roof;
  EXPECT_EQ(greatest_shortfall(roof), nullptr);
  roof.points = {
      {FlopsPerByte{1.0}, {}, 0.99}, {FlopsPerByte{2.0}, {}, 0.81}, {FlopsPerByte{4.0}, {}, 0.98}};
  EXPECT_EQ(greatest_shortfall(roof), &roof.points[1]);
}

TEST(Machine, EveryPolicyNameParsesBack) {
  for (const auto policy :
       {CachePolicy::inclusive, CachePolicy::non_inclusive, CachePolicy::victim}) {
    EXPECT_EQ(parse_cache_policy(to_string(policy)), policy);
  }
  EXPECT_FALSE(parse_cache_policy("exclusive-ish"));
}

}  // namespace
}  // namespace ridge
