#include "measure/run/rank_variables.hpp"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

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

TEST(RankPlaceIn, OfOpenMpi) {
  const auto place = rank_place_in(
      "OMPI_COMM_WORLD_RANK=2\0OMPI_COMM_WORLD_SIZE=8\0OMPI_COMM_WORLD_LOCAL_SIZE=4\0"
      "PMIX_NAMESPACE=1234567\0"s);
  EXPECT_EQ(place, (RankPlace{2, 8, 4U, "1234567"}));
}

TEST(RankPlaceIn, OfMpich) {
  EXPECT_EQ(rank_place_in("PMI_RANK=1\0PMI_SIZE=3\0MPI_LOCALNRANKS=3\0"s),
            (RankPlace{1, 3, 3U, ""}));
}

TEST(RankPlaceIn, OfAStepOfSlurm) {
  EXPECT_EQ(rank_place_in("SLURM_PROCID=5\0SLURM_NTASKS=64\0SLURM_STEP_NUM_TASKS=16\0"
                          "SLURM_JOB_ID=77\0SLURM_STEP_ID=2\0"s),
            (RankPlace{5, 16, std::nullopt, "77.2"}));
}

TEST(RankPlaceIn, SlurmCountsTheTasksOfEachNode) {
  const auto local_ranks = [](const std::string& list, const std::string& node) {
    const std::string text =
        "SLURM_PROCID=5*SLURM_NTASKS=11*SLURM_STEP_NUM_TASKS=11*SLURM_NODEID=" + node +
        "*SLURM_STEP_TASKS_PER_NODE=" + list + "*";
    std::string environment = text;
    std::ranges::replace(environment, '*', '\0');
    return rank_place_in(environment)->local_ranks;
  };
  EXPECT_EQ(local_ranks("4(x2),3", "0"), 4U);
  EXPECT_EQ(local_ranks("4(x2),3", "1"), 4U);
  EXPECT_EQ(local_ranks("4(x2),3", "2"), 3U);
  EXPECT_EQ(local_ranks("2", "0"), 2U);
  EXPECT_EQ(local_ranks("4(x2),3", "3"), std::nullopt);
  for (const char* malformed : {"", "x", "4(x", "4(x)", "4(x0)", "4;3", "-1"}) {
    EXPECT_EQ(local_ranks(malformed, "1"), std::nullopt) << malformed;
  }
}

TEST(RankPlaceIn, ABatchScriptOfManyTasksIsNoRank) {
  EXPECT_FALSE(rank_place_in("SLURM_PROCID=0\0SLURM_NTASKS=64\0SLURM_JOB_ID=77\0"s));
}

TEST(RankPlaceIn, OneAloneIsNoParallelProgram) {
  EXPECT_FALSE(rank_place_in("OMPI_COMM_WORLD_RANK=0\0OMPI_COMM_WORLD_SIZE=1\0"s));
  EXPECT_FALSE(rank_place_in("OMPI_COMM_WORLD_RANK=0\0"s));
  EXPECT_FALSE(rank_place_in("PMI_RANK=4\0PMI_SIZE=4\0"s)) << "there is no rank 4 of 4";
  EXPECT_FALSE(rank_place_in(""));
}

TEST(StartOfProxy, IsWhereMpirunListens) {
  const auto line =
      "/usr/bin/hydra_pmi_proxy\0--control-port\0login1:44263\0--rmk\0user\0--pgid\0"s +
      "0\0--proxy-id\0"s;
  EXPECT_EQ(start_of_proxy(line + "0\0"s), "login1:44263-0");
  EXPECT_EQ(start_of_proxy(line + "1\0"s), "login1:44263-0") << "the proxy of another host";
  EXPECT_EQ(start_of_proxy("hydra_pmi_proxy\0--pgid\0"
                           "1\0--control-port\0a:1"s),
            "a:1-1");
}

TEST(StartOfProxy, OthersHaveNone) {
  EXPECT_FALSE(start_of_proxy(""));
  EXPECT_FALSE(start_of_proxy("sh\0-c\0hydra_pmi_proxy\0"s));
  EXPECT_FALSE(start_of_proxy("/opt/x/server\0--control-port\0a:1\0"s));
  EXPECT_FALSE(
      start_of_proxy("hydra_pmi_proxy\0--pgid\0"
                     "0\0"s));
  EXPECT_FALSE(start_of_proxy("hydra_pmi_proxy\0--control-port"s));
  EXPECT_FALSE(start_of_proxy("hydra_pmi_proxy\0--control-port\0"s));
}

}  // namespace
}  // namespace ridge::measure
