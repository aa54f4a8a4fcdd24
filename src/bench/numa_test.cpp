#include "bench/numa.hpp"

#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/fixture_for_tests.hpp"
#include "platform/affinity.hpp"
#include "platform/cpu.hpp"

namespace ridge::bench {
namespace {

using testing::ElementsAre;

std::vector<platform::NumaNode> synthetic(const std::string& description, unsigned cpus) {
  std::vector<unsigned> allowed(cpus);
  std::iota(allowed.begin(), allowed.end(), 0U);
  const auto hardware = platform::read_synthetic_hardware(description, allowed);
  EXPECT_TRUE(hardware) << hardware.error().message;
  return hardware ? hardware->nodes : std::vector<platform::NumaNode>{};
}

TEST(Numa, TwoNodesMakeFourPairs) {
  const auto probes = plan_numa(synthetic("pack:2 numa:1(memory=64GB) core:2 pu:2", 8));
  ASSERT_EQ(probes.size(), 4U);
  for (unsigned i = 0; i < 4; ++i) {
    EXPECT_EQ(probes[i].cpu_node, i / 2);
    EXPECT_EQ(probes[i].memory_node, i % 2);
    EXPECT_EQ(probes[i].near(), i == 0 || i == 3);
  }
  EXPECT_THAT(probes[1].cpus, ElementsAre(0, 2));
  EXPECT_THAT(probes[2].cpus, ElementsAre(4, 6));
}

TEST(Numa, EightNodesMakeSixtyFourPairs) {
  const auto probes = plan_numa(synthetic("pack:2 numa:4(memory=32GB) core:4 pu:1", 32));
  ASSERT_EQ(probes.size(), 64U);
  EXPECT_EQ(probes[63].cpu_node, 7U);
  EXPECT_EQ(probes[63].memory_node, 7U);
  EXPECT_THAT(probes[63].cpus, ElementsAre(28, 29, 30, 31));
}

TEST(Numa, NodesWithoutAllowedCpusAreSeenFromTheOthers) {
  const auto probes = plan_numa(synthetic("pack:2 numa:1(memory=64GB) core:2 pu:2", 4));
  ASSERT_EQ(probes.size(), 2U);
  EXPECT_EQ(probes[1].cpu_node, 0U);
  EXPECT_EQ(probes[1].memory_node, 1U);
}

TEST(Numa, MemoriesOfTheSameCpusAreSeenOnce) {
  const std::vector<platform::NumaNode> nodes{
      {0, "DRAM", {}, {0, 1}}, {1, "HBM", {}, {0, 1}}, {2, "CXL", {}, {}}};
  const auto probes = plan_numa(nodes);
  ASSERT_EQ(probes.size(), 3U);
  for (const NumaProbe& probe : probes) {
    EXPECT_EQ(probe.cpu_node, 0U);
  }
  EXPECT_EQ(probes[1].memory, Level::HBM);
  EXPECT_EQ(probes[2].memory, Level::CXL);
}

TEST(Numa, KernelsAreTheLoadsOfMemoryInTheWidestInstructionSet) {
  const Machine machine = testing_fixture::small();
  const auto planned = plan(machine, {.simd = {.avx = true, .fma = true, .avx2 = true}}).kernels;
  const auto kernels = numa_kernels(planned, machine, Isa::avx2);
  ASSERT_TRUE(kernels);
  EXPECT_EQ(kernels->load.id, "bandwidth.DRAM.load.avx2.t1");
  EXPECT_FALSE(numa_kernels({}, machine, Isa::avx2));
}

Ceiling load(unsigned threads, double rate) {
  Ceiling ceiling;
  ceiling.kind = CeilingKind::bandwidth;
  ceiling.level = Level::DRAM;
  ceiling.pattern = Pattern::load;
  ceiling.threads = threads;
  ceiling.value = Estimate<BytesPerSecond>{.p90 = BytesPerSecond{rate}};
  return ceiling;
}

TEST(Numa, OneNodeIsWhatTheCeilingsOfMemorySay) {
  const NumaProbe probe{0, 0, "DRAM", {0, 2}};
  Machine machine;
  EXPECT_TRUE(only_node(probe, machine).empty());
  machine.ceilings = {load(1, 30e9), load(2, 40e9), load(2, 50e9), load(4, 60e9)};
  Ceiling latency;
  latency.kind = CeilingKind::latency;
  latency.level = Level::DRAM;
  latency.pattern = Pattern::chase_4k;
  latency.value = Estimate<Seconds>{.median = Seconds{3e-7}};
  machine.ceilings.push_back(latency);
  latency.pattern = Pattern::chase_huge;
  latency.value = Estimate<Seconds>{.median = Seconds{1e-7}};
  machine.ceilings.push_back(latency);
  const auto entries = only_node(probe, machine);
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(entries[0].threads, 2U) << "one per core";
  EXPECT_EQ(entries[0].load->p90, BytesPerSecond{50e9});
  EXPECT_EQ(entries[0].latency->median, Seconds{1e-7});
}

TEST(Numa, MeasuresThisMachinesOwnMemory) {
  if (!platform::simd_support().avx) {
    GTEST_SKIP() << "needs AVX";
  }
  const auto allowed = platform::allowed_cpus();
  const auto hardware = platform::read_hardware(allowed);
  ASSERT_TRUE(hardware) << hardware.error().message;
  Machine machine = testing_fixture::small();
  machine.caches.resize(1);  // small sets: how fast memory is decides nothing here
  const auto planned = plan(machine, {.simd = platform::simd_support()}).kernels;
  const auto kernels = numa_kernels(planned, machine, widest_isa(platform::simd_support()));
  ASSERT_TRUE(kernels);
  const auto probes = plan_numa(hardware->nodes);
  ASSERT_FALSE(probes.empty());
  const auto entry = measure_numa(probes.front(), *kernels, false,
                                  platform::ClockProbe(platform::calibrate_tsc()), Seconds{0.02});
  ASSERT_TRUE(entry) << entry.error().message;
  ASSERT_TRUE(entry->load);
  EXPECT_GT(entry->load->p90.value(), 0.0);
  EXPECT_EQ(entry->threads, probes.front().cpus.size());
}

}  // namespace
}  // namespace ridge::bench
