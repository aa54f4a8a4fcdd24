#include <string>

#include <gtest/gtest.h>

extern "C" {
#include "instrument/engine/launched.h"
}

namespace {

using namespace std::string_literals;

std::string kept(std::string environment) {
  environment.resize(engine_keep_launched(environment.data(), environment.size()));
  return environment;
}

TEST(Launched, KeepsWhatLaunchersSetAndNothingElse) {
  EXPECT_EQ(kept("HOME=/root\0PMI_RANK=3\0SECRET=1\0OMPI_COMM_WORLD_RANK=2\0PATH=/bin\0"s),
            "PMI_RANK=3\0OMPI_COMM_WORLD_RANK=2\0"s);
  EXPECT_EQ(kept("SLURM_PROCID=0\0SLURM_NTASKS=4\0SLURM_JOBID=9\0"s),
            "SLURM_PROCID=0\0SLURM_NTASKS=4\0"s);
}

TEST(Launched, NamesAreWholeNames) {
  EXPECT_EQ(kept("XPMI_RANK=3\0PMI_RANKS=3\0PMI_RANK\0"s), "");
}

TEST(Launched, WhatIsCutShortIsLeftOut) {
  EXPECT_EQ(kept("PMI_RANK=3"s), "");
  EXPECT_EQ(kept("PMI_R"s), "");
  EXPECT_EQ(kept(""), "");
}

}  // namespace
