#include "measure/binary/module_files.hpp"

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/temporary_folder.hpp"

namespace ridge::measure::binary {
namespace {

const std::filesystem::path kTestdata = "binary/testdata";

TEST(ModuleFiles, DebugInformationBesideTheFile) {
  const tests::TemporaryFolder folder;
  const auto copy = [&](const std::string& name, const std::string& to) {
    std::filesystem::create_directories((folder.path() / to).parent_path());
    std::filesystem::copy_file(kTestdata / name, folder.path() / to);
  };
  copy("loops-stripped.so", "alone/a.so");
  EXPECT_TRUE(ModuleFiles(folder.path() / "alone/a.so", {}).file().debug.empty());
  for (const std::string place : {"beside/", "below/.debug/"}) {
    const std::string library = place.substr(0, place.find('/')) + "/a.so";
    copy("loops-stripped.so", library);
    copy("loops-stripped.debug", place + "loops-stripped.debug");
    EXPECT_FALSE(ModuleFiles(folder.path() / library, {}).file().debug.empty()) << place;
  }
  // Of another build: the name is right, the checksum is not.
  copy("loops-stripped.so", "wrong/a.so");
  copy("loops-gcc.so", "wrong/loops-stripped.debug");
  EXPECT_TRUE(ModuleFiles(folder.path() / "wrong/a.so", {}).file().debug.empty());
}

TEST(ModuleFiles, AFileThatWasReplacedIsNotRead) {
  const std::vector<std::byte> other(20, std::byte{1});
  const ModuleFiles files(kTestdata / "loops-gcc.so", other);
  EXPECT_TRUE(files.was_replaced());
  EXPECT_TRUE(files.file().bytes.empty());
  const ModuleFiles unknown(kTestdata / "loops-gcc.so", {});
  EXPECT_FALSE(unknown.was_replaced());
  EXPECT_FALSE(unknown.file().bytes.empty());
  EXPECT_TRUE(unknown.file().debug.empty());  // it has its own
}

TEST(ModuleFiles, WhatIsNoFileIsEmpty) {
  for (const char* path : {"", "/nowhere/a.so", "binary", "[vdso]", "binary/testdata/loops.c"}) {
    const ModuleFiles files(path, {});
    EXPECT_FALSE(files.was_replaced()) << path;
    EXPECT_TRUE(files.file().debug.empty()) << path;
  }
}

}  // namespace
}  // namespace ridge::measure::binary
