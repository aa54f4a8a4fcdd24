#include "cli/common/source_excerpts.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>

#include <gtest/gtest.h>

#include "tests/temporary_folder.hpp"

namespace ridge::cli {
namespace {

namespace fs = std::filesystem;

class SourceExcerpts : public ::testing::Test {
 protected:
  void SetUp() override {
    std::ofstream file(path());
    for (int line = 1; line <= 100; ++line) {
      file << "line " << line << "\n";
    }
    profile_.date = "2099-01-01T00:00:00Z";
    profile_.program.argv = {"./a"};
  }

  [[nodiscard]] std::string path() const { return folder_ / "a.cpp"; }

  void add_region(unsigned line, const std::string& file) {
    Region region;
    region.id = static_cast<std::uint32_t>(profile_.regions.size());
    region.file = file;
    region.line = line;
    profile_.regions.push_back(region);
  }

  const tests::TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
  Profile profile_;
};

TEST_F(SourceExcerpts, TakesLinesAroundRegions) {
  add_region(50, path());
  const auto found = source_excerpts(profile_);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].file, path());
  EXPECT_EQ(found[0].first_line, 47U);
  ASSERT_EQ(found[0].lines.size(), 16U);
  EXPECT_EQ(found[0].lines[3], "line 50");
}

TEST_F(SourceExcerpts, TakesLinesWithFiguresToo) {
  std::ofstream(folder_ / "vec.h") << "one\ntwo\nthree\n";
  add_region(10, path());
  profile_.regions[0].lines = {{std::nullopt, 60}, {folder_ / "vec.h", 2}};
  const auto found = source_excerpts(profile_);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[1].first_line, 58U);
  EXPECT_EQ(found[1].lines.size(), 5U);
  EXPECT_EQ(found[2].file, folder_ / "vec.h");
  EXPECT_EQ(found[2].lines, (std::vector<std::string>{"one", "two", "three"}));
}

TEST_F(SourceExcerpts, NeighboursShareAnExcerpt) {
  add_region(62, path());
  add_region(1, path());
  add_region(50, path());
  const auto found = source_excerpts(profile_);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].first_line, 1U);
  EXPECT_EQ(found[0].lines.size(), 13U);
  EXPECT_EQ(found[1].first_line, 47U);
  EXPECT_EQ(found[1].lines.size(), 28U);
}

TEST_F(SourceExcerpts, EndsWithTheFile) {
  add_region(99, path());
  add_region(4000, path());
  const auto found = source_excerpts(profile_);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].lines.back(), "line 100");
}

TEST_F(SourceExcerpts, LeavesOutWhatWasChangedAfterTheRun) {
  add_region(50, path());
  profile_.date = "2001-01-01T00:00:00Z";
  EXPECT_TRUE(source_excerpts(profile_).empty());
  profile_.date = "some day";
  EXPECT_TRUE(source_excerpts(profile_).empty());
}

TEST_F(SourceExcerpts, LeavesOutWhatIsNoReadableFile) {
  const std::string pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& name : {pipe, folder_.string(), std::string("/dev/zero"), std::string(),
                                  (folder_ / "none").string()}) {
    add_region(1, name);
  }
  EXPECT_TRUE(source_excerpts(profile_).empty());
}

TEST_F(SourceExcerpts, RedactedProfilesShowNone) {
  add_region(50, path());
  profile_.program.argv.clear();
  EXPECT_TRUE(source_excerpts(profile_).empty());
}

TEST_F(SourceExcerpts, LinesAreCut) {
  std::ofstream(path()) << std::string(100000, 'x') << "\n";
  add_region(1, path());
  const auto found = source_excerpts(profile_);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].lines[0].size(), 240U);
}

}  // namespace
}  // namespace ridge::cli
