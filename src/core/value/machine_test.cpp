#include "core/value/machine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge {
namespace {

TEST(Machine, LevelNamesRunFromL1ToMemory) {
  Machine machine;
  machine.caches = {{.level = Level::L1}, {.level = Level::L2}};
  machine.memories = {{.level = Level::HBM}, {.level = Level::DRAM}};
  EXPECT_THAT(levels_of(machine), testing::ElementsAre(Level::L1, Level::L2, Level::HBM));
}

TEST(Machine, ACeilingHasTheFieldsOfItsKeyAndNoOthers) {
  const Ceiling compute = ceiling_of({ComputeKey{"fp64", Isa::avx512, Operation::fma, 4}});
  EXPECT_EQ(compute.id, "compute.fp64.avx512.fma.t4");
  EXPECT_EQ(compute.kind, CeilingKind::compute);
  EXPECT_EQ(compute.precision, "fp64");
  EXPECT_EQ(compute.isa, Isa::avx512);
  EXPECT_EQ(compute.operation, Operation::fma);
  EXPECT_EQ(compute.threads, 4U);
  EXPECT_FALSE(compute.level || compute.pattern || compute.device);
  const Ceiling bandwidth = ceiling_of({BandwidthKey{"L2", Pattern::copy, Isa::sse, 2}, "gpu0"});
  EXPECT_EQ(bandwidth.id, "bandwidth.L2.copy.sse.t2");
  EXPECT_EQ(bandwidth.kind, CeilingKind::bandwidth);
  EXPECT_EQ(bandwidth.level, Level::L2);
  EXPECT_EQ(bandwidth.pattern, Pattern::copy);
  EXPECT_EQ(bandwidth.isa, Isa::sse);
  EXPECT_EQ(bandwidth.threads, 2U);
  EXPECT_EQ(bandwidth.device, "gpu0");
  EXPECT_FALSE(bandwidth.precision || bandwidth.operation);
  const Ceiling latency = ceiling_of({LatencyKey{"DRAM", Pattern::chase_4k, 1}});
  EXPECT_EQ(latency.id, "latency.DRAM.chase-4k.t1");
  EXPECT_EQ(latency.kind, CeilingKind::latency);
  EXPECT_EQ(latency.level, Level::DRAM);
  EXPECT_EQ(latency.pattern, Pattern::chase_4k);
  EXPECT_FALSE(latency.precision || latency.isa || latency.operation);
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
  EXPECT_EQ(find_microarchitecture(known, CpuIdentity{"AuthenticAMD", "", 25, 17, 1}),
            known.data());
  EXPECT_EQ(find_microarchitecture(known, CpuIdentity{"AuthenticAMD", "", 25, 18, 1}), nullptr);
  EXPECT_EQ(find_microarchitecture(known, CpuIdentity{"GenuineIntel", "", 25, 17, 1}), nullptr);
}

Ceiling bandwidth(Isa isa, unsigned threads, double rate, double low = 0.95) {
  Ceiling ceiling;
  ceiling.kind = CeilingKind::bandwidth;
  ceiling.level = Level::DRAM;
  ceiling.pattern = Pattern::load;
  ceiling.isa = isa;
  ceiling.threads = threads;
  ceiling.value =
      Estimate<BytesPerSecond>{.p90 = BytesPerSecond{rate}, .low = BytesPerSecond{low * rate}};
  return ceiling;
}

TEST(Machine, SaturationIsTheFewestThreadsThatNearlyReachTheHighest) {
  Machine machine;
  machine.ceilings = {bandwidth(Isa::avx2, 4, 100.0), bandwidth(Isa::avx2, 1, 30.0),
                      bandwidth(Isa::avx2, 2, 58.0),  bandwidth(Isa::avx2, 8, 104.0),
                      bandwidth(Isa::sse, 1, 20.0),   bandwidth(Isa::sse, 8, 105.0)};
  const auto curve = saturation_of(machine, "DRAM", Pattern::load);
  ASSERT_TRUE(curve);
  EXPECT_EQ(curve->isa, Isa::avx2);
  ASSERT_EQ(curve->points.size(), 4U);
  EXPECT_EQ(curve->points[1].threads, 2U);
  EXPECT_EQ(curve->points[1].p90, BytesPerSecond{58.0});
  EXPECT_EQ(curve->threads, 4U);
  EXPECT_FALSE(saturation_of(machine, "DRAM", Pattern::copy));
}

TEST(Machine, NoSaturationWhileMoreThreadsStillAdd) {
  Machine machine;
  machine.ceilings = {bandwidth(Isa::avx2, 1, 30.0), bandwidth(Isa::avx2, 2, 40.0)};
  const auto curve = saturation_of(machine, "DRAM", Pattern::load);
  ASSERT_TRUE(curve);
  EXPECT_FALSE(curve->threads);
  machine.ceilings.pop_back();
  EXPECT_FALSE(saturation_of(machine, "DRAM", Pattern::load)) << "one point is no curve";
}

TEST(Machine, WhereIntervalsOverlapAndAreWideNothingIsRanked) {
  Machine machine;
  machine.ceilings = {bandwidth(Isa::avx2, 1, 32.0, 0.1), bandwidth(Isa::avx2, 2, 33.0)};
  const auto noisy = saturation_of(machine, "DRAM", Pattern::load);
  ASSERT_TRUE(noisy);
  EXPECT_TRUE(noisy->too_noisy);
  EXPECT_FALSE(noisy->threads);
  // As wide, but far apart from the other.
  machine.ceilings = {bandwidth(Isa::avx2, 1, 32.0), bandwidth(Isa::avx2, 2, 80.0, 0.5),
                      bandwidth(Isa::avx2, 4, 200.0)};
  EXPECT_FALSE(saturation_of(machine, "DRAM", Pattern::load)->too_noisy);
  // Alike and narrow: saturated.
  machine.ceilings = {bandwidth(Isa::avx2, 1, 32.0), bandwidth(Isa::avx2, 2, 33.0)};
  EXPECT_EQ(saturation_of(machine, "DRAM", Pattern::load)->threads, 1U);
}

TEST(Machine, GreatestShortfallIsThePointFurthestBelowItsCeilings) {
  MeasuredRoof roof;
  EXPECT_EQ(greatest_shortfall(roof), nullptr);
  roof.points = {
      {FlopsPerByte{1.0}, {}, 0.99}, {FlopsPerByte{2.0}, {}, 0.81}, {FlopsPerByte{4.0}, {}, 0.98}};
  EXPECT_EQ(greatest_shortfall(roof), &roof.points[1]);
}

TEST(Machine, LinesOnTheirWayAreBandwidthTimesLatency) {
  Machine machine;
  machine.caches = {{.level = Level::L1, .size_bytes = 32U << 10U, .ways = 8}};
  machine.memories = {{.level = Level::DRAM, .size_bytes = {}}};
  const auto latency = [](Pattern pattern, double seconds) {
    Ceiling ceiling = ceiling_of({LatencyKey{"DRAM", pattern, 1}});
    ceiling.value = Estimate<Seconds>{.median = Seconds{2 * seconds}, .low = Seconds{seconds}};
    return ceiling;
  };
  machine.ceilings = {bandwidth(Isa::sse, 1, 25.6e9), bandwidth(Isa::avx2, 1, 32e9),
                      bandwidth(Isa::avx2, 8, 99e9)};
  EXPECT_TRUE(concurrency_of(machine).empty()) << "no latency, no concurrency";
  machine.ceilings.push_back(latency(Pattern::chase_4k, 200e-9));
  ASSERT_EQ(concurrency_of(machine).size(), 1U);
  EXPECT_DOUBLE_EQ(concurrency_of(machine)[0].lines, 100.0);  // 32e9 * 200e-9 / 64
  machine.ceilings.push_back(latency(Pattern::chase_huge, 100e-9));
  const auto both = concurrency_of(machine);
  ASSERT_EQ(both.size(), 1U);
  EXPECT_DOUBLE_EQ(both[0].lines, 50.0);
  EXPECT_EQ(both[0].level, Level::DRAM);
  EXPECT_EQ(both[0].latency, "latency.DRAM.chase-huge.t1");
}

TEST(Machine, IntegerOperationsAreNoFlops) {
  EXPECT_EQ(unit_of(Estimate<IntOpsPerSecond>{}), "op/s");
  EXPECT_EQ(unit_of(Estimate<FlopsPerSecond>{}), "flop/s");
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
