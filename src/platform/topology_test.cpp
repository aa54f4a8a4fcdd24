#include "platform/topology.hpp"

#include <numeric>
#include <regex>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/affinity.hpp"

namespace ridge::platform {
namespace {

using testing::ElementsAre;

std::vector<unsigned> first(unsigned count) {
  std::vector<unsigned> cpus(count);
  std::iota(cpus.begin(), cpus.end(), 0U);
  return cpus;
}

// Two sockets, two L3 per socket, four cores under each, two threads per core.
constexpr const char* kServer =
    "pack:2 numa:1(memory=64GB) l3:2(size=33554432) l2:4(size=1048576) l1:1(size=32768) core:1 "
    "pu:2";

TEST(Topology, CountsEveryLevelOfASyntheticServer) {
  const auto hardware = read_synthetic_hardware(kServer, first(32));
  ASSERT_TRUE(hardware) << hardware.error().message;
  EXPECT_EQ(hardware->topology.sockets, 2U);
  EXPECT_EQ(hardware->topology.numa_nodes, 2U);
  EXPECT_EQ(hardware->topology.cores, 16U);
  EXPECT_EQ(hardware->topology.threads, 32U);
  EXPECT_EQ(hardware->last_level_caches, 4U);

  ASSERT_EQ(hardware->caches.size(), 3U);
  EXPECT_EQ(hardware->caches[0].level, Level::L1);
  EXPECT_EQ(hardware->caches[0].size_bytes, 32U << 10U);
  EXPECT_EQ(hardware->caches[0].shared_by_threads, 2U);
  EXPECT_EQ(hardware->caches[1].level, Level::L2);
  EXPECT_EQ(hardware->caches[2].level, Level::L3);
  EXPECT_EQ(hardware->caches[2].size_bytes, 32U << 20U);
  EXPECT_EQ(hardware->caches[2].shared_by_threads, 8U);
  for (const Cache& cache : hardware->caches) {
    EXPECT_GT(cache.ways, 0U) << to_string(cache.level);
    EXPECT_EQ(cache.line_bytes, 64U) << to_string(cache.level);
  }
  ASSERT_EQ(hardware->memories.size(), 1U);
  EXPECT_EQ(hardware->memories[0].level, Level::DRAM);
  EXPECT_EQ(hardware->memories[0].size_bytes, std::uint64_t{128} * 1000 * 1000 * 1000);
}

TEST(Topology, OnlyAllowedCpusCountButCachesKeepTheirSharers) {
  const auto hardware = read_synthetic_hardware(kServer, {9, 8, 24});
  ASSERT_TRUE(hardware) << hardware.error().message;
  EXPECT_EQ(hardware->topology.sockets, 2U);
  EXPECT_EQ(hardware->topology.cores, 2U);
  EXPECT_EQ(hardware->topology.threads, 3U);
  EXPECT_EQ(hardware->last_level_caches, 2U);
  EXPECT_EQ(hardware->caches[2].shared_by_threads, 8U);
}

TEST(Topology, ThreadsArePlacedOnDistinctCoresFirst) {
  const auto hardware = read_synthetic_hardware("pack:1 core:3 pu:2", first(6));
  ASSERT_TRUE(hardware) << hardware.error().message;
  EXPECT_THAT(hardware->placement, ElementsAre(0, 2, 4, 1, 3, 5));
}

TEST(Topology, NodesNameTheCpusNearToThemOnePerCore) {
  const auto hardware = read_synthetic_hardware(kServer, first(32));
  ASSERT_TRUE(hardware) << hardware.error().message;
  ASSERT_EQ(hardware->nodes.size(), 2U);
  EXPECT_EQ(hardware->nodes[0].number, 0U);
  EXPECT_THAT(hardware->nodes[0].cpus, ElementsAre(0, 2, 4, 6, 8, 10, 12, 14));
  EXPECT_THAT(hardware->nodes[1].cpus, ElementsAre(16, 18, 20, 22, 24, 26, 28, 30));
  EXPECT_EQ(hardware->nodes[1].size_bytes, std::uint64_t{64} * 1000 * 1000 * 1000);
  EXPECT_THAT(hardware->siblings, ElementsAre(0, 1));

  const auto part = read_synthetic_hardware(kServer, {5, 4, 20});
  ASSERT_TRUE(part) << part.error().message;
  EXPECT_THAT(part->nodes[0].cpus, ElementsAre(5)) << "one of the core's two";
  EXPECT_THAT(part->nodes[1].cpus, ElementsAre(20));
}

TEST(Topology, AMachineWithoutCachesOrSocketsStillHasOneOfEach) {
  const auto hardware = read_synthetic_hardware("pu:4", first(4));
  ASSERT_TRUE(hardware) << hardware.error().message;
  EXPECT_TRUE(hardware->caches.empty());
  EXPECT_EQ(hardware->topology.sockets, 1U);
  EXPECT_EQ(hardware->topology.cores, 4U);
  EXPECT_EQ(hardware->last_level_caches, 1U);
  ASSERT_EQ(hardware->memories.size(), 1U);
  ASSERT_EQ(hardware->nodes.size(), 1U);
  EXPECT_THAT(hardware->nodes[0].cpus, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(hardware->siblings, ElementsAre(0));
}

TEST(Topology, BadDescriptionsAndForeignCpusAreErrors) {
  const auto nonsense = read_synthetic_hardware("not a topology", {0});
  ASSERT_FALSE(nonsense);
  EXPECT_EQ(nonsense.error().code, ErrorCode::bad_input);
  const auto foreign = read_synthetic_hardware("pu:4", {77});
  ASSERT_FALSE(foreign);
  EXPECT_EQ(foreign.error().code, ErrorCode::unavailable);
}

TEST(Topology, DescribesThisMachine) {
  const auto machine = describe_machine("9.8.7");
  ASSERT_TRUE(machine) << machine.error().message;
  EXPECT_EQ(machine->ridge_version, "9.8.7");
  EXPECT_FALSE(machine->name.empty());
  EXPECT_GE(machine->topology->threads, 1U);
  EXPECT_LE(machine->topology->threads, allowed_cpus().size());
  EXPECT_FALSE(machine->memories.empty());
  std::uint64_t inner = 0;
  for (const Cache& cache : machine->caches) {
    EXPECT_GT(cache.size_bytes, inner) << to_string(cache.level);
    inner = cache.size_bytes;
  }
  EXPECT_TRUE(std::regex_match(machine->date, std::regex(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)")));
}

TEST(Topology, TheKeyChangesWithEachOfItsParts) {
  const CpuIdentity cpu{"AuthenticAMD", "AMD EPYC 9654 96-Core", 25, 17, 1};
  const std::string key = machine_key(cpu, first(8), std::nullopt, "0.1.0");
  EXPECT_EQ(key, "AuthenticAMD-25-17-1_AMD_EPYC_9654_96-Core_cpus0-7_quotanone_ridge0.1.0");
  CpuIdentity other = cpu;
  other.stepping = 2;
  EXPECT_NE(machine_key(other, first(8), std::nullopt, "0.1.0"), key);
  EXPECT_NE(machine_key(cpu, first(7), std::nullopt, "0.1.0"), key);
  EXPECT_NE(machine_key(cpu, first(8), 1.5, "0.1.0"), key);
  EXPECT_NE(machine_key(cpu, first(8), std::nullopt, "0.1.1"), key);
}

TEST(Topology, ABoundThreadHasTheKeyOfTheUnboundProcess) {
  const std::string key = machine_key("0.1.0");
  std::thread([&] {
    ASSERT_TRUE(pin_current_thread(allowed_cpus().front()));
    EXPECT_EQ(machine_key("0.1.0"), key);
  }).join();
}

TEST(Topology, TheKeyIsAFileNameWhateverItsParts) {
  std::vector<unsigned> scattered;
  for (unsigned cpu = 0; cpu < 512; cpu += 2) {
    scattered.push_back(cpu);
  }
  const CpuIdentity cpu{"../../etc", std::string(300, '/'), 1, 2, 3};
  const std::string key = machine_key(cpu, scattered, 3.25, "1/../2");
  EXPECT_LE(key.size(), 200U);
  EXPECT_EQ(key.find('/'), std::string::npos);
  EXPECT_NE(key, machine_key(cpu, first(256), 3.25, "1/../2"));
}

}  // namespace
}  // namespace ridge::platform
