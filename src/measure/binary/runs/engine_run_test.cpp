#include "measure/binary/runs/engine_run.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace ridge::measure::binary {
namespace {

Record of(std::uint32_t pid, bool before_exec) {
  Record record;
  record.pid = pid;
  record.before_exec = before_exec;
  return record;
}

TEST(LostProcesses, WhatBecameAnotherProgramHasARecordOfThatToo) {
  EXPECT_EQ(lost_processes(std::vector{of(7, true), of(7, true), of(7, false), of(8, false)}), 0U);
}

TEST(LostProcesses, AreThoseWhoseNextProgramLeftNone) {
  EXPECT_EQ(lost_processes(std::vector{of(7, true), of(8, false)}), 1U);
  EXPECT_EQ(lost_processes(std::vector{of(7, false), of(8, true)}), 1U);
  EXPECT_EQ(lost_processes({}), 0U);
}

}  // namespace
}  // namespace ridge::measure::binary
