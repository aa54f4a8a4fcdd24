#include "cli/common/result_file.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/temporary_folder.hpp"

namespace ridge::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

constexpr const char* kMachineFile = "../../tests/end_to_end/testdata/machine_small.json";

class ResultFiles : public ::testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

  const tests::TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
};

TEST(Labels, AreAsShortAsTheyCanBe) {
  EXPECT_THAT(labels_of({"before/", "after"}), ElementsAre("before", "after"));
  EXPECT_THAT(labels_of({"a/ridge-out", "b/ridge-out/profile.json"}),
              ElementsAre("a/ridge-out", "b/ridge-out"));
  EXPECT_THAT(labels_of({"x/a/out", "y/a/out", "c"}), ElementsAre("x/a/out", "y/a/out", "c"));
  EXPECT_THAT(labels_of({"dir/machine.json"}), ElementsAre("machine"));
  EXPECT_THAT(labels_of({"./dir/../dir/."}), ElementsAre("dir"));
  EXPECT_TRUE(labels_of({}).empty());
}

TEST(Labels, EqualArgumentsAreToldApart) {
  EXPECT_THAT(labels_of({"out", "out/", "out"}), ElementsAre("out", "out (2)", "out (3)"));
}

TEST_F(ResultFiles, AMachineFileIsNoResultWithoutLoops) {
  const auto stored = read_stored(kMachineFile, "here");
  ASSERT_TRUE(stored) << stored.error().message;
  ASSERT_TRUE(std::holds_alternative<StoredMachine>(*stored));
  EXPECT_EQ(std::get<StoredMachine>(*stored).label, "here");
  EXPECT_FALSE(read_profile(kMachineFile));
}

TEST_F(ResultFiles, WhatIsNotJsonIsSaidToBeNone) {
  for (const auto& [name, text] :
       {std::pair{"passwd", "root:x:0:0:root:/root:/bin/bash\n"}, {"empty", " \n"}}) {
    const auto stored = read_stored(file(name, text), "");
    ASSERT_FALSE(stored) << name;
    EXPECT_EQ(stored.error().code, ErrorCode::bad_input);
    EXPECT_THAT(stored.error().message,
                HasSubstr(std::string(name) == "empty" ? "is empty" : "is not JSON"));
    EXPECT_THAT(stored.error().hint, HasSubstr("ridge import"));
  }
}

TEST_F(ResultFiles, ErrorsNameTheFile) {
  for (const auto& [name, text] : {std::pair{"absent", ""}, std::pair{"text.json", "no json"},
                                   std::pair{"other.json", R"({"schema": "ridge.network/1"})"},
                                   std::pair{"list.json", "[1]"}, std::pair{"none.json", "{}"}}) {
    const std::string path =
        std::string(name) == "absent" ? (folder_ / name).string() : file(name, text);
    const auto stored = read_stored(path, "x");
    ASSERT_FALSE(stored) << name;
    EXPECT_EQ(stored.error().code, ErrorCode::bad_input);
    EXPECT_THAT(stored.error().message, HasSubstr(name));
  }
}

TEST_F(ResultFiles, AnEmptyFolderIsNoResult) {
  const auto profile = read_profile(folder_);
  ASSERT_FALSE(profile);
  EXPECT_THAT(profile.error().message, HasSubstr("profile.json"));
  EXPECT_THAT(profile.error().hint, HasSubstr("ridge run"));
}

}  // namespace
}  // namespace ridge::cli
