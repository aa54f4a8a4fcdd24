#include "cli/common/streams.hpp"

#include <array>
#include <cstdio>
#include <fcntl.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::cli {
namespace {

using ::testing::HasSubstr;

/// What a child wrote to standard output and error, and its exit code.
struct Said {
  std::string text;
  int code = -1;
};

template <class Do>
Said in_child(Do what) {
  std::array<int, 2> ends{};
  EXPECT_EQ(pipe(ends.data()), 0);
  std::fflush(stdout);  // else the child writes it again
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    _exit(what());
  }
  close(ends[1]);
  Said said;
  std::array<char, 4096> part{};
  for (ssize_t got = 0; (got = read(ends[0], part.data(), part.size())) > 0;) {
    said.text.append(part.data(), static_cast<std::size_t>(got));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  said.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return said;
}

constexpr const char* kHostile =
    "a\x1b[2Jb\rc\ad\xc2\x9b"
    "1me\xff"
    "f\x7f\x1b]0;title\a";

void expect_harmless(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    EXPECT_TRUE(byte == '\n' || byte >= 0x20) << i << " in " << testing::PrintToString(text);
    EXPECT_NE(byte, 0x7f);
    EXPECT_FALSE(byte == 0xc2 && i + 1 < text.size() &&
                 static_cast<unsigned char>(text[i + 1]) < 0xa0);
    EXPECT_NE(byte, 0xff);
  }
}

TEST(Streams, NothingThatATerminalObeysGetsThrough) {
  const Said said = in_child([] {
    say(kHostile);
    say_lines(std::string(kHostile) + "\n");
    const bool printed = print_screen(std::string(kHostile) + "\n").has_value();
    return say_error({ErrorCode::bad_input, kHostile, kHostile}) + (printed ? 0 : 100);
  });
  EXPECT_EQ(said.code, 3);
  expect_harmless(said.text);
  EXPECT_THAT(said.text, HasSubstr("ridge: a"));
  EXPECT_THAT(said.text, HasSubstr("b c"));
}

TEST(Streams, AMessageIsOneLine) {
  EXPECT_EQ(in_child([] {
              say("a\nridge: the gate is passed");
              return 0;
            }).text,
            "ridge: a ridge: the gate is passed\n");
}

TEST(Streams, WhatIsForProgramsStaysAsItIs) {
  const std::string text = "{\"a\": \"\\u001b\"}\n\tx";
  EXPECT_EQ(in_child([&] { return print(text) ? 0 : 1; }).text, text);
}

TEST(Streams, AFullOutputIsAnError) {
  const Said said = in_child([] {
    const int full = open("/dev/full", O_WRONLY);
    dup2(full, STDOUT_FILENO);
    const auto printed = print("x");
    return printed ? 0 : say_error(printed.error());
  });
  EXPECT_EQ(said.code, 5);
  EXPECT_THAT(said.text, HasSubstr("No space left"));
}

TEST(Streams, ClosedOnesAreNoPlaceForFiles) {
  const Said said = in_child([] {
    close(STDIN_FILENO);
    close(STDOUT_FILENO);
    guard_standard_streams();
    const int file = open("/dev/null", O_WRONLY);
    const bool closes_at_exec = (fcntl(STDOUT_FILENO, F_GETFD) & FD_CLOEXEC) != 0;
    const auto printed = print("x");
    char byte = 0;
    const bool no_input = read(STDIN_FILENO, &byte, 1) < 0;
    return file > STDERR_FILENO && closes_at_exec && !printed && no_input ? 0 : 1;
  });
  EXPECT_EQ(said.code, 0);
}

TEST(Streams, AClosedErrorStreamIsNoFailure) {
  EXPECT_EQ(in_child([] {
              close(STDERR_FILENO);
              say("nobody reads this");
              return say_error({ErrorCode::usage, "x", "y"});
            }).code,
            2);
}

}  // namespace
}  // namespace ridge::cli
