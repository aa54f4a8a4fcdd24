#include "measure/run/input_replay.hpp"

#include <array>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "tests/temporary_folder.hpp"

namespace ridge::measure {
namespace {

std::string read_all(int file) {
  std::string text;
  std::array<char, 4096> buffer{};
  for (ssize_t got = 0; (got = read(file, buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return text;
}

std::string numbers(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += std::to_string(i) + "\n";
  }
  return text;
}

/// As the measured program gets it: a descriptor of its own.
int program_input(const InputReplay& replay, int real) {
  return dup(replay.first_input().value_or(real));
}

TEST(InputReplay, AFileIsReadAgainFromWhereTheFirstRunBegan) {
  const tests::TemporaryFolder folder;
  const int file = open(folder.write("input", "header body").c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_GE(file, 0);
  lseek(file, 7, SEEK_SET);
  auto replay = InputReplay::prepare(file);
  ASSERT_TRUE(replay);
  EXPECT_EQ(replay->kind(), InputKind::file);
  EXPECT_EQ(replay->first_input(), std::nullopt);
  replay->start();
  EXPECT_EQ(read_all(file), "body");
  EXPECT_TRUE(replay->stop());
  const auto second = replay->second_input();
  ASSERT_TRUE(second && *second);
  EXPECT_EQ(read_all(**second), "body");
  EXPECT_EQ(lseek(file, 0, SEEK_CUR), 11) << "the shell's own offset stays";
  close(file);
}

TEST(InputReplay, APipeIsKeptForTheSecondRun) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  const std::string text = numbers(50'000);
  std::thread writer([&] {
    for (std::size_t done = 0; done < text.size();) {
      done += static_cast<std::size_t>(write(ends[1], text.data() + done, text.size() - done));
    }
    close(ends[1]);
  });
  auto replay = InputReplay::prepare(ends[0]);
  ASSERT_TRUE(replay);
  EXPECT_EQ(replay->kind(), InputKind::relayed);
  const int program = program_input(*replay, ends[0]);
  replay->start();
  EXPECT_EQ(read_all(program), text);
  close(program);
  writer.join();
  EXPECT_TRUE(replay->stop());
  EXPECT_EQ(read_all(**replay->second_input()), text);
  close(ends[0]);
}

TEST(InputReplay, AProgramThatDoesNotReadEndsTheRelay) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  ASSERT_EQ(write(ends[1], "unread", 6), 6);  // and never closed: nobody waits for its end
  auto replay = InputReplay::prepare(ends[0]);
  ASSERT_TRUE(replay);
  const int program = program_input(*replay, ends[0]);
  replay->start();
  close(program);
  EXPECT_TRUE(replay->stop());
  close(ends[0]);
  close(ends[1]);
}

TEST(InputReplay, ASlowWriterDoesNotHoldTheEndBack) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  auto replay = InputReplay::prepare(ends[0]);
  const int program = program_input(*replay, ends[0]);
  replay->start();
  EXPECT_TRUE(replay->stop());
  EXPECT_EQ(read_all(program), "") << "the program sees the end";
  close(program);
  close(ends[0]);
  close(ends[1]);
}

TEST(InputReplay, ASocketIsLikeAPipe) {
  std::array<int, 2> ends{};
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
  EXPECT_EQ(InputReplay::prepare(ends[0])->kind(), InputKind::relayed);
  close(ends[0]);
  close(ends[1]);
}

TEST(InputReplay, DevicesAreReadByBothAndAClosedInputIsEmpty) {
  const int device = open("/dev/zero", O_RDONLY);
  auto replay = InputReplay::prepare(device);
  EXPECT_EQ(replay->kind(), InputKind::inherited);
  EXPECT_EQ(*replay->second_input(), std::nullopt);
  close(device);
  auto closed = InputReplay::prepare(device);
  ASSERT_TRUE(closed);
  EXPECT_EQ(closed->kind(), InputKind::empty);
  EXPECT_EQ(read_all(**closed->second_input()), "");
}

TEST(InputReplay, WithoutATemporaryFolderThePipeCannotBeKept) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  setenv("TMPDIR", "/no/such/folder", 1);
  const auto replay = InputReplay::prepare(ends[0]);
  unsetenv("TMPDIR");
  ASSERT_FALSE(replay);
  EXPECT_EQ(replay.error().code, ErrorCode::unavailable);
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace ridge::measure
