// Columns that fit a width: first cells take their brief form, then the least important columns are
// left out, then one flexible column shrinks.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "render/chart/style.hpp"
#include "render/format/text/paint.hpp"

namespace ridge::render {

struct TextColumn {
  std::string title;
  /// Neighbours with the same group share a heading above their titles: the first that fits of
  /// alternatives separated by "|".
  std::string group;
  std::size_t gap = 2;             ///< blanks before the column
  bool left = false;               ///< aligned left; numbers stand right
  int importance = 0;              ///< 0: always shown; else the column with the lowest goes first
  std::vector<std::string> cells;  ///< clean text
  std::vector<std::string> brief;  ///< cells used when not everything fits; or empty
  std::vector<Paint> paints;       ///< as cells, or empty
  std::size_t least_width = 0;     ///< the flexible column may shrink to this
  /// Text of row `r` in at most `w` columns; set for the one flexible column.
  std::function<std::string(std::size_t r, std::size_t w)> fit = {};
  /// Where it is named as left out, if not by its title: "intensity at L2".
  std::string called = {};
};

/// Columns that did not fit.
struct LeftOut {
  std::vector<std::string> columns;  ///< as they are called
  std::size_t width = 0;             ///< that shows all of them
};

/// Lines of at most `columns` (as far as the columns that are never left out allow), a header
/// first, each ended by a line feed.
[[nodiscard]] std::string render_table(std::vector<TextColumn> columns, std::size_t width,
                                       const TextStyle& style, LeftOut* left_out = nullptr);

}  // namespace ridge::render
