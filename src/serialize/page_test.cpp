#include "serialize/page.hpp"

#include <random>

#include <gtest/gtest.h>

#include "serialize/comparison.hpp"
#include "serialize/comparison_for_tests.hpp"
#include "serialize/profile.hpp"
#include "serialize/random_values.hpp"

namespace ridge::serialize {
namespace {

/// `text` without blanks and line breaks outside of strings: how deep a value stands moves them.
std::string without_layout(const std::string& text) {
  std::string out;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (in_string && text[i] == '\\') {
      out += text[i++];
    } else if (text[i] == '"') {
      in_string = !in_string;
    } else if (!in_string && (text[i] == ' ' || text[i] == '\n')) {
      continue;
    }
    out += text[i];
  }
  return out;
}

TEST(Page, WithoutResultsIsStillADocument) {
  EXPECT_EQ(without_layout(write_page({})), R"({"schema":"ridge.page/1","results":[]})");
}

TEST(Page, HoldsEachProfileAsItsOwnFileDoes) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20; ++i) {
    const Page page = random_page(random);
    std::string wanted;
    for (const PageResult& result : page.results) {
      wanted += wanted.empty() ? "" : "},{";
      const std::string text = without_layout(write_page({{result}, {}, {}, {}, {}}));
      wanted += text.substr(text.find("\"label\""), text.rfind("}]}") - text.find("\"label\""));
      const std::string profile = without_layout(write_profile(result.profile, result.prediction));
      EXPECT_NE(text.find("\"profile\":" + profile + "}"), std::string::npos);
    }
    EXPECT_NE(without_layout(write_page(page))
                  .find("\"results\":[" + (wanted.empty() ? "" : "{" + wanted + "}")),
              std::string::npos);
  }
}

TEST(Page, HoldsTheComparisonAsItsOwnFileDoes) {
  Page page;
  page.comparison = comparison_for_tests();
  const std::string own = without_layout(write_comparison(*page.comparison));
  EXPECT_EQ(without_layout(write_page(page)),
            R"({"schema":"ridge.page/1","results":[],"comparison":)" + own + "}");
}

TEST(Page, WritesSourcesAsTheyStand) {
  Page page;
  page.sources.push_back({"a \"b\".cpp", 41, {"  for (;;) {", "\tx += 1; // </script>", ""}});
  EXPECT_EQ(without_layout(write_page(page)),
            R"({"schema":"ridge.page/1","results":[],"sources":[{"file":"a \"b\".cpp",)"
            R"("first_line":41,"lines":["  for (;;) {","\tx += 1; // </script>",""]}]})");
}

TEST(Page, NamesTheRoofsThatOtherPatternsBeat) {
  Page page;
  page.above_roofs = {{0, {}, 2, "DRAM", "the DRAM roof is <b>"}, {{}, 1, 1, "HBM", "x"}};
  EXPECT_EQ(without_layout(write_page(page)),
            R"({"schema":"ridge.page/1","results":[],"above_roofs":[{"result":0,"threads":2,)"
            R"("level":"DRAM","text":"the DRAM roof is <b>"},{"machine":1,"threads":1,)"
            R"("level":"HBM","text":"x"}]})");
}

}  // namespace
}  // namespace ridge::serialize
