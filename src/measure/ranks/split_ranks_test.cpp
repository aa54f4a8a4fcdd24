#include "measure/ranks/split_ranks.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "measure/regions_for_tests.hpp"

namespace ridge::measure {
namespace {

/// mpirun and two ranks, each with a function and a loop; a call of MPI from the loop of each.
Profile two_ranks() {
  Profile profile;
  profile.program.argv = {"mpirun", "-n", "2", "./solve"};
  profile.processes = {Process{10, {"mpirun"}, 0, {}, {}}, Process{11, {"./solve"}, {}, {}, 1},
                       Process{12, {"./solve"}, {}, {}, 0}};
  profile.regions.push_back(full_region(0, RegionKind::program, "mpirun", 4));
  for (std::uint32_t process = 1; process < 3; ++process) {
    const std::uint32_t first = 10 * process;
    profile.regions.push_back(full_region(first, RegionKind::function, "sweep", process));
    profile.regions.push_back(full_region(first + 1, RegionKind::loop, "sweep", process));
    profile.regions.back().parent = first;
    for (std::uint32_t id : {0U, 1U}) {
      profile.regions[profile.regions.size() - 1 - id].process = process;
    }
    profile.mpi_calls.push_back({"MPI_Send", first + 1, 5, 40, 5, 40, Seconds(0.5), {}, {}});
  }
  return profile;
}

TEST(SumOverRanks, RegionsOfAllRanksAreOne) {
  const Profile sum = sum_over_ranks(two_ranks());
  ASSERT_EQ(sum.regions.size(), 3U);
  ASSERT_TRUE(sum.parallel);
  EXPECT_EQ(sum.parallel->measured, 2U);
  const auto loop = std::ranges::find(sum.regions, RegionKind::loop, &Region::kind);
  EXPECT_EQ(known_work(*loop).total(), 3U * 800);
  EXPECT_EQ(loop->ranks->flops->most_rank, 0) << "the second process is rank 0";
  EXPECT_EQ(sum.regions[*loop->parent].kind, RegionKind::function);
}

TEST(SumOverRanks, TheProgramStaysAsItWasMeasured) {
  const Profile before = two_ranks();
  const Profile sum = sum_over_ranks(before);
  const Region& program = *program_region(sum);
  EXPECT_EQ(program.flops, before.regions.front().flops);
  EXPECT_EQ(program.time_seconds, before.regions.front().time_seconds);
  EXPECT_EQ(program.ranks->flops->ranks, 2U);
}

TEST(SumOverRanks, TheHostHasTheFiguresOfTheProgram) {
  Profile profile = two_ranks();
  profile.processes[1].mpi_seconds = Seconds(0.5);
  EXPECT_FALSE(sum_over_ranks(profile).parallel->hosts.front().mpi_seconds) << "of one rank alone";
  profile.processes[2].mpi_seconds = Seconds(0.25);
  const Profile sum = sum_over_ranks(profile);
  ASSERT_EQ(sum.parallel->hosts.size(), 1U);
  const RankHost& host = sum.parallel->hosts.front();
  EXPECT_EQ(host.ranks, 2U);
  EXPECT_EQ(host.flops, 4U * 800);
  EXPECT_EQ(host.bytes, 4U * 2400);
  EXPECT_EQ(host.memory_bytes, 4U * 960);
  EXPECT_EQ(host.cpu_seconds, Seconds(8.0));
  EXPECT_EQ(host.mpi_seconds, Seconds(0.75));
  EXPECT_FALSE(host.wall_seconds) << "the program's has the launcher's in it";
  EXPECT_EQ(host.cpus, 0U) << "nobody asked the ranks";
}

TEST(SumOverRanks, CallsOfTheSameRegionAreOne) {
  const Profile sum = sum_over_ranks(two_ranks());
  ASSERT_EQ(sum.mpi_calls.size(), 1U);
  EXPECT_EQ(sum.mpi_calls.front().calls, 10U);
  EXPECT_EQ(sum.mpi_calls.front().bytes, 80U);
  EXPECT_EQ(sum.regions[*sum.mpi_calls.front().region].kind, RegionKind::loop);
}

TEST(SumOverRanks, MoreRanksThanCpusHaveNoRoofs) {
  Profile profile = two_ranks();
  profile.machine.ceilings.resize(1);
  profile.machine.topology = Topology{1, 1, 2, 2};
  EXPECT_EQ(sum_over_ranks(profile).machine.ceilings.size(), 1U);
  profile.machine.topology->threads = 1;
  const Profile sum = sum_over_ranks(profile);
  EXPECT_TRUE(sum.parallel->oversubscribed);
  EXPECT_TRUE(sum.machine.ceilings.empty());
  EXPECT_NE(std::ranges::find(sum.notes, "ranks-oversubscribed", &Note::code), sum.notes.end());
}

TEST(SumOverRanks, WithoutRanksNothingChanges) {
  Profile profile = two_ranks();
  profile.processes[2].rank.reset();
  EXPECT_EQ(sum_over_ranks(profile), profile);
  profile = two_ranks();
  profile.processes[2].rank = 1;
  EXPECT_EQ(sum_over_ranks(profile), profile) << "a rank's child has its variables";
}

}  // namespace
}  // namespace ridge::measure
