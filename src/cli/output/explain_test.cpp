#include "cli/output/explain.hpp"

#include <filesystem>
#include <unistd.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/sentences_for_tests.hpp"
#include "tests/temporary_folder.hpp"

namespace ridge::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

class Explain : public testing::Test {
 protected:
  Explain() {
    for (const char* name : {"sweep", "sweep", "other"}) {
      Region region;
      region.id = static_cast<std::uint32_t>(profile_.regions.size() + 1);
      region.kind = RegionKind::loop;
      region.name = region.function = name;
      region.file = path_.string();
      region.line = region.id;
      work_of(region).add(Precision::fp64, OperationKind::add, 64, 1000);
      region.time_seconds.self = SampledTime{Seconds(1.0), Seconds(0.9), Seconds(1.1), 100};
      profile_.regions.push_back(region);
    }
  }

  Result<std::string> about(const std::string& words) const {
    return explain(profile_, {}, words, {});
  }

  const tests::TemporaryFolder folder_;
  const std::filesystem::path path_ =
      folder_.write("explain.c", "first line\nfor (;;) {\n  third line\n}\n");
  Profile profile_;
};

TEST_F(Explain, ANumberOfTheTable) {
  const auto text = about("2");
  ASSERT_TRUE(text);
  EXPECT_THAT(*text, HasSubstr("> 2  for (;;) {"));
  EXPECT_THAT(*text, HasSubstr("third line"));
}

TEST_F(Explain, APlace) {
  const auto text = about(fmt::format("{}:3", path_.filename().string()));
  ASSERT_TRUE(text);
  EXPECT_THAT(*text, HasSubstr("other"));
}

TEST_F(Explain, WithoutTheFileThereIsNoSource) {
  profile_.regions[2].file = "/nowhere/at/all.c";
  const auto text = about("other");
  ASSERT_TRUE(text);
  EXPECT_THAT(*text, Not(HasSubstr("Source")));
}

TEST_F(Explain, AStoredResultShowsOnlySourceThatIsOlder) {
  profile_.program.argv = {"./a"};
  profile_.date = "2100-01-01T00:00:00Z";
  EXPECT_THAT(explain(profile_, {}, "other", {}, Age::stored).value(), HasSubstr("third line"));
  profile_.date = "2001-01-01T00:00:00Z";
  EXPECT_THAT(explain(profile_, {}, "other", {}, Age::stored).value(),
              Not(HasSubstr("third line")));
}

TEST_F(Explain, NoOrdinaryFileIsOpened) {
  profile_.regions[2].file = "/dev/zero";
  EXPECT_TRUE(about("other"));
}

TEST_F(Explain, AmbiguousNamesListTheCandidates) {
  const auto text = about("sweep");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::usage);
  EXPECT_THAT(text.error().message, HasSubstr("2 regions"));
  EXPECT_THAT(text.error().hint, HasSubstr("  1  sweep"));
  EXPECT_THAT(text.error().hint, HasSubstr("  2  sweep"));
  EXPECT_THAT(text.error().hint, Not(HasSubstr("other")));
}

TEST_F(Explain, UnknownNamesListTheTable) {
  for (const char* words : {"nothing", "99", "", "0"}) {
    const auto text = about(words);
    ASSERT_FALSE(text) << words;
    EXPECT_THAT(text.error().message, HasSubstr("no such"));
    EXPECT_THAT(text.error().hint, HasSubstr("  3  other"));
  }
}

class Regions : public Explain {
 public:
  Regions() {
    for (Region& region : profile_.regions) {
      region.file = "explain.c";  // the same wherever the test runs
    }
  }
  using Explain::about;

 private:
  void TestBody() override {}
};

}  // namespace

void explain_sentences(tests::Sentences& sentences) {
  const Regions regions;
  sentences.add("explain, several regions", regions.about("sweep"));
  sentences.add("explain, no region", regions.about("nothing"));
}

}  // namespace ridge::cli
