#include "platform/file.hpp"

#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <sys/resource.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "tests/temporary_folder.hpp"

namespace ridge::platform {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::ptrdiff_t files_in(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), {});
}

TEST(ReplaceFile, LeavesTheWholeFileAlone) {
  const tests::TemporaryFolder folder;
  const fs::path file = folder.path() / "x.json";
  EXPECT_FALSE(replace_file(file, "old"));
  EXPECT_FALSE(replace_file(file, std::string(100'000, 'n')));
  EXPECT_EQ(text_of(file), std::string(100'000, 'n'));
  EXPECT_EQ(files_in(folder.path()), 1);
}

TEST(ReplaceFile, WorksInAFolderThatWasMoved) {
  const tests::TemporaryFolder folder;
  fs::create_directory(folder.path() / "before");
  const int descriptor = open((folder.path() / "before").c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_GE(descriptor, 0);
  fs::rename(folder.path() / "before", folder.path() / "after");
  EXPECT_FALSE(replace_file(descriptor, "x", "text"));
  close(descriptor);
  EXPECT_EQ(text_of(folder.path() / "after" / "x"), "text");
}

TEST(ReplaceFile, SaysWhyItFails) {
  const tests::TemporaryFolder folder;
  EXPECT_EQ(replace_file(folder.path() / "none" / "x", "text"),
            std::errc::no_such_file_or_directory);
  fs::create_directory(folder.path() / "taken");
  EXPECT_EQ(replace_file(folder.path() / "taken", "text"), std::errc::is_a_directory);
  EXPECT_EQ(files_in(folder.path()), 1) << "nothing is left behind";
  EXPECT_TRUE(replace_file("/dev/full/x", "text"));
}

TEST(ReplaceFile, KeepsTheOldFileWhereTheNewOneIsTooLong) {
  const tests::TemporaryFolder folder;
  const fs::path file = folder.path() / "x";
  ASSERT_FALSE(replace_file(file, "old"));
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{1000, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::error_code error = replace_file(file, std::string(5000, 'n'));
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(error, std::errc::file_too_large);
  EXPECT_EQ(text_of(file), "old");
  EXPECT_EQ(files_in(folder.path()), 1);
}

TEST(ReplaceFile, CanBeTried) {
  const tests::TemporaryFolder folder;
  EXPECT_FALSE(try_to_replace(folder.path() / "x"));
  EXPECT_EQ(files_in(folder.path()), 0);
  EXPECT_EQ(try_to_replace(folder.path() / "none" / "x"), std::errc::no_such_file_or_directory);
}

}  // namespace
}  // namespace ridge::platform
