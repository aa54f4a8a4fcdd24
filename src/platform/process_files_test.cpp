#include "platform/process_files.hpp"

#include <csignal>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace ridge::platform {
namespace {

TEST(ProcessFiles, OfThisProcess) {
  const auto arguments = read_process_file(getpid(), "cmdline");
  ASSERT_TRUE(arguments);
  EXPECT_NE(arguments->find("platform_test"), std::string::npos);
}

TEST(ProcessFiles, OfNobodyThereAreNone) {
  EXPECT_FALSE(read_process_file(getpid(), "no-such-file"));
  EXPECT_FALSE(read_process_file(-1, "cmdline"));
}

TEST(ProcessFiles, AProcessThatEndsBetweenOpeningAndReadingGivesNothing) {
  const pid_t child = fork();
  if (child == 0) {
    pause();
    _exit(0);
  }
  const int file = open(fmt::format("/proc/{}/stat", child).c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_GE(file, 0);
  kill(child, SIGKILL);
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_FALSE(read_to_end(file)) << "reading fails with ESRCH";
  close(file);
}

}  // namespace
}  // namespace ridge::platform
