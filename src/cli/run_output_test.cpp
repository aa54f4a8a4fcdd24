#include "cli/run_output.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sys/stat.h>
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
    const auto folder = ResultFolder::prepare(name, force);
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
  const auto folder = ResultFolder::prepare("out", true);
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
