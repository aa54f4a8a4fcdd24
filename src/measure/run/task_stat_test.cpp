#include "measure/run/task_stat.hpp"

#include <csignal>
#include <random>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace ridge::measure {
namespace {

constexpr const char* kLine =
    "4711 (a ) (b) R 1 4711 4711 0 -1 4194304 95 0 0 0 12 3 0 0 20 0 5 0 100 2744320 216 "
    "18446744073709551615 1 1 0 0 0 0 0 0 0 0 0 0 17 13 0 0 0 0 0 0 0 0 0 0 0 0 0\n";

TEST(TaskStat, FieldsBehindANameWithParentheses) {
  const auto stat = parse_task_stat(kLine);
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->state, 'R');
  EXPECT_EQ(stat->threads, 5U);
  EXPECT_EQ(stat->processor, 13U);
  EXPECT_EQ(stat->minor_faults, 95U);
  EXPECT_EQ(stat->major_faults, 0U);
  EXPECT_EQ(stat->kernel_ticks, 3U);
  EXPECT_FALSE(stat->has_ended());
}

TEST(TaskStat, FaultsOfAThreadThatTouchesNewPages) {
  const ThreadStatFile file(getpid(), gettid());
  const auto before = file.read();
  ASSERT_TRUE(before);
  constexpr std::size_t kPages = 300;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* memory =
      mmap(nullptr, kPages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  madvise(memory, kPages * page, MADV_NOHUGEPAGE);
  for (std::size_t i = 0; i < kPages; ++i) {
    static_cast<volatile char*>(memory)[i * page] = 1;
  }
  const auto after = file.read();
  munmap(memory, kPages * page);
  ASSERT_TRUE(after);
  EXPECT_GE(after->minor_faults, before->minor_faults + kPages);
  EXPECT_FALSE(ThreadStatFile().read());
}

TEST(TaskStat, CutOffLinesAreRefused) {
  const std::string line = kLine;
  for (std::size_t size = 0; size < line.find(" 13 "); ++size) {
    EXPECT_FALSE(parse_task_stat(line.substr(0, size))) << size;
  }
  std::mt19937 random(5);
  for (int round = 0; round < 5000; ++round) {
    std::string damaged = line;
    damaged[random() % damaged.size()] = static_cast<char>(random());
    (void)parse_task_stat(damaged);
  }
}

TEST(TaskStat, Schedstat) {
  const auto times = parse_schedstat("123456789 42 7\n");
  ASSERT_TRUE(times);
  EXPECT_EQ(times->running_nanoseconds, 123456789U);
  EXPECT_EQ(times->waiting_nanoseconds, 42U);
  EXPECT_FALSE(parse_schedstat("123456789"));
  EXPECT_FALSE(parse_schedstat("1 x 7"));
  EXPECT_FALSE(parse_schedstat(""));
  EXPECT_FALSE(parse_schedstat("x"));
}

TEST(TaskStat, OfThisProcess) {
  const auto stat = read_process_stat(getpid());
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->state, 'R');
  EXPECT_GE(stat->threads, 1U);
  EXPECT_TRUE(read_thread_stat(getpid(), gettid()));
}

TEST(TaskStat, ClocksMoveForward) {
  const ThreadClock thread(getpid(), gettid());
  const auto before = process_cpu_nanoseconds(getpid());
  ASSERT_TRUE(before);
  ASSERT_TRUE(thread.read());
  volatile double x = 1.0;
  while (*process_cpu_nanoseconds(getpid()) < *before + 1'000'000) {
    x = x * 1.0000001;
  }
  EXPECT_GT(thread.read()->running_nanoseconds, 0U);
}

TEST(TaskStat, TheDeadHaveEndedOrAreGone) {
  const pid_t child = fork();
  if (child == 0) {
    _exit(0);
  }
  siginfo_t info{};
  waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT);
  const auto zombie = read_process_stat(child);
  ASSERT_TRUE(zombie);
  EXPECT_TRUE(zombie->has_ended());
  waitpid(child, nullptr, 0);
  EXPECT_FALSE(read_process_stat(child));
  EXPECT_FALSE(process_cpu_nanoseconds(child));
  EXPECT_FALSE(ThreadClock(child, child).read());
  EXPECT_FALSE(ThreadClock().read());
}

}  // namespace
}  // namespace ridge::measure
