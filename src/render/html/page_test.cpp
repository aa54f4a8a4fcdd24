#include "render/html/page.hpp"

#include <gtest/gtest.h>

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

TEST(HtmlPage, LeavesOutBlanksBetweenTokensOnly) {
  EXPECT_EQ(data_of(html_page("{\n  \"a b\": [1, 2],\n\t\"c\\\" d\": \"e  f\\\\\" }\r\n")),
            "{\"a b\":[1,2],\"c\\\" d\":\"e  f\\\\\"}");
}

TEST(HtmlPage, CutOffDocumentsDoNoHarm) {
  for (const char* text : {"", "\"", "\"\\", "{\"a\":\"\xE2\x80", "{\"a\":\"\xE2"}) {
    EXPECT_EQ(count(html_page(text), "</script>"), count(html_page("{}"), "</script>")) << text;
  }
}

/// The placeholder in the data is text like any other.
TEST(HtmlPage, DataMayNameThePlaceholder) {
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
