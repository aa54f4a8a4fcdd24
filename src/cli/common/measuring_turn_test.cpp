#include "cli/common/measuring_turn.hpp"

#include <csignal>
#include <fstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "tests/temporary_folder.hpp"

namespace ridge::cli {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

class MeasuringTurnTest : public testing::Test {
 protected:
  /// Time passes only here: a second with each look.
  TurnHooks hooks() {
    return {.pause =
                [this] {
                  ++looks_;
                  if (looks_ == release_after_) {
                    held_.reset();
                  }
                  return milliseconds(1000 * looks_);
                },
            .stop = [this] { return looks_ >= stop_after_; },
            .on_wait = [this](std::optional<int> holder, milliseconds) { holder_ = holder; }};
  }
  void hold() { held_.emplace(MeasuringTurn::take(lock_, hooks()).value()); }

  const tests::TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
  const fs::path lock_ = folder_ / "cache" / "measuring.lock";
  std::optional<MeasuringTurn> held_;
  std::optional<int> holder_;
  int looks_ = 0;
  int release_after_ = 0;
  int stop_after_ = 1'000'000;
};

TEST_F(MeasuringTurnTest, IsTakenAtOnceWhenNobodyHasIt) {
  for (int i = 0; i < 2; ++i) {
    const auto turn = MeasuringTurn::take(lock_, hooks());
    EXPECT_TRUE(turn);
  }
  EXPECT_EQ(looks_, 0);
}

TEST_F(MeasuringTurnTest, WaitsForTheHolderAndNamesIt) {
  hold();
  release_after_ = 3;
  const auto turn = MeasuringTurn::take(lock_, hooks());
  EXPECT_TRUE(turn);
  EXPECT_EQ(looks_, 3);
  EXPECT_EQ(holder_, getpid());
}

TEST_F(MeasuringTurnTest, AHolderThatWasKilledHoldsNothing) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    const auto turn = MeasuringTurn::take(lock_, {});
    (void)!write(ready[1], "x", 1);
    pause();
    _exit(0);
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  stop_after_ = 1;
  EXPECT_FALSE(MeasuringTurn::take(lock_, hooks())) << "the child holds it";
  kill(child, SIGKILL);
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  looks_ = 0;
  EXPECT_TRUE(MeasuringTurn::take(lock_, hooks()));
  EXPECT_EQ(looks_, 0);
  close(ready[0]);
  close(ready[1]);
}

TEST_F(MeasuringTurnTest, PatienceEnds) {
  hold();
  const auto turn = MeasuringTurn::take(lock_, hooks());
  ASSERT_FALSE(turn);
  EXPECT_EQ(turn.error().code, ErrorCode::unavailable);
  EXPECT_NE(turn.error().message.find(std::to_string(getpid())), std::string::npos);
  EXPECT_FALSE(turn.error().hint.empty());
  EXPECT_EQ(looks_, 600);
}

TEST_F(MeasuringTurnTest, AStopEndsTheWaiting) {
  hold();
  stop_after_ = 2;
  EXPECT_FALSE(MeasuringTurn::take(lock_, hooks()));
  EXPECT_EQ(looks_, 2);
}

TEST_F(MeasuringTurnTest, WithoutAPlaceForTheLockNothingIsWaitedFor) {
  std::ofstream(folder_ / "file") << "x";
  EXPECT_TRUE(MeasuringTurn::take(folder_ / "file" / "lock", hooks()));
  EXPECT_EQ(looks_, 0);
}

TEST_F(MeasuringTurnTest, TheLockLiesBesideTheMachineFile) {
  const fs::path lock = lock_file_beside(folder_ / "machine-x.json");
  EXPECT_EQ(lock.parent_path(), folder_);
  EXPECT_EQ(lock.extension(), ".lock");
}

}  // namespace
}  // namespace ridge::cli
