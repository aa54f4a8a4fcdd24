// Table, CSV, Markdown and picture of comparisons.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "render/chart/text.hpp"
#include "render/document/compare/cells.hpp"
#include "render/document/compare/change_arrows.hpp"
#include "render/document/compare/comparison_for_tests.hpp"
#include "render/document/compare/comparison_svg.hpp"
#include "render/document/compare/comparison_table.hpp"
#include "render/document/compare/text_formats.hpp"
#include "render/fixture_for_tests.hpp"
#include "render/golden_for_tests.hpp"
#include "render/sentences_for_tests.hpp"

namespace ridge::render {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TextStyle style(int columns, bool unicode = true) {
  TextStyle made;
  made.columns = columns;
  made.unicode = unicode;
  return made;
}

TEST(ChangeText, SaysWhatTheVerdictIs) {
  Change change;
  change.ratio = 0.52;
  const auto text = [&](Verdict verdict) {
    change.verdict = verdict;
    return change_text(&change, false);
  };
  EXPECT_EQ(text(Verdict::changed), "-48 %");
  EXPECT_EQ(text(Verdict::within_spread), "~-48 %");
  EXPECT_EQ(text(Verdict::one_run), "(-48 %)");
  EXPECT_EQ(text(Verdict::doubtful), "-48 %?");
  EXPECT_EQ(text(Verdict::unknown), "?");
  EXPECT_EQ(text(Verdict::not_comparable), "n/c");
  EXPECT_EQ(text(Verdict::same), "=");
  EXPECT_EQ(change_text(nullptr), "-");
}

TEST(ChangeText, RoundsWithoutHidingAChange) {
  const auto text = [](double ratio) {
    Change change;
    change.verdict = Verdict::changed;
    change.ratio = ratio;
    return change_text(&change, false);
  };
  EXPECT_EQ(text(1.0 + 1e-9), "+<0.01 %");
  EXPECT_EQ(text(1.0 - 1e-9), "-<0.01 %");
  EXPECT_EQ(text(1.0005), "+0.05 %");
  EXPECT_EQ(text(1.034), "+3.4 %");
  EXPECT_EQ(text(1.34), "+34 %");
  EXPECT_EQ(text(2.0), "2.0x");
  EXPECT_EQ(text(24.6), "25x");
  EXPECT_EQ(text(0.0001), "-99.99 %");
  EXPECT_EQ(text(1e-9), "-99.99 %");
  EXPECT_EQ(text(0.0), "-100 %");
}

TEST(ComparisonTable, HoldsToItsGolden) {
  expect_golden("comparison_100.txt", comparison_table(fixture::comparison(), style(100)));
  expect_golden("comparison_140_history_ascii.txt",
                comparison_table(fixture::comparison(3), style(140, false)));
}

TEST(ComparisonTable, FitsTheTerminalAndHoldsNoControlCharacters) {
  for (const int columns : {60, 80, 120}) {
    const std::string text = comparison_table(fixture::comparison(3), style(columns, false));
    for (const std::string& line : lines_of(text)) {
      EXPECT_LE(display_width(line), static_cast<std::size_t>(columns)) << line;
    }
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  }
}

TEST(ComparisonCsv, HasALineForEachQuantity) {
  const std::string text = comparison_csv(fixture::comparison());
  EXPECT_THAT(text, HasSubstr("loop,sweep,sweep,heat.cpp,38,before,after,traffic.DRAM,byte,"
                              "40000000000,,,20800000000,,,0.52,changed\r\n"));
  EXPECT_THAT(text,
              HasSubstr("old_loop,heat.cpp,70,before,after,flops,flop,5000000,,,,,,,vanished"));
  EXPECT_THAT(text, HasSubstr("flops,flop,,,,5000000,,,,new\r\n"));
  const auto lines = lines_of(text);
  const auto commas = [](const std::string& line) {
    return std::count(line.begin(), line.end(), ',');
  };
  for (const std::string& line : lines) {
    if (!line.empty() && line != "\r" && line.find('"') == std::string::npos) {
      EXPECT_EQ(commas(line), commas(lines.front())) << line;
    }
  }
}

TEST(ComparisonCsv, NoCellIsAFormula) {
  Comparison comparison = fixture::comparison();
  comparison.loops[0].places[1].name = "=HYPERLINK(\"x\",1)";
  EXPECT_THAT(comparison_csv(comparison), HasSubstr("\"'=HYPERLINK(\"\"x\"\",1)\""));
}

TEST(ComparisonMarkdown, HoldsToItsGolden) {
  const std::string text = comparison_markdown(fixture::comparison());
  expect_golden("comparison.md", text);
  EXPECT_THAT(text, Not(HasSubstr("<b>")));
}

TEST(ComparisonSvg, HoldsToItsGolden) {
  const Profile profile = fixture::profile();
  const std::string text = comparison_svg(fixture::comparison(3), {&profile, &profile, &profile});
  expect_golden("comparison.svg", text);
  EXPECT_THAT(text, HasSubstr("class=\"line faster\""));
  EXPECT_THAT(text, Not(HasSubstr("<script")));
}

TEST(ComparisonSvg, WorksWithoutTrafficAndRoofs) {
  Comparison comparison = fixture::comparison();
  for (ComparedLoop& loop : comparison.loops) {
    for (Place& place : loop.places) {
      place.figures.clear();
    }
  }
  const Profile nothing;
  EXPECT_THAT(comparison_svg(comparison, {&nothing, &nothing}), HasSubstr("</svg>"));
}

TEST(ChangeArrows, NumbersStandApartAndTheFirstOnTop) {
  Chart chart;
  chart.x = {0.1, 10.0};
  chart.y = {1e9, 1e11};
  const SvgLayout layout = layout_svg(chart);
  const ComparedLoop loop;
  const LoopPath path{1, &loop, {{0, 0.5, 1e10}, {1, 1.0, 1e10}, {2, 1.0, 2e10}}, "faster"};
  LoopPath second = path;
  second.rank = 2;
  LoopPath unknown;
  const std::vector<LoopPath> paths{path, second, unknown};
  const ChangeLayout changes = layout_changes(paths, chart, layout);

  ASSERT_EQ(changes.arrows.size(), 4U);
  EXPECT_DOUBLE_EQ(changes.arrows[0].to.x, changes.arrows[1].from.x);
  EXPECT_LT(changes.arrows[0].end_gap, changes.arrows[1].end_gap);  // the last ends at a seat
  ASSERT_EQ(changes.ranks.size(), 2U);
  EXPECT_EQ(changes.ranks[1].path->rank, 1U);
  const auto& [below, above] = std::pair(changes.ranks[0], changes.ranks[1]);
  EXPECT_DOUBLE_EQ(below.dot.x, above.dot.x);
  EXPECT_DOUBLE_EQ(below.seat.x, below.dot.x);
  EXPECT_GE(std::hypot(above.seat.x - below.seat.x, above.seat.y - below.seat.y), 2.0 * kSeat);
}

TEST(MachineComparison, IsTableCsvAndMarkdown) {
  const MachineComparison comparison = fixture::machine_comparison();
  const std::string table = machine_comparison_table(comparison, style(100, false));
  EXPECT_THAT(table, HasSubstr("+50 %"));
  EXPECT_THAT(table, HasSubstr("lacks 1 of 2"));
  EXPECT_THAT(machine_comparison_csv(comparison),
              HasSubstr("bandwidth.DRAM.load.avx512.t2,byte/s,two,60000000000,"));
  EXPECT_THAT(machine_comparison_markdown(comparison), HasSubstr("**+50 %**"));
}

TEST(NotableLoops, AreThoseWithTime) {
  const Comparison comparison = fixture::comparison();
  EXPECT_EQ(notable_loops(comparison, 10).size(), 4U);
  EXPECT_EQ(notable_loops(comparison, 2).size(), 2U);
  EXPECT_THAT(compared_levels(comparison), ElementsAre(Level::L2, Level::DRAM));
}

}  // namespace

void machine_comparison_sentences(tests::Sentences& sentences) {
  sentences.add("machines compared",
                machine_comparison_table(fixture::machine_comparison(), style(100, false)));
}

}  // namespace ridge::render
