#include "cli/common/result_folder.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/temporary_folder.hpp"

namespace ridge::cli {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class RunOutput : public ::testing::Test {
 protected:
  void SetUp() override {
    before_ = fs::current_path();
    fs::current_path(folder_);
  }
  void TearDown() override { fs::current_path(before_); }

  static void write(const std::optional<std::string>& name, const std::string& text,
                    bool force = false) {
    auto folder = ResultFolder::prepare(name, force);
    ASSERT_TRUE(folder) << folder.error().message;
    const auto written = folder->write({{"profile.json", text}, {"report.html", "html"}});
    ASSERT_TRUE(written) << written.error().message;
  }

  const tests::TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
  fs::path before_;
};

TEST_F(RunOutput, PreparingCreatesNothing) {
  ASSERT_TRUE(ResultFolder::prepare(std::nullopt, false));
  ASSERT_TRUE(ResultFolder::prepare("a/b/c", false));
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(RunOutput, UnnamedResultsMoveOlderOnesAside) {
  write(std::nullopt, "first");
  write(std::nullopt, "second");
  write(std::nullopt, "third");
  EXPECT_EQ(text_of("ridge-out/profile.json"), "third");
  EXPECT_EQ(text_of("ridge-out.1/profile.json"), "first");
  EXPECT_EQ(text_of("ridge-out.2/profile.json"), "second");
  EXPECT_EQ(text_of("ridge-out/report.html"), "html");
}

TEST_F(RunOutput, SnapshotsMoveOlderResultsAsideOnce) {
  write(std::nullopt, "old");
  auto folder = ResultFolder::prepare(std::nullopt, false);
  ASSERT_TRUE(folder);
  for (const char* snapshot : {"one", "two"}) {
    ASSERT_TRUE(folder->claim());
    ASSERT_TRUE(folder->write_snapshot(snapshot));
    EXPECT_EQ(text_of("ridge-out/profile.json"), snapshot);
    EXPECT_FALSE(fs::exists("ridge-out/report.html"));
  }
  ASSERT_TRUE(folder->write({{"profile.json", "result"}}));
  EXPECT_EQ(text_of("ridge-out/profile.json"), "result");
  EXPECT_EQ(text_of("ridge-out.1/profile.json"), "old");
  EXPECT_FALSE(fs::exists("ridge-out.2"));
}

TEST_F(RunOutput, AFolderThatAnotherRunMovedAsideStaysOurs) {
  auto ours = ResultFolder::prepare(std::nullopt, false);
  ASSERT_TRUE(ours);
  ASSERT_TRUE(ours->claim());
  ASSERT_TRUE(ours->write_snapshot("ours so far"));
  write(std::nullopt, "theirs");
  ASSERT_TRUE(ours->write({{"profile.json", "ours"}}));
  EXPECT_EQ(text_of("ridge-out/profile.json"), "theirs");
  EXPECT_EQ(text_of("ridge-out.1/profile.json"), "ours");
  EXPECT_EQ(ours->path().filename(), "ridge-out.1");
}

TEST_F(RunOutput, AFolderThatSomebodyRemovedIsMadeAgain) {
  auto folder = ResultFolder::prepare("named", false);
  ASSERT_TRUE(folder);
  ASSERT_TRUE(folder->claim());
  fs::remove_all("named");
  ASSERT_TRUE(folder->write({{"profile.json", "result"}}));
  EXPECT_EQ(text_of("named/profile.json"), "result");
}

TEST_F(RunOutput, ASnapshotForWhichThereIsNoRoomLeavesTheOneBefore) {
  auto folder = ResultFolder::prepare("named", false);
  ASSERT_TRUE(folder);
  ASSERT_TRUE(folder->claim());
  ASSERT_TRUE(folder->write_snapshot("small"));
  const pid_t child = fork();
  if (child == 0) {
    const rlimit few{1000, 1000};
    setrlimit(RLIMIT_FSIZE, &few);
    _exit(folder->write_snapshot(std::string(2000, 'x')) ? 1 : 0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(text_of("named/profile.json"), "small");
  EXPECT_EQ(std::distance(fs::directory_iterator("named"), {}), 1) << "no partial file is left";
}

TEST_F(RunOutput, AFileOfThatNameMovesAsideToo) {
  std::ofstream("ridge-out") << "precious";
  write(std::nullopt, "new");
  EXPECT_EQ(text_of("ridge-out.1"), "precious");
}

TEST_F(RunOutput, ANamedResultIsOverwrittenOnlyWithForce) {
  write("deep/named", "first");
  const auto refused = ResultFolder::prepare("deep/named", false);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::usage);
  EXPECT_THAT(refused.error().hint, HasSubstr("--force"));
  std::ofstream("deep/named/notes.txt") << "mine";
  write("deep/named", "second", true);
  EXPECT_EQ(text_of("deep/named/profile.json"), "second");
  EXPECT_EQ(text_of("deep/named/notes.txt"), "mine");
  write("fresh", "forced", true);
}

TEST_F(RunOutput, AnEmptyFolderMayBeNamed) {
  fs::create_directory("empty");
  write("empty", "x");
}

TEST_F(RunOutput, WhatIsNoFolderIsRefusedBeforehand) {
  std::ofstream("file") << "x";
  for (const char* name : {"file", "file/below", "file/far/below"}) {
    const auto refused = ResultFolder::prepare(name, true);
    ASSERT_FALSE(refused) << name;
    EXPECT_EQ(refused.error().code, ErrorCode::write_failed);
    EXPECT_THAT(refused.error().message, HasSubstr(name));
  }
  EXPECT_FALSE(ResultFolder::prepare("", false));
}

TEST_F(RunOutput, UnwritableFoldersAreRefusedBeforehand) {
  // Not even root may make a folder there, although the permissions allow it.
  for (const char* name : {"/proc/x", "/proc/self/x/y"}) {
    const auto folder = ResultFolder::prepare(name, false);
    ASSERT_FALSE(folder) << name;
    EXPECT_EQ(folder.error().code, ErrorCode::write_failed);
  }
  EXPECT_TRUE(ResultFolder::prepare("new/deep/folder", false));
  EXPECT_FALSE(fs::exists("new")) << "trying leaves nothing behind";
}

TEST_F(RunOutput, AResultThatCannotBeWrittenIsSavedElsewhere) {
  fs::create_directories("out/profile.json/in the way");
  auto folder = ResultFolder::prepare("out", true);
  ASSERT_TRUE(folder);
  const auto written = folder->write({{"profile.json", "the result"}});
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::write_failed);
  EXPECT_THAT(written.error().message, HasSubstr("out/profile.json"));
  const std::string hint = written.error().hint;
  const fs::path saved = hint.substr(hint.find('/'));
  EXPECT_EQ(text_of(saved), "the result");
  EXPECT_EQ(std::distance(fs::directory_iterator("out"), {}), 1) << "no partial file is left";
  fs::remove_all(saved.parent_path());
}

}  // namespace
}  // namespace ridge::cli
