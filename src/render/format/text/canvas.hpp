// A grid of terminal cells: fine lines in braille (2 x 4 points a cell) or, in ASCII, one character
// a cell; text on top of both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "render/chart/style.hpp"
#include "render/format/text/paint.hpp"

namespace ridge::render {

class Canvas {
 public:
  Canvas(std::size_t width, std::size_t height, TextStyle style);

  [[nodiscard]] std::size_t width() const { return width_; }
  [[nodiscard]] std::size_t height() const { return height_; }
  /// Points a cell is divided into: 2 x 4 in braille, 1 x 1 in ASCII.
  [[nodiscard]] int points_x() const { return style_.unicode ? 2 : 1; }
  [[nodiscard]] int points_y() const { return style_.unicode ? 4 : 1; }

  /// Sets one point (origin top left); in ASCII the cell shows `ascii`. Outside is ignored.
  void point(int x, int y, Paint how, char ascii);
  /// Writes clean text into the cells from (x, y) rightwards, clipped.
  void text(int x, int y, std::string_view clean_text, Paint how);
  /// True when none of `length` cells from (x, y) holds text and all lie inside.
  [[nodiscard]] bool free_of_text(int x, int y, int length) const;
  /// True when a line passes through the cell.
  [[nodiscard]] bool passes(int x, int y) const;
  /// True when the cells are free of text and no line passes there.
  [[nodiscard]] bool empty(int x, int y, int length) const;

  /// One row with colour sequences; trailing blanks are kept, so that rows can be joined.
  [[nodiscard]] std::string row(std::size_t y) const;

 private:
  struct Cell {
    std::uint8_t points = 0;
    char ascii = ' ';
    std::string glyph;
    Paint paint = kPlain;
  };
  [[nodiscard]] bool inside(int x, int y) const;
  [[nodiscard]] const Cell& at(int x, int y) const;
  [[nodiscard]] Cell& at(int x, int y);
  [[nodiscard]] std::string glyph_of(const Cell& cell) const;

  std::size_t width_;
  std::size_t height_;
  TextStyle style_;
  std::vector<Cell> cells_;
};

}  // namespace ridge::render
