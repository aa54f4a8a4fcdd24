#include "measure/ranks/join_ranks.hpp"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "measure/regions_for_tests.hpp"

namespace ridge::measure {
namespace {

constexpr std::uint64_t kFlops = 800;  // of full_region(), for each unit of scale

Region loop_of(std::uint32_t id, std::optional<std::uint32_t> parent, const std::string& name,
               unsigned line, std::uint64_t scale) {
  Region region = full_region(id, RegionKind::loop, name, scale);
  region.parent = parent;
  region.file = "solve.cpp";
  region.line = line;
  region.partial = false;
  return region;
}

/// A program with a function, two loops in it and a call into MPI; all figures grow with `scale`.
RankRecord record_of(unsigned rank, std::uint64_t scale) {
  RankRecord record;
  record.rank = rank;
  record.host = "node-0";
  record.cpus = {0, 1, 2, 3};
  Profile& profile = record.profile;
  profile.ridge_version = "1";
  profile.program.argv = {"./solve", "-n", "100"};
  profile.program.exit_code = 0;
  profile.program.wall_seconds = Seconds(2.0 * static_cast<double>(scale));
  profile.time = {Seconds(2.0), 0.25};
  profile.processes = {Process{100 + rank, {"./solve"}, 0, std::nullopt, std::nullopt}};
  profile.regions.push_back(full_region(0, RegionKind::program, "solve", scale));
  profile.regions.push_back(full_region(1, RegionKind::function, "sweep", scale));
  profile.regions.push_back(loop_of(2, 1, "sweep", 10, scale));
  profile.regions.push_back(loop_of(3, 1, "sweep", 20, scale));
  profile.regions.front().entries = 1;
  profile.mpi_calls = {MpiCall{"MPI_Allreduce", 1, 10, 80, 10, 80,
                               Seconds(0.5 * static_cast<double>(scale)), Seconds(0.25),
                               std::nullopt}};
  profile.library_calls = {LibraryCall{"dgemm", "8 x 8 x 8", 2, 3, 3072, 4608, Seconds(0.1)}};
  return record;
}

Machine machine_of_test() {
  Machine machine;
  machine.name = "test";
  machine.caches.resize(1);
  machine.memories = {MemoryNode{}};
  Ceiling ceiling;
  ceiling.id = "compute.fp64.avx2.fma.t2";
  ceiling.threads = 2;
  ceiling.value = Estimate<FlopsPerSecond>{FlopsPerSecond(1e9), FlopsPerSecond(2e9)};
  machine.ceilings = {ceiling};
  return machine;
}

Profile join(const std::vector<RankRecord>& records, unsigned ranks,
             const std::vector<unsigned>& expected) {
  RankJoin join;
  for (const RankRecord& record : records) {
    join.add(record);
  }
  return std::move(join).finish(machine_of_test(), ranks, expected);
}

const Region& region_at(const Profile& profile, unsigned line) {
  return *std::ranges::find_if(profile.regions,
                               [&](const Region& region) { return region.line == line; });
}

TEST(JoinRanks, AddsWorkAndKeepsTheLongestTime) {
  const Profile joined = join({record_of(0, 1), record_of(1, 3), record_of(2, 2)}, 3, {0, 1, 2});
  ASSERT_EQ(joined.regions.size(), 4U);
  const Region& loop = region_at(joined, 10);
  EXPECT_EQ(known_work(loop).total(), 6 * kFlops);
  EXPECT_EQ(loop.bytes_loaded, 6U * 1600);
  EXPECT_EQ(loop.traffic.at(Level::DRAM), (Traffic{6 * 640, 6 * 320}));
  EXPECT_EQ(loop.time_seconds.self->value, Seconds(3.0));
  EXPECT_EQ(loop.cpu_seconds.self->value, Seconds(12.0));
  EXPECT_EQ(loop.threads, 6U);
  EXPECT_EQ(loop.entries, 18U);
  EXPECT_EQ(program_region(joined)->entries, 1U);
  EXPECT_EQ(joined.program.wall_seconds, Seconds(6.0));
  EXPECT_EQ(joined.regions[*loop.parent].name, "sweep");
}

TEST(JoinRanks, SaysHowFiguresSpread) {
  const Profile joined = join({record_of(0, 1), record_of(1, 3), record_of(2, 2)}, 3, {0, 1, 2});
  const RegionRanks& ranks = *region_at(joined, 20).ranks;
  EXPECT_EQ(ranks.flops, (RankSpread{3, 800, 0, 1600, 2400, 1, 1600, {}}));
  EXPECT_DOUBLE_EQ(*imbalance_of(*ranks.time_seconds), 1.5);
  ASSERT_EQ(ranks.by_rank.size(), 3U);
  EXPECT_EQ(ranks.by_rank[1].flops, 3 * kFlops);
  ASSERT_EQ(joined.processes.size(), 3U);
  EXPECT_EQ(joined.processes[1].rank, 1);
  EXPECT_EQ(joined.processes[1].mpi_seconds, Seconds(1.5));
}

TEST(JoinRanks, ARankThatNeverCameToARegionHasZero) {
  RankRecord other = record_of(1, 1);
  other.profile.regions.pop_back();
  const Profile joined = join({record_of(0, 2), other}, 2, {0, 1});
  const RegionRanks& ranks = *region_at(joined, 20).ranks;
  EXPECT_EQ(ranks.time_seconds->least, 0.0);
  EXPECT_EQ(ranks.time_seconds->least_rank, 1);
  EXPECT_DOUBLE_EQ(*imbalance_of(*ranks.time_seconds), 2.0);
}

TEST(JoinRanks, OfSeveralProgramsRegionsStayApart) {
  RankRecord other = record_of(1, 1);
  other.profile.program.argv = {"./ocean"};
  const Profile joined = join({record_of(0, 2), other}, 2, {0, 1});
  EXPECT_EQ(joined.regions.size(), 7U) << "the program is one, functions and loops are not";
  EXPECT_EQ(region_at(joined, 20).ranks->time_seconds->ranks, 1U) << "who should have come?";
}

TEST(JoinRanks, NamesLostAndUnchosenRanks) {
  const Profile joined = join({record_of(0, 1), record_of(4, 1)}, 16, {0, 4, 8, 12});
  EXPECT_EQ(joined.parallel->ranks, 16U);
  EXPECT_EQ(joined.parallel->measured, 2U);
  EXPECT_EQ(joined.parallel->lost, (std::vector<unsigned>{8, 12}));
  std::string notes;
  for (const Note& note : joined.notes) {
    notes += note.code + " ";
  }
  EXPECT_NE(notes.find("ranks-lost"), std::string::npos) << notes;
  EXPECT_NE(notes.find("ranks-chosen"), std::string::npos) << notes;
}

TEST(JoinRanks, ARankCountsOnce) {
  const Profile joined = join({record_of(0, 1), record_of(0, 1)}, 1, {0});
  EXPECT_EQ(known_work(region_at(joined, 10)).total(), kFlops);
}

TEST(JoinRanks, AddsCalls) {
  const Profile joined = join({record_of(0, 1), record_of(1, 3)}, 2, {0, 1});
  ASSERT_EQ(joined.mpi_calls.size(), 1U);
  const MpiCall& call = joined.mpi_calls.front();
  EXPECT_EQ(call.calls, 20U);
  EXPECT_EQ(call.bytes, 160U);
  EXPECT_EQ(call.seconds, Seconds(2.0));
  EXPECT_EQ(call.waiting_seconds, Seconds(0.5));
  EXPECT_EQ(call.seconds_by_rank->most_rank, 1);
  EXPECT_EQ(joined.regions[*call.region].name, "sweep");
  ASSERT_EQ(joined.library_calls.size(), 1U);
  EXPECT_EQ(joined.library_calls.front().flops, 6144U);
}

TEST(JoinRanks, WhatOneRankDoesNotKnowOfCallsNobodyKnows) {
  std::vector<RankRecord> records;
  for (unsigned rank = 0; rank < 4; ++rank) {
    records.push_back(record_of(rank, 1));
  }
  for (const unsigned unknown : {0U, 1U, 2U, 3U}) {
    std::vector<RankRecord> some = records;
    some[unknown].profile.mpi_calls.front().bytes.reset();
    some[unknown].profile.mpi_calls.front().waiting_seconds.reset();
    some[unknown].profile.library_calls.front().flops.reset();
    const Profile line = join(some, 4, {0, 1, 2, 3});
    const MpiCall& call = line.mpi_calls.front();
    EXPECT_EQ(call.calls, 40U);
    EXPECT_EQ(call.bytes, std::nullopt);
    EXPECT_EQ(call.waiting_seconds, std::nullopt);
    EXPECT_EQ(line.library_calls.front().flops, std::nullopt);
    EXPECT_EQ(line.library_calls.front().bytes, 4U * 4608);
    RankJoin left;
    RankJoin right;
    for (const RankRecord& record : some) {
      (record.rank < 2 ? left : right).add(record);
    }
    left.add(std::move(right));
    const Profile tree = std::move(left).finish(machine_of_test(), 4, {0, 1, 2, 3});
    EXPECT_EQ(tree.mpi_calls, line.mpi_calls);
    EXPECT_EQ(tree.library_calls, line.library_calls);
  }
}

TEST(JoinRanks, MoreRanksThanCpusHaveNoRoofs) {
  RankRecord first = record_of(0, 1);
  RankRecord second = record_of(1, 1);
  first.cpus = second.cpus = {0};
  const Profile joined = join({first, second}, 2, {0, 1});
  EXPECT_TRUE(joined.parallel->oversubscribed);
  EXPECT_TRUE(joined.machine.ceilings.empty());
  EXPECT_EQ(known_work(region_at(joined, 10)).total(), 2 * kFlops);
}

TEST(JoinRanks, RoofsOfTwoMachinesAreThoseOfBoth) {
  RankRecord second = record_of(1, 1);
  second.host = "node-1";
  const Profile joined = join({record_of(0, 1), second}, 2, {0, 1});
  ASSERT_EQ(joined.parallel->hosts.size(), 2U);
  const Ceiling& ceiling = joined.machine.ceilings.front();
  EXPECT_EQ(ceiling.id, "compute.fp64.avx2.fma.t4");
  EXPECT_EQ(ceiling.threads, 4U);
  EXPECT_DOUBLE_EQ(p90_of(ceiling.value), 4e9);
}

TEST(JoinRanks, EachMachineHasTheFiguresOfItsRanks) {
  std::vector<RankRecord> records{record_of(0, 1), record_of(1, 3), record_of(2, 2)};
  records[2].host = "node-1";
  const Profile joined = join(records, 3, {0, 1, 2});
  ASSERT_EQ(joined.parallel->hosts.size(), 2U);
  const RankHost first{"node-0",     2,           4,         Seconds(6.0), Seconds(8.0),
                       Seconds(2.0), 4U * kFlops, 4U * 2400, 4U * 960};
  EXPECT_EQ(joined.parallel->hosts[0], first);
  const RankHost second{"node-1",     1,           4,         Seconds(4.0), Seconds(4.0),
                        Seconds(1.0), 2U * kFlops, 2U * 2400, 2U * 960};
  EXPECT_EQ(joined.parallel->hosts[1], second);
}

TEST(JoinRanks, FiguresOfAPartOfAMachinesRanksAreLeftOut) {
  RankRecord other = record_of(1, 1);
  other.profile.mpi_calls.clear();
  for (Region& region : other.profile.regions) {
    take_figures(FigureGroup::traffic, region, Region());
    take_figures(FigureGroup::work, region, Region());
  }
  RankRecord elsewhere = record_of(2, 1);
  elsewhere.host = "node-1";
  const Profile joined = join({record_of(0, 1), other, elsewhere}, 3, {0, 1, 2});
  const RankHost& host = joined.parallel->hosts.front();
  EXPECT_FALSE(host.mpi_seconds || host.flops || host.bytes || host.memory_bytes);
  EXPECT_EQ(host.cpu_seconds, Seconds(4.0));
  EXPECT_EQ(joined.parallel->hosts.back().flops, kFlops);
}

TEST(JoinRanks, TrafficOfSomeRanksIsLeftOut) {
  RankRecord other = record_of(1, 1);
  for (Region& region : other.profile.regions) {
    take_figures(FigureGroup::traffic, region, Region());
  }
  const Profile joined = join({record_of(0, 1), other}, 2, {0, 1});
  const Region& loop = region_at(joined, 10);
  EXPECT_FALSE(loop.traffic.contains(Level::DRAM));
  EXPECT_EQ(loop.notes.back().code, "work-of-some-ranks");
}

/// Ten sweeps over `bytes`: each reads all of them from below, unless they fit.
RankRecord sweeping(unsigned rank, std::uint64_t bytes) {
  RankRecord record = record_of(rank, 1);
  for (Region& region : record.profile.regions) {
    region.miss_curve = {{32 << 10U, 10 * bytes}, {bytes, bytes}};
  }
  return record;
}

TEST(JoinRanks, CurvesOfMissesAddUpAsSteps) {
  constexpr std::uint64_t kSmall = 300000;
  constexpr std::uint64_t kLarge = 3000000;
  const MissCurve expected{{32 << 10U, 10 * (kSmall + 2 * kLarge)},
                           {kSmall, kSmall + 2 * 10 * kLarge},
                           {kLarge, kSmall + 2 * kLarge}};
  const std::vector<RankRecord> records{sweeping(0, kSmall), sweeping(1, kLarge),
                                        sweeping(2, kLarge)};
  std::vector<unsigned> order{0, 1, 2};
  do {
    const auto at = [&](std::size_t i) { return records[order[i]]; };
    const Profile line = join({at(0), at(1), at(2)}, 3, {0, 1, 2});
    EXPECT_EQ(region_at(line, 10).miss_curve, expected);
    RankJoin tree;
    tree.add(at(0));
    RankJoin two;
    two.add(at(1));
    two.add(at(2));
    tree.add(std::move(two));
    const Profile joined = std::move(tree).finish(machine_of_test(), 3, {0, 1, 2});
    EXPECT_EQ(region_at(joined, 10).miss_curve, expected);
  } while (std::ranges::next_permutation(order).found);
}

TEST(JoinRanks, TheFirstBadEndIsTheProgramsEnd) {
  RankRecord bad = record_of(1, 1);
  bad.profile.program.exit_code.reset();
  bad.profile.program.signal = 9;
  const Profile joined = join({record_of(0, 1), bad, record_of(2, 1)}, 3, {0, 1, 2});
  EXPECT_EQ(joined.program.signal, 9);
  EXPECT_EQ(joined.processes[1].signal, 9);
}

/// A parent that is its own child, or is not there: records are files.
TEST(JoinRanks, ParentsThatLeadNowhereAreNone) {
  RankRecord record = record_of(0, 1);
  record.profile.regions[1].parent = 2;
  record.profile.regions[2].parent = 1;
  record.profile.regions[3].parent = 77;
  const Profile joined = join({record}, 1, {0});
  EXPECT_EQ(joined.regions.size(), 4U);
  EXPECT_FALSE(region_at(joined, 20).parent);
}

TEST(JoinRanks, ATreeGivesWhatALineGives) {
  std::vector<RankRecord> records;
  for (unsigned rank = 0; rank < 12; ++rank) {
    records.push_back(record_of(rank, 1 + (rank * 7) % 5));
    if (rank % 3 == 1) {
      records.back().profile.regions.pop_back();
    }
    records.back().host = rank < 5 ? "node-0" : "node-1";
    // In floating point the order of a sum shows.
    records.back().profile.regions.front().cpu_seconds.self->value = Seconds(1.0 / (rank + 3.0));
  }
  std::vector<unsigned> all(12);
  for (unsigned rank = 0; rank < 12; ++rank) {
    all[rank] = rank;
  }
  RankJoin left;
  RankJoin right;
  for (unsigned rank = 0; rank < 12; ++rank) {
    (rank % 2 == 0 ? left : right).add(records[rank]);
  }
  left.add(std::move(right));
  EXPECT_EQ(left.ranks(), 12U);
  const Profile tree = std::move(left).finish(machine_of_test(), 12, all);
  const Profile line = join(records, 12, all);
  ASSERT_EQ(tree.regions.size(), line.regions.size());
  for (std::size_t i = 0; i < tree.regions.size(); ++i) {
    EXPECT_EQ(tree.regions[i].flops, line.regions[i].flops);
    EXPECT_EQ(tree.regions[i].ranks, line.regions[i].ranks);
    EXPECT_EQ(tree.regions[i].traffic, line.regions[i].traffic);
    EXPECT_EQ(tree.regions[i].threads, line.regions[i].threads);
    EXPECT_EQ(tree.regions[i].notes, line.regions[i].notes);
  }
  EXPECT_EQ(tree.parallel, line.parallel);
  EXPECT_EQ(tree.mpi_calls, line.mpi_calls);
  EXPECT_EQ(tree.processes, line.processes);
}

}  // namespace
}  // namespace ridge::measure
