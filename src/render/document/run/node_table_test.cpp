#include "render/document/run/node_table.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "render/sentences_for_tests.hpp"

namespace ridge::render {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

TextStyle wide() {
  TextStyle style;
  style.columns = 140;
  return style;
}

Ceiling roof(CeilingKind kind, unsigned threads, double rate) {
  Ceiling ceiling;
  ceiling.kind = kind;
  ceiling.threads = threads;
  if (kind == CeilingKind::compute) {
    ceiling.precision = "fp64";
    ceiling.operation = Operation::fma;
    ceiling.value = Estimate<FlopsPerSecond>{FlopsPerSecond(rate), FlopsPerSecond(rate),
                                             FlopsPerSecond(rate), FlopsPerSecond(rate)};
  } else {
    ceiling.level = Level::DRAM;
    ceiling.pattern = Pattern::load;
    ceiling.value = Estimate<BytesPerSecond>{BytesPerSecond(rate), BytesPerSecond(rate),
                                             BytesPerSecond(rate), BytesPerSecond(rate)};
  }
  return ceiling;
}

RankHost host(const char* name, std::uint64_t flops) {
  return {name, 2, 8, Seconds(2.0), Seconds(4.0), Seconds(1.0), flops, 3 * flops, flops / 2};
}

/// Two machines that together reach 80 GFlop/s with one thread each and 400 with all; 100 GB/s.
Profile two_nodes() {
  Profile profile;
  profile.parallel = ParallelRun{
      4, 4, {}, {host("node-0", 20'000'000'000), host("node-1", 60'000'000'000)}, false};
  Region program;
  program.kind = RegionKind::program;
  program.threads = 4;
  work_of(program).add(Precision::fp64, OperationKind::fma, 256, 80'000'000'000);
  profile.regions = {program};
  profile.machine.memories = {MemoryNode{}};
  profile.machine.ceilings = {
      roof(CeilingKind::compute, 2, 80e9), roof(CeilingKind::compute, 16, 400e9),
      roof(CeilingKind::bandwidth, 2, 50e9), roof(CeilingKind::bandwidth, 16, 100e9)};
  return profile;
}

TEST(NodeTable, RatesStandAgainstTheRoofsOfOneMachine) {
  const NodeTable table = nodes_of(two_nodes());
  ASSERT_THAT(table.rows, SizeIs(2));
  const NodeRow& second = table.rows[1];
  EXPECT_EQ(second.name, "node-1");
  EXPECT_DOUBLE_EQ(*second.flops_per_second, 30e9);
  EXPECT_DOUBLE_EQ(*second.of_compute, 30.0 / 200.0) << "of all threads of one machine";
  EXPECT_DOUBLE_EQ(*second.bytes_per_second, 15e9);
  EXPECT_DOUBLE_EQ(*second.of_memory, 15.0 / 50.0);
  EXPECT_DOUBLE_EQ(*second.in_mpi, 0.25);
  EXPECT_THAT(table.heading, HasSubstr("work 1.50"));
  EXPECT_THAT(table.heading, HasSubstr("CPU time 1.00"));
}

TEST(NodeTable, TerminalAndMarkdownHoldTheSame) {
  const Profile profile = two_nodes();
  EXPECT_THAT(
      node_table(profile, wide()),
      ContainsRegex("node-1 +2 +8 +2\\.00 s +30\\.0 GFlop/s +15 % +15\\.0 GB/s +30 % +25 %"));
  EXPECT_THAT(
      node_markdown(profile),
      HasSubstr("| `node-1` | 2 | 8 | 2.00 s | 30.0 GFlop/s | 15 % | 15.0 GB/s | 30 % | 25 % |"));
}

TEST(NodeTable, OfOneMachineThereIsNone) {
  Profile profile = two_nodes();
  profile.parallel->hosts.pop_back();
  EXPECT_EQ(node_table(profile, wide()), "");
  EXPECT_EQ(node_markdown(profile), "");
  profile.parallel.reset();
  EXPECT_EQ(node_table(profile, wide()), "");
}

TEST(NodeTable, WhatIsUnknownHasNoColumnAndNoShare) {
  Profile profile = two_nodes();
  profile.machine.ceilings.clear();
  for (RankHost& each : profile.parallel->hosts) {
    each.mpi_seconds.reset();
    each.cpus = 0;
  }
  profile.parallel->hosts[0].flops.reset();
  const NodeTable table = nodes_of(profile);
  EXPECT_THAT(table.heading, Not(HasSubstr("work"))) << "known of one of them";
  EXPECT_THAT(table.legend, Not(HasSubstr("in MPI")));
  EXPECT_FALSE(table.rows[1].of_compute || table.rows[1].of_memory || table.rows[1].in_mpi);
  EXPECT_THAT(node_markdown(profile), HasSubstr("| node | ranks | time | flop/s | memory |"));
}

TEST(NodeTable, OfChosenRanksTheShareOfMpiIsUnknown) {
  Profile profile = two_nodes();
  profile.parallel->measured = 2;
  const NodeTable table = nodes_of(profile);
  EXPECT_FALSE(table.rows[0].in_mpi);
  EXPECT_DOUBLE_EQ(*table.rows[1].of_compute, 30.0 / 200.0);
  EXPECT_THAT(table.legend, HasSubstr("measured ranks"));
}

TEST(NodeTable, NamesThatWereLeftOutAreNumbers) {
  Profile profile = two_nodes();
  profile.parallel->hosts[1].name.clear();
  EXPECT_EQ(nodes_of(profile).rows[1].name, "node 2");
}

/// Names are a stranger's.
TEST(NodeTable, NamesAreCleaned) {
  Profile profile = two_nodes();
  profile.parallel->hosts[1].name = "evil\x1b[31m";
  EXPECT_THAT(node_table(profile, wide()), Not(HasSubstr("\x1b")));
}

Profile thousand_nodes() {
  Profile profile = two_nodes();
  profile.parallel->hosts.clear();
  for (unsigned i = 0; i < 1000; ++i) {
    profile.parallel->hosts.push_back(host(fmt::format("n{:04}", i).c_str(), 1'000'000 + i));
  }
  profile.parallel->measured = 2000;
  profile.parallel->hosts[321].wall_seconds = Seconds(9.0);
  profile.parallel->hosts[654].mpi_seconds = Seconds(0.01);
  return profile;
}

TEST(NodeTable, OfVeryManyThoseAtTheEndsStay) {
  const NodeTable table = nodes_of(thousand_nodes());
  EXPECT_LE(table.rows.size(), 24U);
  EXPECT_EQ(table.rows.size() + table.left_out, 1000U);
  for (const char* name : {"n0000", "n0321", "n0654", "n0999"}) {
    EXPECT_NE(std::ranges::find(table.rows, name, &NodeRow::name), table.rows.end()) << name;
  }
  EXPECT_TRUE(std::ranges::is_sorted(table.rows, {}, &NodeRow::name));
  EXPECT_THAT(node_table(thousand_nodes(), wide()),
              HasSubstr(fmt::format("{} more", table.left_out)));
}

}  // namespace

void node_sentences(tests::Sentences& sentences) {
  TextStyle style = wide();
  sentences.add("nodes", node_table(two_nodes(), style));
  style.columns = 80;
  sentences.add("nodes: a narrow terminal", node_table(two_nodes(), style));
  Profile profile = two_nodes();
  profile.machine.ceilings.clear();
  profile.parallel->hosts.front().flops.reset();
  sentences.add("nodes: no roofs", node_markdown(profile));
}

}  // namespace ridge::render
