#include "render/format/text/density_plot.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "render/chart/text.hpp"
#include "render/golden_for_tests.hpp"

namespace ridge::render {
namespace {

struct Values {
  std::size_t width;
  std::size_t height;
  std::vector<double> values;

  Values(std::size_t w, std::size_t h) : width(w), height(h), values(w * h, 0) {}
  double& at(std::size_t y, std::size_t x) { return values[y * width + x]; }
  [[nodiscard]] DensityGrid grid() const { return {width, height, values}; }
};

/// A stencil: the diagonal and two bands far out.
Values stencil(std::size_t size) {
  Values values(size, size);
  const std::size_t out = size / 5;
  for (std::size_t i = 0; i < size; ++i) {
    values.at(i, i) = 30;
    if (i + out < size) {
      values.at(i, i + out) = 10;
      values.at(i + out, i) = 10;
    }
  }
  return values;
}

/// A graph: every part has entries, those of hubs many.
Values graph(std::size_t size) {
  Values values(size, size);
  for (std::size_t y = 0; y < size; ++y) {
    for (std::size_t x = 0; x < size; ++x) {
      values.at(y, x) = std::floor(100000.0 / static_cast<double>((x + 1) * (y + 1)));
    }
  }
  return values;
}

TEST(DensityPlot, GoldenPictures) {
  const TextStyle unicode{100, true, false};
  const TextStyle ascii{100, false, false};
  std::string pictures;
  pictures += density_plot(stencil(64).grid(), unicode);
  pictures += density_plot(graph(64).grid(), unicode);
  pictures += density_plot(stencil(24).grid(), ascii);
  pictures += density_plot(graph(24).grid(), ascii);
  expect_golden("density_plots.txt", pictures);
}

TEST(DensityPlot, OneBraillePointForEachValue) {
  Values values(4, 5);
  values.at(0, 0) = 1;
  values.at(3, 1) = 7;
  values.at(4, 3) = 0.5;
  EXPECT_EQ(density_plot(values.grid(), {100, true, false}),
            "┌──┐\n"
            "│⢁ │\n"
            "│ ⠈│\n"
            "└──┘\n");
}

TEST(DensityPlot, ShadesFollowTheLogarithm) {
  Values values(7, 1);
  for (std::size_t x = 1; x < 7; ++x) {
    values.at(0, x) = std::pow(10.0, static_cast<double>(x));
  }
  EXPECT_EQ(density_plot(values.grid(), {100, false, false}),
            "+-------+\n"
            "| .:+*#@|\n"
            "+-------+\n");
}

TEST(DensityPlot, AScaleWithoutEndHasShades) {
  Values values(3, 1);
  values.at(0, 0) = 1e-300;
  values.at(0, 2) = 1e300;
  EXPECT_EQ(density_plot(values.grid(), {100, false, false}), "+---+\n|. @|\n+---+\n");
}

TEST(DensityPlot, EqualValuesAreEquallyDark) {
  Values values(4, 4);
  for (double& value : values.values) {
    value = 3;
  }
  EXPECT_EQ(density_plot(values.grid(), {100, true, false}), "┌──┐\n│██│\n└──┘\n");
  EXPECT_EQ(density_plot(values.grid(), {100, false, false}),
            "+----+\n|@@@@|\n|@@@@|\n|@@@@|\n|@@@@|\n+----+\n");
}

TEST(DensityPlot, EdgesAreNoLighterForBeingNarrow) {
  Values values(5, 6);
  for (double& value : values.values) {
    value = 3;
  }
  EXPECT_EQ(density_plot(values.grid(), {100, true, false}), "┌───┐\n│███│\n│███│\n└───┘\n");
}

TEST(DensityPlot, FitsTheRoom) {
  for (const bool unicode : {true, false}) {
    const TextStyle style{100, unicode, false};
    for (const auto& [columns, lines] : {std::pair{3U, 3U}, {40U, 12U}, {79U, 30U}}) {
      const DensityRoom room = density_room(columns, lines, style);
      for (const bool dense : {false, true}) {
        Values values(room.width, room.height);
        for (std::size_t k = 0; k < values.values.size(); k += dense ? 1 : 3) {
          values.values[k] = static_cast<double>(k + 1);
        }
        const auto rows = lines_of(density_plot(values.grid(), style));
        ASSERT_EQ(rows.size(), lines + 1) << "the last one empty";
        for (std::size_t y = 0; y < lines; ++y) {
          EXPECT_EQ(display_width(rows[y]), columns);
        }
      }
    }
  }
}

TEST(DensityPlot, Nothing) {
  EXPECT_EQ(density_plot({}, {}), "");
  EXPECT_EQ(density_room(0, 0, {}).width, 0U);
  EXPECT_EQ(density_room(2, 1, {}).height, 0U);
  EXPECT_EQ(density_plot(Values(2, 4).grid(), {100, true, false}), "┌─┐\n│ │\n└─┘\n");
  EXPECT_EQ(density_plot(Values(2, 1).grid(), {100, false, false}), "+--+\n|  |\n+--+\n");
}

TEST(DensityPlot, AsciiIsAscii) {
  for (const Values& values : {stencil(30), graph(30)}) {
    for (const char c : density_plot(values.grid(), {100, false, true})) {
      EXPECT_TRUE(c == '\n' || (c >= ' ' && c <= '~'));
    }
  }
}

}  // namespace
}  // namespace ridge::render
