#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "render/document/bench/machine_markdown.hpp"
#include "render/document/run/markdown_report.hpp"
#include "render/fixture_for_tests.hpp"
#include "render/golden_for_tests.hpp"

namespace ridge::render {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string report_of(const Profile& profile, const Prediction& prediction) {
  const LabelledResult result{"x", &profile, &prediction, {}};
  return markdown_report(std::span(&result, 1), "");
}

std::string report_of(const Profile& profile) {
  return report_of(profile, fixture::prediction(profile));
}

/// Cell borders of a row of a table: pipes that are not inside of an entity.
std::size_t borders(const std::string& line) {
  return static_cast<std::size_t>(std::count(line.begin(), line.end(), '|'));
}

/// All rows of a table have as many cells as its heading.
void expect_tables_are_whole(const std::string& text) {
  std::size_t wanted = 0;
  for (const std::string& line : lines_of(text)) {
    if (line.empty() || line[0] != '|') {
      wanted = 0;
      continue;
    }
    wanted = wanted == 0 ? borders(line) : wanted;
    EXPECT_EQ(borders(line), wanted) << line;
  }
}

TEST(Markdown, Golden) {
  const std::string text = report_of(fixture::profile());
  expect_golden("report.md", text);
  expect_golden("machine.md", markdown_machine(fixture::zen4(), ""));
  expect_tables_are_whole(text);
  expect_tables_are_whole(markdown_machine(fixture::zen4(), "a | b"));
}

TEST(Markdown, HostileNames) {
  Profile profile = fixture::profile();
  for (Region& region : profile.regions) {
    region.name = std::string("| `x` | </code> \n\n# heading ") + kHostile;
    region.file = "a|b`.cpp";
  }
  profile.machine.name = kHostile;
  profile.program.argv = {kHostile, "|", "`"};
  Prediction prediction = fixture::prediction(profile);
  for (RegionPrediction& region : prediction.regions) {
    region.findings.push_back({"x", std::string("<script> | ") + kHostile, {}, 2.0});
  }
  const std::string text = report_of(profile, prediction);
  expect_tables_are_whole(text);
  EXPECT_THAT(text, Not(HasSubstr("<script")));
  EXPECT_THAT(text, Not(HasSubstr("<img")));
  EXPECT_THAT(text, Not(HasSubstr("\n# heading")));
  for (const char c : text) {
    ASSERT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
  }
}

TEST(Markdown, SeveralResultsHaveASectionEach) {
  const Profile profile = fixture::profile();
  const Prediction prediction = fixture::prediction(profile);
  const std::vector<LabelledResult> results{{"be|fore", &profile, &prediction, {}},
                                            {"after", &profile, &prediction, {}}};
  const std::string text = markdown_report(results, "Both");
  EXPECT_TRUE(text.starts_with("# Both\n\n## be&#124;fore\n"));
  EXPECT_THAT(text, HasSubstr("\n## after\n"));
  EXPECT_THAT(text, Not(HasSubstr("\n\n\n")));
}

TEST(Markdown, AnEmptyProfileStillReads) {
  const std::string text = report_of({});
  EXPECT_TRUE(text.starts_with("# "));
  expect_tables_are_whole(text);
}

}  // namespace
}  // namespace ridge::render
