#include "measure/run/process_identity.hpp"

#include <csignal>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>

#include "platform/process.hpp"

namespace ridge::measure {
namespace {

using namespace std::string_literals;

TEST(RankIn, KnowsTheVariablesOfEachLauncher) {
  EXPECT_EQ(rank_in("HOME=/root\0OMPI_COMM_WORLD_RANK=3\0"s), 3);
  EXPECT_EQ(rank_in("PMI_RANK=0\0"s), 0);
  EXPECT_EQ(rank_in("PMIX_RANK=12"s), 12) << "cut short";
  EXPECT_EQ(rank_in("MV2_COMM_WORLD_RANK=1\0"s), 1);
  EXPECT_EQ(rank_in("SLURM_PROCID=7\0SLURM_NTASKS=8\0"s), 7);
}

TEST(RankIn, ABatchScriptIsNoRank) {
  EXPECT_EQ(rank_in("SLURM_PROCID=0\0SLURM_NTASKS=1\0"s), std::nullopt);
  EXPECT_EQ(rank_in("SLURM_PROCID=0\0"s), std::nullopt);
}

TEST(RankIn, OfSeveralTheLaunchersOwnComesFirst) {
  EXPECT_EQ(rank_in("SLURM_PROCID=0\0SLURM_NTASKS=4\0OMPI_COMM_WORLD_RANK=2\0"s), 2);
}

TEST(RankIn, WhatIsNoNumberIsNoRank) {
  for (const char* value : {"", "x", "-1", "1x", "99999999999"}) {
    EXPECT_EQ(rank_in("PMI_RANK="s + value), std::nullopt) << value;
  }
  EXPECT_EQ(rank_in("XPMI_RANK=1\0PMI_RANKS=2\0"s), std::nullopt);
  EXPECT_EQ(rank_in(""), std::nullopt);
}

TEST(ReadProcessIdentity, OfAChildWithItsEnvironment) {
  platform::ProcessOptions options;
  options.arguments = {"sleep", "1000"};
  options.environment = {{"PMI_RANK", "5"}};
  auto process = platform::Process::start(options);
  ASSERT_TRUE(process);
  EXPECT_EQ(read_process_identity(process->pid()), (ProcessIdentity{{"sleep", "1000"}, 5}));
  kill(process->pid(), SIGKILL);
  (void)process->wait();
  EXPECT_EQ(read_process_identity(process->pid()), std::nullopt);
}

}  // namespace
}  // namespace ridge::measure
