#include "render/format/text/canvas.hpp"

#include <array>

#include "render/chart/text.hpp"

namespace ridge::render {
namespace {

// Unicode braille: bit of the point in column x, row y of a cell.
constexpr std::array<std::array<std::uint8_t, 4>, 2> kBrailleBit = {
    {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}}};

std::string braille(std::uint8_t points) {
  const unsigned code = 0x2800U + points;
  return {static_cast<char>(0xE0U | (code >> 12U)),
          static_cast<char>(0x80U | ((code >> 6U) & 0x3FU)),
          static_cast<char>(0x80U | (code & 0x3FU))};
}

/// Bytes of the UTF-8 character that starts with `lead`; the text is clean, so it is whole.
std::size_t character_bytes(char lead) {
  const auto byte = static_cast<unsigned char>(lead);
  return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

}  // namespace

Canvas::Canvas(std::size_t width, std::size_t height, TextStyle style)
    : width_(width), height_(height), style_(style), cells_(width * height) {}

bool Canvas::inside(int x, int y) const {
  return x >= 0 && y >= 0 && x < static_cast<int>(width_) && y < static_cast<int>(height_);
}

const Canvas::Cell& Canvas::at(int x, int y) const {
  return cells_[static_cast<std::size_t>(y) * width_ + static_cast<std::size_t>(x)];
}

Canvas::Cell& Canvas::at(int x, int y) {
  return cells_[static_cast<std::size_t>(y) * width_ + static_cast<std::size_t>(x)];
}

void Canvas::point(int x, int y, Paint how, char ascii) {
  if (x < 0 || y < 0 || !inside(x / points_x(), y / points_y())) {
    return;
  }
  Cell& cell = at(x / points_x(), y / points_y());
  cell.points |= kBrailleBit.at(static_cast<std::size_t>(x % points_x()))
                     .at(static_cast<std::size_t>(y % points_y()));
  cell.ascii = ascii;
  if (cell.glyph.empty()) {
    cell.paint = how;
  }
}

void Canvas::text(int x, int y, std::string_view clean_text, Paint how) {
  for (std::size_t at_byte = 0; at_byte < clean_text.size(); ++x) {
    const std::size_t bytes = character_bytes(clean_text[at_byte]);
    if (inside(x, y)) {
      at(x, y).glyph = std::string(clean_text.substr(at_byte, bytes));
      at(x, y).paint = how;
    }
    at_byte += bytes;
  }
}

bool Canvas::free_of_text(int x, int y, int length) const {
  for (int i = 0; i < length; ++i) {
    if (!inside(x + i, y) || !at(x + i, y).glyph.empty()) {
      return false;
    }
  }
  return true;
}

bool Canvas::passes(int x, int y) const {
  return inside(x, y) && at(x, y).points != 0;
}

bool Canvas::empty(int x, int y, int length) const {
  if (!free_of_text(x, y, length)) {
    return false;
  }
  for (int i = 0; i < length; ++i) {
    if (at(x + i, y).points != 0) {
      return false;
    }
  }
  return true;
}

std::string Canvas::glyph_of(const Cell& cell) const {
  if (!cell.glyph.empty()) {
    return cell.glyph;
  }
  if (cell.points == 0) {
    return " ";
  }
  return style_.unicode ? braille(cell.points) : std::string(1, cell.ascii);
}

std::string Canvas::row(std::size_t y) const {
  std::string out;
  for (std::size_t x = 0; x < width_;) {
    const Paint how = cells_[y * width_ + x].paint;
    std::string run;
    while (x < width_ && cells_[y * width_ + x].paint == how) {
      run += glyph_of(cells_[y * width_ + x]);
      ++x;
    }
    out += paint(run, how, style_);
  }
  return out;
}

}  // namespace ridge::render
