// Cells of random profiles, as they are written: each dot and each number is where the layout says,
// so nothing covers them.
#include "render/format/text/chart_cells.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "render/chart/level_style.hpp"
#include "render/fixture_for_tests.hpp"
#include "render/format/text/roofline_chart.hpp"
#include "render/golden_for_tests.hpp"
#include "render/random_profile_for_tests.hpp"

namespace ridge::render {
namespace {

/// The rows of the plot in ASCII: one character a cell, from the column of the first.
struct Plot {
  ChartGrid grid;
  std::vector<std::string> rows;

  [[nodiscard]] char at(int x, int y) const {
    const std::string& row = rows[static_cast<std::size_t>(y)];
    return static_cast<std::size_t>(x) < row.size() ? row[static_cast<std::size_t>(x)] : ' ';
  }
};

/// Its size is read from the axis below: "+---...".
Plot plot_of(const Chart& chart, int columns) {
  constexpr std::size_t kLeft = 8;
  const auto lines = lines_of(chart_text(chart, {columns, false, false}));
  Plot plot{{chart.x, chart.y, 0, 0}, {}};
  for (std::size_t i = 1; i < lines.size() && plot.grid.width == 0; ++i) {
    if (lines[i].substr(0, kLeft) == std::string(kLeft - 1, ' ') + "+" &&
        lines[i].find_first_not_of("+-", kLeft) == std::string::npos && lines[i].size() > kLeft) {
      plot.grid.width = lines[i].size() - kLeft;
    } else {
      plot.rows.push_back(lines[i].size() > kLeft ? lines[i].substr(kLeft) : std::string());
    }
  }
  plot.grid.height = plot.rows.size();
  return plot;
}

void expect_as_written(const Chart& chart, int columns) {
  const Plot plot = plot_of(chart, columns);
  ASSERT_GT(plot.grid.width, 0U);
  const ChartCells cells = lay_out_cells(chart, plot.grid);
  std::set<std::pair<int, int>> taken;
  for (const DotCell& dot : cells.dots) {
    const char glyph = dot.arrow ? '>' : level_style(chart.levels[dot.level], dot.level).ascii;
    EXPECT_EQ(plot.at(dot.x, dot.y), glyph) << dot.x << "," << dot.y;
    EXPECT_TRUE(taken.emplace(dot.x, dot.y).second);
  }
  for (const NumberCells& number : cells.numbers) {
    for (std::size_t i = 0; i < number.text.size(); ++i) {
      const int x = number.x + static_cast<int>(i);
      EXPECT_EQ(plot.at(x, number.y), number.text[i]) << number.text;
      EXPECT_TRUE(taken.emplace(x, number.y).second) << number.text;
    }
    // Beside another number both would read as one.
    EXPECT_FALSE(std::isdigit(static_cast<unsigned char>(
        plot.at(number.x + static_cast<int>(number.text.size()), number.y))));
  }
  EXPECT_EQ(cells.numbers.size() + cells.without_room.size(), chart.regions.size());
}

TEST(ChartCells, NumbersNeverCoverDotsOrEachOther) {
  for (unsigned seed = 0; seed < 320; ++seed) {
    const Chart chart = chart_of(fixture::random_profile(seed), {});
    for (const int columns : {80, 120, 200}) {
      SCOPED_TRACE(testing::Message() << seed << " at " << columns);
      expect_as_written(chart, columns);
    }
  }
}

TEST(ChartCells, ANumberStandsBesideItsDotAtTheLevelThatBinds) {
  const Profile profile = fixture::profile();
  Chart chart = chart_of(profile, fixture::prediction(profile));
  chart.regions.resize(1);
  const ChartCells cells = lay_out_cells(chart, {chart.x, chart.y, 60, 16});
  ASSERT_EQ(cells.numbers.size(), 1U);
  const ChartDot& main = chart.regions[0].main_dot();
  const ChartGrid grid{chart.x, chart.y, 60, 16};
  EXPECT_EQ(cells.numbers[0].x, grid.column(*main.intensity) + 1);
  EXPECT_EQ(cells.numbers[0].y, grid.row(chart.regions[0].flops_per_second));
}

}  // namespace
}  // namespace ridge::render
