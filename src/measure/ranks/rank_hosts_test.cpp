#include "measure/ranks/rank_hosts.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace ridge::measure {
namespace {

Process rank_of(double wall, std::optional<std::uint64_t> flops) {
  Process process;
  process.wall_seconds = Seconds(wall);
  process.cpu_seconds = Seconds(0.5);
  process.flops = flops;
  return process;
}

TEST(RankHosts, TheSlowestRankIsTheTimeAndTheRestIsAdded) {
  RankHost host;
  add_rank(host, rank_of(3.0, 10), 64);
  add_rank(host, rank_of(2.0, 30), 36);
  EXPECT_EQ(host.ranks, 2U);
  EXPECT_EQ(host.wall_seconds, Seconds(3.0));
  EXPECT_EQ(host.cpu_seconds, Seconds(1.0));
  EXPECT_EQ(host.flops, 40U);
  EXPECT_EQ(host.memory_bytes, 100U);
  EXPECT_FALSE(host.mpi_seconds);
}

TEST(RankHosts, WhatOneRankLacksIsUnknownWhateverTheOrder) {
  for (const bool last : {false, true}) {
    RankHost host;
    add_rank(host, rank_of(last ? 1.0 : 0.0, last ? std::optional<std::uint64_t>(1) : std::nullopt),
             last ? std::optional<std::uint64_t>(1) : std::nullopt);
    add_rank(host, rank_of(1.0, 1), 1);
    add_rank(host, rank_of(last ? 0.0 : 1.0, last ? std::nullopt : std::optional<std::uint64_t>(1)),
             last ? std::nullopt : std::optional<std::uint64_t>(1));
    EXPECT_FALSE(host.flops || host.memory_bytes) << last;
    EXPECT_FALSE(host.wall_seconds) << "0 is no time";
    EXPECT_EQ(host.cpu_seconds, Seconds(1.5));
  }
}

TEST(RankHosts, BytesOfAllMemoriesAndOfNoCache) {
  Region region;
  region.traffic = {{"L1", {7, 7}}, {"L2", {5, 5}}};
  EXPECT_FALSE(memory_bytes_of(region));
  region.traffic["DRAM"] = {3, 2};
  EXPECT_EQ(memory_bytes_of(region), 5U);
  region.traffic["HBM"] = {10, 20};
  EXPECT_EQ(memory_bytes_of(region), 35U);
  region.traffic["HBM"].read = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(memory_bytes_of(region), std::numeric_limits<std::uint64_t>::max());
}

}  // namespace
}  // namespace ridge::measure
