#include "cli/common/results_below.hpp"

#include <chrono>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/common/command.hpp"
#include "cli/common/result_file.hpp"
#include "tests/temporary_folder.hpp"

namespace ridge::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

constexpr const char* kStoredProfile = "../serialize/testdata/profile-heat2d.json";

class ResultsBelow : public ::testing::Test {
 protected:
  [[nodiscard]] std::string at(const std::string& name) const {
    return name.empty() ? folder_.path().string() : folder_.path(name).string();
  }
  /// `age`: in hours.
  void add(const std::string& name, int age) const {
    const fs::path file = fs::path(at(name)) / kProfileFile;
    fs::create_directories(file.parent_path());
    fs::copy_file(kStoredProfile, file);
    fs::last_write_time(file, fs::last_write_time(file) - std::chrono::hours(age));
  }

  const tests::TemporaryFolder folder_;
};

TEST_F(ResultsBelow, StandNewestFirstTwoLevelsDeep) {
  add("old", 3);
  add("new", 1);
  add("group/middle", 2);
  add("group/deep/er", 0);
  fs::create_directory_symlink(at("old"), at("link"));
  EXPECT_THAT(results_below(at("")), ElementsAre(at("new"), at("group/middle"), at("old")));
  EXPECT_THAT(results_below(at("missing")), IsEmpty());
}

TEST_F(ResultsBelow, AreListedWithWhatTheySay) {
  add("good", 1);
  add("broken", 2);
  const fs::path broken = fs::path(at("broken")) / kProfileFile;
  std::ofstream(broken) << "{";
  fs::last_write_time(broken, fs::last_write_time(broken) - std::chrono::hours(2));
  testing::internal::CaptureStdout();
  const auto code = run_report({at("")});
  const std::string text = testing::internal::GetCapturedStdout();
  ASSERT_TRUE(code);
  EXPECT_EQ(*code, 0);
  const auto profile = read_profile(kStoredProfile);
  ASSERT_TRUE(profile);
  EXPECT_THAT(text, HasSubstr(profile->date));
  EXPECT_THAT(text, HasSubstr(profile->program.argv.front()));
  EXPECT_THAT(text, HasSubstr("broken"));
  EXPECT_THAT(text, HasSubstr("ridge report " + at("good")));
}

TEST_F(ResultsBelow, AreNamedWhereOneIsNeeded) {
  add("a", 1);
  add("b", 2);
  const auto refused = run_compare({at(""), at("a")});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::bad_input);
  EXPECT_THAT(refused.error().hint, HasSubstr(at("a") + ", " + at("b")));
  EXPECT_FALSE(run_report({at(""), "--json"}));
}

TEST_F(ResultsBelow, AFolderWithoutAnyIsNoResult) {
  const auto refused = run_report({at("")});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::bad_input);
  EXPECT_THAT(refused.error().hint, HasSubstr("ridge-out"));
}

}  // namespace
}  // namespace ridge::cli
