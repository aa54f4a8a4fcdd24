#include <algorithm>
#include <cmath>
#include <random>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "render/document/spmv/study_chart.hpp"
#include "render/document/spmv/study_entries.hpp"
#include "render/document/spmv/study_for_tests.hpp"
#include "render/document/spmv/study_page.hpp"
#include "render/document/spmv/study_svg.hpp"
#include "render/document/spmv/study_tables.hpp"
#include "render/document/spmv/text_formats.hpp"
#include "render/golden_for_tests.hpp"

namespace ridge::render {
namespace {

using testing::HasSubstr;
using testing::Not;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

/// Hostile in every text that a file may bring.
SparseStudy hostile() {
  SparseStudy study = StudyForTests::make();
  study.matrix.name = kHostile;
  study.matrix.origin = kHostile;
  study.cpu = study.host = study.date = kHostile;
  for (SparseFinding& finding : study.findings) {
    finding.text = kHostile;
  }
  for (Note& note : study.notes) {
    note.text = kHostile;
  }
  for (Note& note : study.left_out) {
    note = {kHostile, kHostile};
  }
  return study;
}

/// As close together as the seed makes it.
SparseStudy varied(unsigned seed) {
  std::mt19937 random(seed);
  const auto factor = [&](double most) {
    return std::exp(std::uniform_real_distribution<>(-std::log(most), std::log(most))(random));
  };
  SparseStudy study = StudyForTests::make();
  const double tight = 1.0 + 0.02 * seed;
  for (SparseFormatFacts& format : study.formats) {
    format.least_code_balance = 6.6 * factor(tight);
  }
  const auto vary = [&](SparseTiming& timing) {
    const double rate = factor(tight);
    timing.performance = {timing.performance.median * rate,
                          timing.performance.median * rate * 1.2,
                          timing.performance.median * rate / factor(3.0 + seed) * 0.3,
                          timing.performance.median * rate * 1.3,
                          7,
                          Origin::measured};
  };
  std::for_each(study.timings.begin(), study.timings.end(), vary);
  for (SparseReordering& reordering : study.reorderings) {
    vary(reordering.best);
  }
  return study;
}

std::vector<PlacedText> texts_of(const SvgLayout& layout) {
  std::vector<PlacedText> texts = layout.texts;
  for (const PlacedRegion& region : layout.regions) {
    texts.push_back(region.number);
  }
  for (const PlacedLegend& entry : layout.legend) {
    texts.push_back(entry.text);
  }
  return texts;
}

void expect_no_overlap(const std::vector<PlacedText>& texts, double width) {
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Box box = box_of(texts[i]);
    for (std::size_t j = i + 1; j < texts.size(); ++j) {
      EXPECT_FALSE(overlap(box, box_of(texts[j]))) << texts[i].text << " / " << texts[j].text;
    }
    if (texts[i].angle == 0.0) {
      EXPECT_GE(box.x - box.half_width, -0.5) << texts[i].text;
      EXPECT_LE(box.x + box.half_width, width + 0.5) << texts[i].text;
    }
  }
}

TEST(StudyEntries, HaveTheOrderOfTheStudy) {
  const SparseStudy study = StudyForTests::make();
  const auto entries = entries_of(study);
  ASSERT_EQ(entries.size(), 10U);
  EXPECT_EQ(entries[0].name, "csr");
  EXPECT_EQ(entries[0].timings.size(), 2U);
  EXPECT_EQ(entries[0].timings[1]->threads, 2U);
  EXPECT_NEAR(*intensity_of(study, *entries[0].timings[0]), 1 / 6.6, 1e-12);
  EXPECT_EQ(entries[8].name, "rcm: pattern");
  EXPECT_TRUE(entries[8].reordered);
  // Of the balance that the fixture gave it in that order, 6.3, not of that in the given one.
  EXPECT_NEAR(*intensity_of(study, *entries[8].timings[0]), 1 / 6.3, 1e-12);
}

TEST(StudyEntries, YPastTheCachesMovesTheDot) {
  SparseStudy study = StudyForTests::make();
  SparseTiming& timing = study.timings[4];
  EXPECT_NEAR(*intensity_of(study, timing), 1 / 6.1, 1e-12);
  timing.of_own_roof.median = timing.of_own_roof.median * (5.9 / 6.1);  // 0.2 byte/flop less
  EXPECT_NEAR(*intensity_of(study, timing), 1 / 5.9, 1e-12);
  timing.of_own_roof = {};  // no performance, no share: then as its format
  EXPECT_NEAR(*intensity_of(study, timing), 1 / 6.1, 1e-12);
  study.formats.clear();
  EXPECT_FALSE(intensity_of(study, timing));
}

TEST(StudyEntries, SchedulesAreToldApart) {
  SparseStudy study = StudyForTests::make();
  study.timings[8].schedule = "dynamic";
  const auto entries = entries_of(study);
  ASSERT_EQ(entries.size(), 11U);
  EXPECT_EQ(entries[0].name, "csr, entries");
  EXPECT_EQ(entries[8].name, "csr, dynamic");
}

TEST(StudyEntries, BandwidthsAreMediansOfEachNumberOfThreads) {
  SparseStudy study = StudyForTests::make();
  study.timings[0].bandwidth.low = BytesPerSecond(1e9);
  const auto bandwidths = bandwidths_of(study);
  ASSERT_EQ(bandwidths.size(), 2U);
  EXPECT_EQ(bandwidths[0].threads, 1U);
  EXPECT_DOUBLE_EQ(bandwidths[0].median, 22e9);
  EXPECT_NEAR(bandwidths[0].low, 22e9 * 0.96, 1);
  EXPECT_NEAR(bandwidths[1].high, 38e9 * 1.04, 1);
}

TEST(StudyEntries, AMatrixThatFitsTheCacheIsSaid) {
  SparseStudy study = StudyForTests::make();
  EXPECT_FALSE(from_cache(study));
  EXPECT_THAT(chart_of(study).subtitle, HasSubstr("from memory"));
  study.matrix.entries = 1000;
  EXPECT_TRUE(from_cache(study));
  EXPECT_THAT(chart_of(study).subtitle, HasSubstr("as the matrix fits"));
}

TEST(StudyChart, DotsLieAtTheirShareOfTheRoof) {
  const SparseStudy study = StudyForTests::make();
  const Chart chart = chart_of(study);
  ASSERT_EQ(chart.regions.size(), 10U);
  ASSERT_EQ(chart.roofs.size(), 2U);
  const ChartRegion& pattern = chart.regions[4];
  ASSERT_EQ(pattern.dots.size(), 2U);
  for (const ChartDot& dot : pattern.dots) {
    const double roof = chart.roof_at(chart.roofs[dot.level], *dot.intensity);
    EXPECT_NEAR(*dot.flops_per_second / roof,
                study.timings[dot.level * 8 + 4].of_own_roof.median.value(), 1e-12);
    EXPECT_FALSE(dot.hollow);
  }
  EXPECT_TRUE(chart.regions[9].dots.front().hollow);
  ASSERT_EQ(chart.guides.size(), 1U);
  EXPECT_DOUBLE_EQ(chart.guides[0].intensity, 1 / 6.6);
}

TEST(StudyChart, EverythingLiesInside) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const SvgLayout layout = layout_svg(chart_of(varied(seed)));
    ASSERT_EQ(layout.regions.size(), 10U);
    for (const PlacedRegion& region : layout.regions) {
      for (const PlacedMark& mark : region.marks) {
        EXPECT_GT(mark.x, layout.left);
        EXPECT_LT(mark.x, layout.right);
        EXPECT_GT(mark.y, layout.top);
        EXPECT_LT(mark.y, layout.bottom);
      }
    }
    for (const PlacedBand& band : layout.bands) {
      for (const auto& [x, y] : band.points) {
        EXPECT_GE(x, layout.left - 1e-6);
        EXPECT_LE(x, layout.right + 1e-6);
        EXPECT_GE(y, layout.top - 1e-6);
        EXPECT_LE(y, layout.bottom + 1e-6);
      }
    }
  }
}

TEST(StudyChart, NumbersHideNoDotAndTextNoText) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    for (const SvgLook& look : {screen_look(), paper_look()}) {
      Chart chart = chart_of(varied(seed));
      if (look.paper) {
        chart.title.clear();
      }
      const SvgLayout layout = layout_svg(chart, look);
      expect_no_overlap(texts_of(layout), layout.width);
      for (const PlacedRegion& region : layout.regions) {
        for (const PlacedRegion& other : layout.regions) {
          for (const PlacedMark& mark : other.marks) {
            EXPECT_TRUE(region.number.text.empty() || !overlap(box_of(region.number), box_of(mark)))
                << region.number.text;
          }
        }
      }
    }
  }
}

TEST(StudyChart, ShortAxesHaveRoundSteps) {
  const auto shown = ticks({0.095, 0.195}, 1.0, 4.0);
  ASSERT_EQ(shown.size(), 10U);
  EXPECT_EQ(shown.front().label, "0.1");
  EXPECT_TRUE(shown.front().decade);
  EXPECT_EQ(shown[3].label, "0.13");
  EXPECT_FALSE(shown[3].decade);
  EXPECT_EQ(shown.back().label, "0.19");
}

TEST(StudySvg, Golden) {
  const SparseStudy study = StudyForTests::make();
  expect_golden("study.svg", study_svg(study));
  expect_golden("study_paper.svg", study_svg(study, paper_look()));
}

TEST(StudySvg, PanelsDoNotTouch) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    SparseStudy study = varied(seed);
    study.timings[0].format = "a-format-with-a-name-that-is-far-too-long";
    study.timings[1].performance.median = FlopsPerSecond(999.4e12);
    study.timings[1].of_own_roof.median = Number(123.0);
    study.matrix.rows = study.matrix.columns = study.matrix.entries = 999'999'999'999U;
    const StudyPanels panels = layout_panels(study, screen_look(), 700.0);
    expect_no_overlap(panels.texts, 1120.0);
    for (const PlacedText& text : panels.texts) {
      EXPECT_GT(text.y, 700.0);
      EXPECT_LT(text.y, panels.bottom + 1.0);
      for (const PlacedMark& mark : panels.marks) {
        EXPECT_FALSE(overlap(box_of(text), {mark.x, mark.y, mark.radius, mark.radius, 0.0}))
            << text.text;
      }
    }
  }
}

TEST(StudySvg, ATitleOfOnesOwn) {
  const SparseStudy study = StudyForTests::make();
  EXPECT_THAT(study_svg(study, screen_look(), "Mine & yours"),
              HasSubstr(">Mine &amp; yours</text>"));
  EXPECT_THAT(study_svg(study, screen_look(), ""), Not(HasSubstr("class=\"title\"")));
  EXPECT_THAT(study_svg(study, paper_look()), Not(HasSubstr("class=\"title\"")));
}

TEST(StudySvg, HostileTextStaysText) {
  const std::string svg = study_svg(hostile());
  EXPECT_EQ(count(svg, "<img"), 0U);
  EXPECT_EQ(count(svg, "<script"), 0U);
  EXPECT_EQ(count(svg, "http"), 2U);  // the name space
  EXPECT_EQ(count(svg, "<g"), count(svg, "</g>"));
  for (const char c : svg) {
    ASSERT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
  }
  expect_golden("study_hostile.svg", svg);  // held against an XML parser by another test
}

TEST(StudySvg, LittleIsKnownOfAnEmptyMatrix) {
  for (const SvgLook& look : {screen_look(), paper_look()}) {
    const std::string svg = study_svg({}, look);
    EXPECT_THAT(svg, HasSubstr("</svg>"));
    EXPECT_THAT(svg, Not(HasSubstr("nan")));
    EXPECT_THAT(svg, Not(HasSubstr("inf")));
  }
  SparseStudy study = StudyForTests::make();
  for (SparseTiming& timing : study.timings) {
    timing.performance = {};
    timing.of_own_roof = timing.of_csr_roof = {};
  }
  study.reorderings.clear();
  study.picture = {};
  const std::string svg = study_svg(study);
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("Where its entries lie")));
  EXPECT_THAT(svg, HasSubstr("b_S 22.0 GB/s"));
}

TEST(StudyCsv, Golden) {
  expect_golden("study.csv", study_csv(StudyForTests::make()));
}

TEST(StudyCsv, EveryRowHasAsManyCells) {
  std::istringstream lines(study_csv(StudyForTests::make()));
  std::string line;
  std::size_t rows = 0;
  while (std::getline(lines, line)) {
    EXPECT_EQ(count(line, ","), 40U) << line;
    ++rows;
  }
  EXPECT_EQ(rows, 1U + 16U + 2U + 2U);
}

TEST(StudyCsv, TheVerdictStandsBesideThePairedRatio) {
  const std::string csv = study_csv(StudyForTests::make());
  for (const char* verdict : {",faster\n", ",slower\n", ",no-difference\n", ",too-noisy\n"}) {
    EXPECT_THAT(csv, HasSubstr(verdict));
  }
}

TEST(StudyMarkdown, WhatTheNoiseHidesIsNotRanked) {
  const std::string text = study_markdown(StudyForTests::make());
  EXPECT_THAT(text, HasSubstr("too noisy (0.65 to 1.51)"));  // sell16-32-1, 1.08x with 40 %
  EXPECT_THAT(text, HasSubstr("no difference (0.92 to "));
  EXPECT_THAT(text, Not(HasSubstr("1.08x")));
}

TEST(StudyCsv, NoFormulas) {
  SparseStudy study = StudyForTests::make();
  study.matrix.name = "=cmd(\"x\"),1";
  EXPECT_THAT(study_csv(study), HasSubstr("\"'=cmd(\"\"x\"\"),1\""));
}

TEST(StudyMarkdown, Golden) {
  expect_golden("study.md", study_markdown(StudyForTests::make()));
}

TEST(StudyMarkdown, HostileTextStaysText) {
  const std::string text = study_markdown(hostile());
  EXPECT_THAT(text, Not(HasSubstr("<img")));
  EXPECT_THAT(study_markdown(hostile(), "a *title*"), HasSubstr("# a &#42;title&#42;\n"));
}

TEST(StudyPage, Golden) {
  expect_golden("study.html", study_page(StudyForTests::make()));
}

TEST(StudyPage, NothingRunsAndNothingIsLoaded) {
  const std::string page = study_page(hostile());
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  for (const char* part :
       {"<script", "<img", "<link", "href=", "url(", "onerror=alert(1)>", "javascript:"}) {
    EXPECT_EQ(count(page, part), 0U) << part;
  }
  for (const char* tag : {"table", "ul", "figure", "svg", "h2", "tr", "td", "li", "div", "g"}) {
    const std::string name(tag);
    EXPECT_EQ(count(page, "<" + name + ">") + count(page, "<" + name + " "),
              count(page, "</" + name + ">"))
        << tag;
  }
  for (const char c : page) {
    ASSERT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
  }
}

TEST(StudyPage, OfAnEmptyStudy) {
  const std::string page = study_page({});
  EXPECT_THAT(page, HasSubstr("</html>"));
  EXPECT_THAT(page, Not(HasSubstr("nan")));
}

}  // namespace
}  // namespace ridge::render
