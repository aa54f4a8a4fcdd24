#include "predict/roof/communication.hpp"

#include <gtest/gtest.h>

namespace ridge::predict {
namespace {

Link link(LinkPattern pattern, LinkReach reach, double latency, double bandwidth) {
  Link made{.pattern = pattern, .reach = reach};
  made.latency.low = Seconds(latency);
  made.latency.median = Seconds(2.0 * latency);
  made.bandwidth.p90 = BytesPerSecond(bandwidth);
  made.bandwidth.median = BytesPerSecond(0.5 * bandwidth);
  return made;
}

MpiCall call(const char* name, std::uint64_t calls, std::optional<std::uint64_t> bytes,
             double seconds, double waiting = 0.0, std::uint64_t messages = 0) {
  MpiCall made;
  made.name = name;
  made.calls = calls;
  made.bytes = bytes;
  made.messages = messages;
  made.moved_bytes = messages > 0 ? bytes.value_or(0) : 0;
  made.seconds = Seconds(seconds);
  made.waiting_seconds = Seconds(waiting);
  return made;
}

/// 4 ranks, 8 GFlop in 2 s; 1000 messages and 400 reductions, 2 GB and 3200 bytes.
Profile four_ranks() {
  Profile profile;
  profile.program.wall_seconds = Seconds(2.0);
  Region program;
  program.kind = RegionKind::program;
  program.flops.emplace().add(Precision::fp64, OperationKind::add, 256, 8'000'000'000);
  profile.regions = {program};
  profile.parallel.emplace().measured = 4;
  profile.parallel->ranks = 4;
  profile.mpi_calls = {call("MPI_Send", 1000, 2'000'000'000, 1.0, 0.0, 1000),
                       call("MPI_Recv", 1000, 2'000'000'000, 2.0, 1.5),
                       call("MPI_Allreduce", 400, 3200, 0.5, 0.25, 400),
                       call("MPI_Init", 4, std::nullopt, 3.0),
                       call("MPI_Finalize", 4, std::nullopt, 1.0),
                       call("MPI_File_write", 4, 1'000'000, 1.0),
                       call("MPI_Waitall", 10, std::nullopt, 0.75, 0.75),
                       call("MPI_Barrier", 4, std::nullopt, 0.25, 0.25)};
  profile.machine.interconnect.emplace().links = {
      link(LinkPattern::ping_pong, LinkReach::intra_node, 1e-6, 8e9),
      link(LinkPattern::exchange, LinkReach::intra_node, 2e-6, 5e9),
      link(LinkPattern::ping_pong, LinkReach::inter_node, 4e-6, 2e9),
      link(LinkPattern::exchange, LinkReach::inter_node, 8e-6, 1e9)};
  return profile;
}

TEST(Communication, LeastTimeIsLatenciesAndBytesOfEachRank) {
  const auto bound = communication_bound(four_ranks());
  ASSERT_TRUE(bound);
  EXPECT_EQ(bound->messages, 1400U);  // what is received was sent by somebody
  EXPECT_EQ(bound->bytes, 2'000'003'200U);
  EXPECT_DOUBLE_EQ(bound->latency.value(), 1e-6);
  EXPECT_DOUBLE_EQ(bound->bandwidth.value(), 4 * 5e9);
  EXPECT_DOUBLE_EQ(bound->least_seconds.value(), (1400 * 1e-6 + 2'000'003'200 / 5e9) / 4);
  EXPECT_DOUBLE_EQ(bound->transfer_seconds->value(), (1.0 + 0.5 + 0.25 + 0.75) / 4);
  EXPECT_FALSE(bound->partial);
}

TEST(Communication, TheRoofIsIntensityTimesBandwidthOfAllRanks) {
  const auto bound = communication_bound(four_ranks());
  const double intensity = 8e9 / 2'000'003'200.0;
  EXPECT_DOUBLE_EQ(*bound->flops_per_byte, intensity);
  EXPECT_DOUBLE_EQ(bound->roof->value(), intensity * 20e9);
  EXPECT_DOUBLE_EQ(bound->performance->value(), 4e9);
}

TEST(Communication, SeveralNodesCountTheLinksBetweenThem) {
  Profile profile = four_ranks();
  profile.parallel->hosts = {{.name = "a", .ranks = 2}, {.name = "b", .ranks = 2}};
  const auto bound = communication_bound(profile);
  EXPECT_DOUBLE_EQ(bound->latency.value(), 4e-6);
  EXPECT_DOUBLE_EQ(bound->bandwidth.value(), 4e9);
  profile.machine.interconnect->links.resize(2);  // measured on one node alone
  EXPECT_FALSE(communication_bound(profile));
}

TEST(Communication, WithoutExchangeThePingPongIsTheLoosestBound) {
  Profile profile = four_ranks();
  profile.machine.interconnect->links.resize(1);
  EXPECT_DOUBLE_EQ(communication_bound(profile)->bandwidth.value(), 4 * 8e9);
}

TEST(Communication, WhatIsNotKnownIsAbsent) {
  Profile without_links = four_ranks();
  without_links.machine.interconnect.reset();
  EXPECT_FALSE(communication_bound(without_links));
  Profile without_calls = four_ranks();
  without_calls.mpi_calls.clear();
  EXPECT_FALSE(communication_bound(without_calls));
  Profile without_work = four_ranks();
  without_work.regions.clear();
  EXPECT_FALSE(communication_bound(without_work)->roof);
  EXPECT_TRUE(communication_bound(without_work)->transfer_seconds);
}

TEST(Communication, CallsOfUnknownSizeMakeItPartial) {
  Profile profile = four_ranks();
  profile.mpi_calls.push_back(call("MPI_Startall", 10, std::nullopt, 0.1));
  EXPECT_TRUE(communication_bound(profile)->partial);
}

TEST(Communication, ProcessesOfOneStartAreRanksToo) {
  Profile profile = four_ranks();
  profile.parallel.reset();
  profile.processes.resize(3);  // mpirun and two ranks
  profile.processes[1].mpi_seconds = profile.processes[2].mpi_seconds = Seconds(1.0);
  EXPECT_DOUBLE_EQ(communication_bound(profile)->bandwidth.value(), 2 * 5e9);
}

}  // namespace
}  // namespace ridge::predict
