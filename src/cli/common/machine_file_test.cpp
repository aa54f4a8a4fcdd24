#include "cli/common/machine_file.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "bench/notes.hpp"
#include "cli/common/progress_bar.hpp"
#include "tests/temporary_folder.hpp"

namespace ridge::cli {
namespace {

namespace fs = std::filesystem;

Machine some_machine(const std::string& name) {
  Machine machine;
  machine.ridge_version = "0.1.0";
  machine.name = name;
  machine.date = "2026-01-02T03:04:05Z";
  machine.cpu = CpuIdentity{"AuthenticAMD", "AMD EPYC", 25, 17, 1};
  machine.caches = {{.level = Level::L1, .size_bytes = 32768, .ways = 8}};
  machine.memories = {{.level = Level::DRAM, .size_bytes = {}}};
  return machine;
}

class MachineFile : public testing::Test {
 protected:
  Result<Machine> load(const std::optional<std::string>& file) {
    return load_or_measure_machine(file, folder_ / "cache" / "machine.json", [&] {
      ++measured_;
      return Result<Machine>(some_machine("measured"));
    });
  }

  const tests::TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
  int measured_ = 0;
};

TEST_F(MachineFile, IsMeasuredOnceAndThenReused) {
  EXPECT_EQ(load({}).value().name, "measured");
  EXPECT_EQ(load({}).value(), some_machine("measured"));
  EXPECT_EQ(measured_, 1);
}

// mpirun starts the ranks of a node at once: the second one comes while the first one measures.
TEST_F(MachineFile, RanksOfANodeShareOneMeasurement) {
  constexpr int kRanks = 4;
  const fs::path cache = folder_ / "cache" / "machine.json";
  const fs::path measurements = folder_ / "measurements";
  std::vector<pid_t> ranks;
  for (int rank = 0; rank < kRanks; ++rank) {
    ranks.push_back(fork());
    if (ranks.back() == 0) {
      const auto machine = load_or_measure_machine({}, cache, [&] {
        std::ofstream(measurements, std::ios::app) << rank << "\n";
        std::this_thread::sleep_for(std::chrono::milliseconds(100));  // the others come meanwhile
        return Result<Machine>(some_machine("measured"));
      });
      _exit(machine && machine->name == "measured" ? 0 : 1);
    }
  }
  for (const pid_t rank : ranks) {
    int status = -1;
    EXPECT_EQ(waitpid(rank, &status, 0), rank);
    EXPECT_EQ(status, 0);
  }
  std::ifstream lines(measurements);
  EXPECT_EQ(std::count(std::istreambuf_iterator<char>(lines), {}, '\n'), 1);
}

TEST_F(MachineFile, WhatLacksCeilingsServesOnce) {
  Machine lacking = some_machine("lacking");
  lacking.notes = {{bench::kThreadsApart, "1 ceiling"}};
  const fs::path cache = folder_ / "cache" / "machine.json";
  const auto once = load_or_measure_machine({}, cache, [&] { return Result<Machine>(lacking); });
  EXPECT_EQ(once.value().name, "lacking");
  EXPECT_FALSE(fs::exists(cache));
}

TEST_F(MachineFile, ANamedFileIsUsedAndNothingIsMeasured) {
  const fs::path file = folder_ / "named.json";
  ASSERT_TRUE(write_machine_file(some_machine("named"), file));
  EXPECT_EQ(load(file.string()).value().name, "named");
  EXPECT_EQ(measured_, 0);
  EXPECT_FALSE(fs::exists(folder_ / "cache"));
}

TEST_F(MachineFile, ANamedFileThatIsMissingOrBrokenIsAnErrorThatNamesIt) {
  const fs::path file = folder_ / "broken.json";
  const auto missing = load(file.string());
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::bad_input);
  EXPECT_NE(missing.error().message.find("broken.json"), std::string::npos);
  std::ofstream(file) << "{\"schema\": ";
  const auto broken = load(file.string());
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().code, ErrorCode::bad_input);
  EXPECT_NE(broken.error().message.find("broken.json"), std::string::npos);
  EXPECT_FALSE(load(folder_.string()));
  EXPECT_EQ(measured_, 0);
}

TEST_F(MachineFile, ABrokenCacheIsReplaced) {
  fs::create_directories(folder_ / "cache");
  std::ofstream(folder_ / "cache" / "machine.json") << "half a fi";
  EXPECT_EQ(load({}).value().name, "measured");
  EXPECT_EQ(load({}).value().name, "measured");
  EXPECT_EQ(measured_, 1);
}

TEST_F(MachineFile, ACacheThatCannotBeWrittenIsNoError) {
  std::ofstream(folder_ / "cache") << "a file where the folder should be";
  EXPECT_EQ(load({}).value().name, "measured");
  EXPECT_EQ(measured_, 1);
}

TEST_F(MachineFile, WritingLeavesNoTemporaryFileAndReportsFailure) {
  ASSERT_TRUE(write_machine_file(some_machine("x"), folder_ / "out.json"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
  const auto failed = write_machine_file(some_machine("x"), folder_ / "out.json" / "inside");
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::write_failed);
}

TEST_F(MachineFile, TheCacheLiesWhereTheXdgSpecificationSays) {
  const char* cache_home = std::getenv("XDG_CACHE_HOME");
  const std::string before = cache_home == nullptr ? "" : cache_home;
  setenv("XDG_CACHE_HOME", "/some/where", 1);
  EXPECT_EQ(cached_machine_path().value().parent_path(), "/some/where/ridge");
  setenv("XDG_CACHE_HOME", "relative", 1);
  setenv("HOME", "/home/someone", 1);
  EXPECT_EQ(cached_machine_path().value().parent_path(), "/home/someone/.cache/ridge");
  unsetenv("HOME");
  EXPECT_FALSE(cached_machine_path());
  before.empty() ? unsetenv("XDG_CACHE_HOME") : setenv("XDG_CACHE_HOME", before.c_str(), 1);
}

TEST(ProgressLine, ShowsTheShareAndFitsTheTerminal) {
  EXPECT_EQ(progress_line(0, 4, "x", 80), "   0 % [                        ] x");
  EXPECT_EQ(progress_line(2, 4, "x", 80), "  50 % [============            ] x");
  EXPECT_EQ(progress_line(4, 4, "x", 80), " 100 % [========================] x");
  EXPECT_EQ(progress_line(9, 4, "x", 80), progress_line(4, 4, "x", 80));
  EXPECT_EQ(progress_line(0, 0, "x", 80), progress_line(4, 4, "x", 80));
  for (unsigned columns : {0U, 1U, 10U, 40U}) {
    EXPECT_LE(progress_line(1, 3, std::string(100, 'y'), columns).size(), columns);
  }
}

}  // namespace
}  // namespace ridge::cli
