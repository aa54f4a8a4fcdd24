// What stands around the plot of a roofline in a terminal: labels, axis, legend, footnotes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "render/chart/chart.hpp"
#include "render/chart/style.hpp"

namespace ridge::render {

/// The cells of a plot; curves, dots and labels use the same mapping, so that a dot on its roof
/// lies on it.
struct ChartGrid {
  LogScale x;
  LogScale y;
  std::size_t width = 0;
  std::size_t height = 0;

  [[nodiscard]] int column(double intensity) const;
  [[nodiscard]] int row(double rate) const;
};

/// Labels of compute ceilings by row, moved apart so that each has a row of its own.
[[nodiscard]] std::vector<std::string> right_labels(const Chart& chart, const ChartGrid& grid);
/// Numbers of the vertical axis by row.
[[nodiscard]] std::vector<std::string> left_labels(const Chart& chart, const ChartGrid& grid);

struct XAxis {
  std::string line;    ///< with its tick marks
  std::string labels;  ///< the numbers below it, at most `room` columns
};
[[nodiscard]] XAxis x_axis(const Chart& chart, const ChartGrid& grid, const TextStyle& style,
                           std::size_t room);

/// "▲ L1 237 GB/s" for each level; then what the numbers are. Ends with a line feed, or is empty.
[[nodiscard]] std::string chart_legend(const Chart& chart, const TextStyle& style,
                                       std::size_t columns);
/// What the chart could not show; `lost`: numbers that found no free cell.
[[nodiscard]] std::string chart_footnotes(const Chart& chart, const std::vector<unsigned>& lost,
                                          const TextStyle& style, std::size_t columns);

}  // namespace ridge::render
