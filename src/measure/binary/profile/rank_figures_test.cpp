#include "measure/binary/profile/rank_figures.hpp"

#include <gtest/gtest.h>

#include "measure/binary/profile/runs_for_tests.hpp"

namespace ridge::measure::binary {
namespace {

using tests::Runs;
using tests::work_of;

constexpr pid_t kRank0 = 100;
constexpr pid_t kRank1 = 101;

/// A launcher (which is the program), and two ranks with a loop each.
class RankFigures : public testing::Test {
 protected:
  RankFigures() {
    even_ = runs_.region("even", work_of(40));
    uneven_ = runs_.region("uneven", work_of(100));
    launcher_ = runs_.thread(tests::kPid);
    first_ = runs_.thread(kRank0, kRank0);
    second_ = runs_.thread(kRank1, kRank1);
    runs_.timed.processes = {{{"mpirun"}, std::nullopt}, {{"app"}, 0}, {{"app"}, 1}};
    counts_[0].add({work_of(20), work_of(10)});
    counts_[1].add({work_of(20), work_of(90)});
  }

  Profile profile() {
    std::vector<std::uint32_t> numbers;
    Profile made = binary_profile(runs_.input(), &numbers);
    add_rank_figures(made, numbers, runs_.timed, runs_.code, counts_);
    return made;
  }

  static const Region& region(const Profile& profile, const std::string& name) {
    return *std::ranges::find(profile.regions, name, &Region::name);
  }

  Runs runs_;
  CountsOfRanks counts_;
  std::uint32_t even_ = 0;
  std::uint32_t uneven_ = 0;
  std::uint32_t launcher_ = 0;
  std::uint32_t first_ = 0;
  std::uint32_t second_ = 0;
};

TEST_F(RankFigures, SpreadOverTheRanks) {
  runs_.spent(10, even_, first_);
  runs_.spent(20, even_, second_);
  runs_.spent(30, uneven_, second_);
  const Profile made = profile();
  const RegionRanks& uneven = *region(made, "uneven").ranks;
  ASSERT_EQ(uneven.by_rank.size(), 2U);
  EXPECT_EQ(uneven.by_rank[0].flops, 10U);
  EXPECT_EQ(uneven.by_rank[1].flops, 90U);
  EXPECT_EQ(uneven.by_rank[1].bytes, 180U);
  EXPECT_DOUBLE_EQ(uneven.time_seconds->least, 0.0) << "rank 0 did not come there";
  EXPECT_DOUBLE_EQ(uneven.time_seconds->most, 0.030);
  EXPECT_EQ(uneven.time_seconds->most_rank, 1);
  EXPECT_DOUBLE_EQ(region(made, "even").ranks->cpu_seconds->mean, 0.015);
  ASSERT_TRUE(made.parallel);
  EXPECT_EQ(made.parallel->ranks, 2U);
  EXPECT_EQ(made.parallel->measured, 2U);
  ASSERT_EQ(made.parallel->hosts.size(), 1U);
  EXPECT_EQ(made.parallel->hosts[0].flops, made.regions[0].flops->total());
}

TEST_F(RankFigures, FiguresOfTheRegionsStayThoseOfAllTogether) {
  runs_.spent(10, even_, first_);
  runs_.spent(20, even_, second_);
  std::vector<std::uint32_t> numbers;
  const Profile before = binary_profile(runs_.input(), &numbers);
  const Profile after = profile();
  EXPECT_EQ(region(after, "even").time_seconds.self, region(before, "even").time_seconds.self);
  EXPECT_EQ(region(after, "even").flops, region(before, "even").flops);
}

TEST_F(RankFigures, TheProgramHasWorkOfItsRanksAndNoTimeOfEach) {
  runs_.spent(10, even_, first_);
  runs_.spent(25, even_, second_);
  runs_.spent(5, uneven_, second_);
  const Profile made = profile();
  const RegionRanks& program = *made.regions.front().ranks;
  EXPECT_EQ(program.by_rank.at(0).flops, 30U);
  EXPECT_EQ(program.by_rank.at(1).flops, 110U);
  EXPECT_NEAR(program.cpu_seconds->most, 0.030, 1e-9);
  EXPECT_FALSE(program.time_seconds);
}

TEST_F(RankFigures, WhatARankStartedCountsWithIt) {
  const auto child = runs_.thread(200, 200);
  runs_.timed.processes.push_back({{"sh"}, 1});
  runs_.spent(10, even_, first_);
  runs_.spent(10, even_, second_);
  runs_.spent(30, even_, child);
  const Profile made = profile();
  EXPECT_NEAR(region(made, "even").ranks->cpu_seconds->most, 0.040, 1e-9);
  EXPECT_EQ(made.parallel->measured, 2U);
}

TEST_F(RankFigures, WhereTheLauncherAloneWasThereIsNoSpread) {
  const auto waits = runs_.region("waits for its ranks", work_of(0));
  for (auto& [rank, counts] : counts_) {
    counts.flops.push_back(0);
    counts.bytes.push_back(0);
  }
  runs_.spent(10, waits, launcher_);
  runs_.spent(10, even_, first_);
  runs_.spent(10, even_, second_);
  const Profile made = profile();
  EXPECT_FALSE(region(made, "waits for its ranks").ranks);
  EXPECT_TRUE(region(made, "even").ranks);
}

TEST_F(RankFigures, WithoutCountsOfOneRankThereAreTimes) {
  counts_.erase(1);
  runs_.spent(10, even_, first_);
  runs_.spent(20, even_, second_);
  const Profile made = profile();
  EXPECT_FALSE(region(made, "even").ranks->flops);
  EXPECT_TRUE(region(made, "even").ranks->time_seconds);
}

TEST_F(RankFigures, OneRankIsNoParallelProgram) {
  runs_.timed.processes[2].rank = 0;
  runs_.spent(10, even_, first_);
  const Profile made = profile();
  EXPECT_FALSE(made.parallel);
  EXPECT_FALSE(region(made, "even").ranks);
}

TEST_F(RankFigures, MoreRanksThanCpusHaveNoRoofs) {
  runs_.machine.topology.emplace().threads = 1;
  runs_.machine.ceilings.emplace_back().id = "compute.fp64.avx2.fma.t1";
  runs_.spent(10, even_, first_);
  runs_.spent(20, even_, second_);
  const Profile made = profile();
  EXPECT_TRUE(made.parallel->oversubscribed);
  EXPECT_TRUE(made.machine.ceilings.empty());
  EXPECT_NE(std::ranges::find(made.notes, "ranks-oversubscribed", &Note::code), made.notes.end());
}

}  // namespace
}  // namespace ridge::measure::binary
