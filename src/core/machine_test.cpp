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

TEST(Machine, EveryPolicyNameParsesBack) {
  for (const auto policy :
       {CachePolicy::inclusive, CachePolicy::non_inclusive, CachePolicy::victim}) {
    EXPECT_EQ(parse_cache_policy(to_string(policy)), policy);
  }
  EXPECT_FALSE(parse_cache_policy("exclusive-ish"));
}

}  // namespace
}  // namespace ridge
