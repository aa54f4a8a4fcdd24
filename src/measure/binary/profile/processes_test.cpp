#include "measure/binary/profile/processes.hpp"

#include <gtest/gtest.h>

namespace ridge::measure::binary {
namespace {

/// `mpirun` and what it starts; each was seen for as many milliseconds as its number says.
class ProcessesTest : public ::testing::Test {
 protected:
  void timed(pid_t pid, std::vector<std::string> argv, std::optional<int> rank, int milliseconds) {
    const auto number = static_cast<std::uint32_t>(timed_.samples.processes.size());
    timed_.samples.processes.push_back(pid);
    timed_.samples.threads.push_back({pid, pid, number, std::nullopt});
    timed_.processes.push_back({std::move(argv), rank});
    for (int i = 0; i < milliseconds; ++i) {
      timed_.samples.moments.push_back({.weight = 1'000'000, .thread = number});
    }
  }

  void counted(std::uint32_t pid, std::vector<std::string> argv, std::optional<int> rank,
               std::uint64_t flops, bool before_exec = false) {
    Record& record = records_.emplace_back();
    record.pid = pid;
    record.arguments = std::move(argv);
    record.rank = rank;
    record.before_exec = before_exec;
    RegionWork& work = work_.emplace_back();
    work.flops = Work{};
    work.flops->terms.push_back({Precision::fp64, OperationKind::add, 64, flops});
    work.bytes_loaded = 8 * flops;
    work.bytes_stored = 0;
  }

  [[nodiscard]] std::vector<Process> found() {
    timed_.pid = 10;
    return processes_of(timed_, {"mpirun", "-n", "2", "./app"}, records_, work_);
  }

  TimedRun timed_;
  std::vector<Record> records_;
  std::vector<RegionWork> work_;
};

TEST_F(ProcessesTest, RanksArePairedByTheirNumberAndNotByTheirOrder) {
  timed(10, {"mpirun", "-n", "2", "./app"}, std::nullopt, 1);
  timed(11, {"./app"}, 1, 20);
  timed(12, {"./app"}, 0, 10);
  counted(21, {"/home/app"}, 0, 100);
  counted(22, {"/home/app"}, 1, 200);
  counted(20, {"mpirun", "-n", "2", "./app"}, std::nullopt, 1);
  const auto processes = found();
  ASSERT_EQ(processes.size(), 3U);
  EXPECT_EQ(processes[0].pid, 10);
  EXPECT_EQ(processes[1].rank, 1);
  EXPECT_EQ(processes[1].flops, 200U);
  EXPECT_EQ(processes[1].bytes, 1600U);
  EXPECT_NEAR(processes[1].cpu_seconds->value(), 0.020, 1e-9);
  EXPECT_EQ(processes[2].flops, 100U);
}

TEST_F(ProcessesTest, WithoutRanksACommandLineThatNobodyElseHasTells) {
  timed(11, {"sort", "a"}, std::nullopt, 10);
  timed(12, {"work", "x"}, std::nullopt, 10);
  timed(13, {"work", "x"}, std::nullopt, 10);
  counted(21, {"work", "x"}, std::nullopt, 5);
  counted(22, {"work", "x"}, std::nullopt, 7);
  counted(23, {"sort", "a"}, std::nullopt, 9);
  const auto processes = found();
  ASSERT_EQ(processes.size(), 4U) << "the program itself was not sampled";
  EXPECT_EQ(processes[1].flops, 9U);
  EXPECT_FALSE(processes[2].flops) << "which of two it is nobody knows";
  EXPECT_TRUE(processes[2].cpu_seconds);
}

TEST_F(ProcessesTest, AProcessThatBecameAnotherProgramIsThatProgram) {
  timed(11, {"./app"}, 0, 10);
  counted(21, {"sh", "-c", "exec ./app"}, 0, 3, true);
  counted(21, {"./app"}, 0, 100);
  EXPECT_EQ(found().at(1).flops, 103U);
}

TEST_F(ProcessesTest, WithoutCountsThereAreTimes) {
  timed(11, {"./app"}, 0, 10);
  const auto processes = found();
  ASSERT_EQ(processes.size(), 2U);
  EXPECT_TRUE(processes[1].cpu_seconds);
  EXPECT_FALSE(processes[1].flops);
}

}  // namespace
}  // namespace ridge::measure::binary
