#include <gtest/gtest.h>

#include "render/fixture_for_tests.hpp"
#include "render/golden_for_tests.hpp"
#include "render/html/html_report.hpp"
#include "render/html/markup.hpp"

namespace ridge::render {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

std::string fixture_report() {
  const Profile profile = fixture::profile();
  return html_report(profile, fixture::prediction(profile));
}

TEST(Html, Golden) {
  expect_golden("report.html", fixture_report());
}

TEST(Html, IsOneFileWithoutScriptsOrNetwork) {
  const std::string html = fixture_report();
  EXPECT_NE(html.find("default-src 'none'"), std::string::npos);
  EXPECT_EQ(count(html, "<script"), 0U);
  EXPECT_EQ(count(html, "http:"), 1U);  // the name space of the SVG
  EXPECT_EQ(count(html, "https:"), 0U);
  EXPECT_EQ(count(html, "<link"), 0U);
  EXPECT_EQ(count(html, " src="), 0U);
  EXPECT_EQ(count(html, "url("), 0U);
  EXPECT_EQ(count(html, "style="), 0U);
}

TEST(Html, IsAccessible) {
  const std::string html = fixture_report();
  EXPECT_EQ(count(html, "<th"), count(html, "<th scope=") + count(html, "<thead"));
  EXPECT_EQ(count(html, "<table"), count(html, "<caption"));
  EXPECT_NE(html.find("<html lang=\"en\">"), std::string::npos);
  EXPECT_NE(html.find("role=\"img\" aria-labelledby=\"ridge-title ridge-description\""),
            std::string::npos);
  EXPECT_EQ(count(html, "<h1"), 1U);
}

TEST(Html, SaysWhereTheNumbersComeFrom) {
  const std::string html = fixture_report();
  for (const char* part :
       {"node-17", "AMD EPYC 9R14", "2026-01-02T03:14:15Z", "clang 19.1.7, -O3 -march=native",
        "not necessarily your production build", "prefetchers", "simulated", "counted",
        "./solver --grid 4096", "Software Optimization Guide", "above-limit",
        "&#39;\\&#39;&#39;s hot"}) {
    EXPECT_NE(html.find(part), std::string::npos) << part;
  }
}

TEST(Html, ExplainsEveryRegionShown) {
  const std::string html = fixture_report();
  EXPECT_EQ(count(html, "<details><summary>"), 8U);       // seven regions, one machine
  EXPECT_NE(html.find("1.33\u00D7"), std::string::npos);  // excess of jacobi_sweep
  EXPECT_NE(html.find("sqrt 512"), std::string::npos);
  EXPECT_NE(html.find("; then "), std::string::npos);
  EXPECT_NE(html.find("unbounded"), std::string::npos);
}

TEST(Html, SaysWhatASmallerShareOfTheLastCacheWouldMove) {
  Profile profile = fixture::profile();
  EXPECT_EQ(count(fixture_report(), "traffic with a share of"), 0U) << "unknown is absent";
  for (Region& region : profile.regions) {
    region.traffic_at_share = {{"1/2", {3000, 1000}}, {"1/4", {4000, 2000}}};
  }
  const std::string html = html_report(profile, fixture::prediction(profile));
  EXPECT_NE(html.find("DRAM traffic with a share of L3"), std::string::npos);
  EXPECT_NE(html.find("1/2: 4.00 kB; 1/4: 6.00 kB"), std::string::npos);
}

TEST(Html, HostileTextStaysText) {
  Profile profile = fixture::profile();
  profile.date = profile.ridge_version = kHostile;
  profile.machine.name = profile.machine.date = profile.machine.cpu.name = kHostile;
  profile.machine.host = kHostile;
  profile.machine.memories.push_back({kHostile, std::nullopt});
  profile.machine.caches.front().level = kHostile;
  profile.machine.ceilings.front().flags = {kHostile};
  profile.machine.ceilings.front().source = kHostile;
  profile.program.argv = {kHostile, kHostile};
  profile.program.compiler = kHostile;
  profile.notes.push_back({kHostile, kHostile});
  for (Region& region : profile.regions) {
    region.name = region.function = kHostile;
    region.file = kHostile;
    region.calls[kHostile] = 1;
    region.opaque[kHostile] = 1;
    region.notes.push_back({kHostile, kHostile});
    region.findings.push_back({kHostile, kHostile, {}, std::nullopt});
    region.traffic[kHostile] = {1, 1};
  }
  Prediction prediction = fixture::prediction(fixture::profile());
  prediction.summary = kHostile;
  for (RegionPrediction& entry : prediction.regions) {
    entry.notes.push_back({kHostile, kHostile});
    if (entry.code) {
      entry.code->ceiling = kHostile;
      entry.code->next = kHostile;
      entry.code_at_neighbouring_threads = {*entry.code};
    }
  }
  const std::string html = html_report(profile, prediction);
  EXPECT_EQ(count(html, "<img"), 0U);
  EXPECT_EQ(count(html, "</script"), 0U);
  EXPECT_EQ(count(html, "onerror=alert(1)>"), 0U);
  for (const char c : html) {
    ASSERT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
  }
  expect_golden("hostile.html", html);  // held against a parser by another test
}

TEST(Html, EmptyProfile) {
  const std::string html = html_report({}, {});
  EXPECT_NE(html.find("No loops or functions"), std::string::npos);
  EXPECT_TRUE(html.ends_with("</html>\n"));
  expect_golden("empty.html", html);
}

TEST(Html, TenThousandRegionsStayReadable) {
  const Profile profile = fixture::many_loops(10'000);
  const std::string html = html_report(profile, fixture::prediction(profile));
  EXPECT_LT(html.size(), 2'000'000U);
  EXPECT_NE(html.find("9500 more regions, 95.0 % of the time"), std::string::npos);
}

TEST(Markup, BarsEndAtTheirCell) {
  EXPECT_NE(html::bar_cell("130 %", 1.3).content_html.find("class=\"over\" width=\"100.0\""),
            std::string::npos);
  EXPECT_EQ(html::bar_cell("-", std::nullopt).content_html, "-");
}

TEST(Markup, EmptyDefinitionsAreLeftOut) {
  EXPECT_EQ(html::definition("host", ""), "");
  EXPECT_EQ(html::definition("a<", "b&"), "<div><dt>a&lt;</dt><dd>b&amp;</dd></div>\n");
}

}  // namespace
}  // namespace ridge::render
