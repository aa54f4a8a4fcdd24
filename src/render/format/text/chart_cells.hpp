// Which cell of a terminal holds which dot and which number. Kept apart from the drawing so that
// tests can check that no number covers a dot or another number.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "render/chart/chart.hpp"
#include "render/format/text/chart_margins.hpp"

namespace ridge::render {

/// A dot, or the arrow at the right edge that stands for an unbounded intensity.
struct DotCell {
  int x = 0;
  int y = 0;
  std::size_t region = 0;  ///< index into Chart::regions
  std::size_t level = 0;   ///< index into Chart::levels
  bool arrow = false;
};

struct NumberCells {
  int x = 0;  ///< of the first digit
  int y = 0;
  std::size_t region = 0;
  std::string text;
};

struct ChartCells {
  std::vector<DotCell> dots;  ///< one at most in a cell: the hottest region's
  std::vector<NumberCells> numbers;
  std::vector<unsigned> without_room;  ///< ranks whose number found no cells near its dot
};

/// Numbers stand beside their main dot, else in the nearest free cells, apart from one another.
[[nodiscard]] ChartCells lay_out_cells(const Chart& chart, const ChartGrid& grid);

}  // namespace ridge::render
