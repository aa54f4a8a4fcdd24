#include "platform/task_files.hpp"

#include <algorithm>
#include <array>
#include <thread>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/process.hpp"

namespace ridge::platform {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;

TEST(TaskFiles, TheStateStandsBehindTheName) {
  EXPECT_EQ(parse_state("12 (sh) S 1 12"), 'S');
  EXPECT_EQ(parse_state("12 (a) R b) D 1 12"), 'D');
  EXPECT_EQ(parse_state(""), std::nullopt);
  EXPECT_EQ(parse_state("12 (sh) "), std::nullopt);
}

TEST(TaskFiles, TheAddressOfAWaitingThreadStandsLast) {
  EXPECT_EQ(parse_waiting_address("0 0x0 0x7ffc 0x1 0x0 0x0 0x0 0x7ffc12 0x7f0012ab\n"),
            0x7f0012abU);
  EXPECT_EQ(parse_waiting_address("-1 0x7ffc12 0x7f0012ab\n"), 0x7f0012abU);
  EXPECT_EQ(parse_waiting_address("running\n"), std::nullopt);
  EXPECT_EQ(parse_waiting_address("0 0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0\n"), std::nullopt);
  EXPECT_EQ(parse_waiting_address("0 0x0 0xzz\n"), std::nullopt);
  EXPECT_EQ(parse_waiting_address("0 0x0 12\n"), std::nullopt);
  EXPECT_EQ(parse_waiting_address(""), std::nullopt);
}

TEST(TaskFiles, ThreadsAreThoseOfTheirProcess) {
  pid_t other = 0;
  std::thread([&] {
    other = gettid();
    EXPECT_THAT(threads_of(getpid()), Contains(other));
    EXPECT_EQ(process_of(other), getpid());
    EXPECT_EQ(state_of(getpid(), other), 'R');
  }).join();
  EXPECT_THAT(threads_of(getpid()), Contains(getpid()));
}

TEST(TaskFiles, WhoIsGoneHasNothing) {
  auto process = Process::start({{"true"}, {}, {}, {}, {}});
  ASSERT_TRUE(process);
  const pid_t pid = process->pid();
  (void)process->wait();
  EXPECT_THAT(threads_of(pid), IsEmpty());
  EXPECT_EQ(process_of(pid), std::nullopt);
  EXPECT_EQ(state_of(pid, pid), std::nullopt);
}

TEST(TaskFiles, DescendantsAreFound) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  auto process = Process::start({{"sh", "-c", "sh -c 'echo; sleep 600'; :"}, {}, {}, ends[1], {}});
  ASSERT_TRUE(process);
  char word = 0;
  ASSERT_EQ(read(ends[0], &word, 1), 1);
  const auto all = processes_from(process->pid());
  EXPECT_EQ(all.front(), process->pid());
  EXPECT_GE(all.size(), 2U);
  for (const pid_t pid : all) {
    kill(pid, SIGKILL);
  }
  close(ends[0]);
  close(ends[1]);
}

TEST(Sleepers, AreNotLookedAtTooOften) {
  Sleepers sleepers;
  (void)sleepers.look({});
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  auto process = Process::start({{"cat"}, {}, ends[0], {}, {}});
  ASSERT_TRUE(process);
  std::vector<AddressSample> samples;
  for (int i = 0; i < 6000 && samples.empty(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    samples = sleepers.look({process->pid()});
  }
  close(ends[0]);
  close(ends[1]);
  ASSERT_FALSE(samples.empty());
  EXPECT_TRUE(samples.front().asleep);
  EXPECT_EQ(samples.front().tid, process->pid());
  EXPECT_NE(samples.front().address, 0U);
  EXPECT_GE(samples.front().weight_nanoseconds, 10'000'000U);
}

}  // namespace
}  // namespace ridge::platform
