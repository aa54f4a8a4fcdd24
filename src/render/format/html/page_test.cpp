#include "render/format/html/page.hpp"

#include <random>

#include <gtest/gtest.h>

#include "render/format/html/unpacked_for_tests.hpp"

namespace ridge::render {
namespace {

constexpr std::string_view kOpening = R"(<script type="application/json" id="ridge-page">)";

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

/// What stands between the opening of the data and the next thing that could close it.
std::string data_of(const std::string& page) {
  const auto begin = page.find(kOpening);
  if (begin == std::string::npos) {
    return "no data";
  }
  const auto from = begin + kOpening.size();
  return page.substr(from, page.find('<', from) - from);
}

TEST(HtmlPage, HoldsTheDocumentOnce) {
  const std::string page = html_page(R"({"schema":"ridge.page/1","results":[]})");
  EXPECT_EQ(data_of(page), R"({"schema":"ridge.page/1","results":[]})");
  EXPECT_EQ(count(page, "RIDGE_PAGE_DATA"), 0U);
  EXPECT_EQ(count(page, kOpening), 1U);
}

TEST(HtmlPage, NamesCannotEndTheirElement) {
  const std::string empty = html_page("{}");
  const std::string hostile = html_page(
      R"({"a":"</script><img src=x onerror=alert(1)>","b":"<!--<script>","c":"&lt;","]]>":1})");
  EXPECT_EQ(data_of(hostile), R"({"a":"\u003c/script\u003e\u003cimg src=x onerror=alert(1)\u003e",)"
                              R"("b":"\u003c!--\u003cscript\u003e","c":"\u0026lt;","]]\u003e":1})");
  for (const char* markup : {"<", ">", "<img", "<!--", "</script"}) {
    EXPECT_EQ(count(hostile, markup), count(empty, markup)) << markup;
  }
}

TEST(HtmlPage, LineSeparatorsAreEscaped) {
  EXPECT_EQ(data_of(html_page("{\"a\":\"x\xE2\x80\xA8y\xE2\x80\xA9z\xE2\x80\xA6\"}")),
            "{\"a\":\"x\\u2028y\\u2029z\xE2\x80\xA6\"}");
}

/// No document that Ridge writes: a backslash hides nothing from HTML.
TEST(HtmlPage, EscapesThatAreNoneDoNoHarm) {
  EXPECT_EQ(data_of(html_page(R"({"a":"\</script>\\<\"<"})")),
            R"({"a":"\\u003c/script\u003e\\\u003c\"\u003c"})");
}

TEST(HtmlPage, LeavesOutBlanksBetweenTokensOnly) {
  EXPECT_EQ(data_of(html_page("{\n  \"a b\": [1, 2],\n\t\"c\\\" d\": \"e  f\\\\\" }\r\n")),
            "{\"a b\":[1,2],\"c\\\" d\":\"e  f\\\\\"}");
}

TEST(HtmlPage, CutOffDocumentsDoNoHarm) {
  for (const char* text : {"", "\"", "\"\\", "{\"a\":\"\xE2\x80", "{\"a\":\"\xE2"}) {
    EXPECT_EQ(count(html_page(text), "</script>"), count(html_page("{}"), "</script>")) << text;
  }
}

constexpr std::string_view kRestOpening = R"(id="ridge-rest">)";

/// What stands behind the script, unpacked.
std::string rest_of(const std::string& page) {
  const auto from = page.find(kRestOpening) + kRestOpening.size();
  const std::string text = page.substr(from, page.find('<', from) - from);
  return text.empty() ? text : testing::unpacked(text);
}

/// As the page does it: web/src/data/parts.ts.
std::string joined(std::string_view first, std::string_view rest) {
  std::string out;
  for (const char c : first) {
    if (c != '\n') {
      out += c;
      continue;
    }
    const auto end = rest.find('\n');
    out += rest.substr(0, end);
    rest.remove_prefix(end + 1);
  }
  return rest.empty() ? out : "lines left over";
}

TEST(HtmlPage, LaterRegionsStandBehindTheScript) {
  const std::string page = html_page(
      R"({"results":[{"profile":{"regions":[{"id":0},{"id":1},{"a":[1,{"b":2}]},{"id":3}],)"
      R"("x":[1,2]}},{"profile":{"regions":[{"id":4},{"id":"}],<"}]}}]})",
      {{false, true, true, false}, {false, true}});
  EXPECT_EQ(data_of(page),
            "{\"results\":[{\"profile\":{\"regions\":[{\"id\":0}\n\n,{\"id\":3}],"
            "\"x\":[1,2]}},{\"profile\":{\"regions\":[{\"id\":4}\n]}}]}");
  EXPECT_EQ(rest_of(page), ",{\"id\":1}\n,{\"a\":[1,{\"b\":2}]}\n,{\"id\":\"}],\\u003c\"}\n");
  EXPECT_LT(page.find(kOpening), page.find("<script>"));
  EXPECT_LT(page.find("<script>"), page.find(kRestOpening));
}

TEST(HtmlPage, TheFirstRegionIsNeverLater) {
  const std::string json = R"({"results":[{"profile":{"regions":[{"id":0}]}}]})";
  const std::string page = html_page(json, {{true}});
  EXPECT_EQ(data_of(page), json);
  EXPECT_EQ(rest_of(page), "");
}

/// Names, comparisons and machines that look like the way to a region.
TEST(HtmlPage, OnlyRegionsOfResultsAreLater) {
  const std::string json =
      R"({"results":[{"label":"\"results\":[{\"regions\":[1,2]","profile":{"notes":[[1,2],[3,4]],)"
      R"("regions":[],"machine":{"regions":[{"a":1},{"b":2}]}}}],"comparison":{"results":[1,2],)"
      R"("profile":{"regions":[{"a":1},{"b":2}]}},"profile":{"regions":[[[1,2],3]]}})";
  const std::string page = html_page(json, {{true, true, true}, {true, true, true}});
  EXPECT_EQ(data_of(page), json);
  EXPECT_EQ(rest_of(page), "");
}

TEST(HtmlPage, BothPartsAreTheDocument) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 200; ++round) {
    std::string json = R"({"schema":"ridge.page/1","results":[)";
    LaterRegions later;
    for (std::size_t results = random() % 4; later.size() < results;) {
      json += later.empty() ? "" : ",";
      json += R"({"profile":{"regions":[)";
      std::vector<bool> of;
      for (std::size_t regions = random() % 6; of.size() < regions;) {
        json += of.empty() ? "" : ",";
        json += random() % 2 == 0 ? R"({"name":"a\"],[{\\","calls":{}})"
                                  : R"({"a":[{},[1,2]],"b":"\n"})";
        of.push_back(random() % 2 == 0);
      }
      json += R"(],"notes":[{},{}]}})";
      later.push_back(of);
    }
    json += R"(],"machines":[{},{"regions":[1,2]}]})";
    const std::string page = html_page(json, later);
    EXPECT_EQ(joined(data_of(page), rest_of(page)), json);
    EXPECT_EQ(data_of(html_page(json)), json);
  }
}

TEST(HtmlPage, CutOffDocumentsWithLaterRegionsDoNoHarm) {
  const std::string json = R"({"results":[{"profile":{"regions":[{"id":0},{"name":"\"<"},{}]}}]})";
  for (std::size_t length = 0; length <= json.size(); ++length) {
    const std::string page = html_page(json.substr(0, length), {{false, true, true}});
    EXPECT_EQ(count(page, "</script>"), count(html_page("{}"), "</script>")) << length;
    EXPECT_NE(joined(data_of(page), rest_of(page)), "lines left over") << length;
  }
}

/// The placeholder in the data is text like any other.
TEST(HtmlPage, DataMayNameThePlaceholder) {
  EXPECT_EQ(data_of(html_page(R"(["RIDGE_PAGE_REST"])")), R"(["RIDGE_PAGE_REST"])");
  EXPECT_EQ(data_of(html_page(R"({"a":"RIDGE_PAGE_DATA"})")), R"({"a":"RIDGE_PAGE_DATA"})");
}

TEST(HtmlPage, LoadsNothing) {
  const std::string page = html_page("{}");
  EXPECT_EQ(count(page, "default-src 'none'"), 1U);
  EXPECT_EQ(count(page, "unsafe-eval"), 0U);
  for (const char* part : {" src=", "<link", "url(", "@import", "<iframe", "<base"}) {
    EXPECT_EQ(count(page, part), 0U) << part;
  }
  EXPECT_NE(page.find("<noscript>"), std::string::npos);
}

}  // namespace
}  // namespace ridge::render
