#include "render/format/text/density_plot.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <string_view>

#include "core/value/sparse_study.hpp"
#include "render/format/text/canvas.hpp"

namespace ridge::render {
namespace {

struct Frame {
  std::string_view across, down, top_left, top_right, bottom_left, bottom_right;
};
constexpr Frame kLines = {"─", "│", "┌", "┐", "└", "┘"};
constexpr Frame kAscii = {"-", "|", "+", "+", "+", "+"};

constexpr std::array<std::string_view, 6> kAsciiShades = {".", ":", "+", "*", "#", "@"};
constexpr std::array<std::string_view, 4> kBlockShades = {"░", "▒", "▓", "█"};

/// One shade for each cell by the logarithm of its value, of equal parts; blank where there is
/// nothing.
std::vector<std::string> shaded(const DensityMeans& cells,
                                std::span<const std::string_view> shades) {
  const DensityScale scale = density_scale(cells.values);
  const double steps = static_cast<double>(shades.size());
  std::vector<std::string> rows(cells.height);
  for (std::size_t y = 0; y < cells.height; ++y) {
    for (std::size_t x = 0; x < cells.width; ++x) {
      const double value = cells.values[y * cells.width + x];
      if (!(value > 0)) {
        rows[y] += ' ';
        continue;
      }
      rows[y] += shades[static_cast<std::size_t>(std::min(scale.share(value) * steps, steps - 1))];
    }
  }
  return rows;
}

std::vector<std::string> points(const DensityGrid& grid, const TextStyle& style) {
  Canvas canvas((grid.width + 1) / 2, (grid.height + 3) / 4, style);
  for (std::size_t y = 0; y < grid.height; ++y) {
    for (std::size_t x = 0; x < grid.width; ++x) {
      if (grid.values[y * grid.width + x] > 0) {
        canvas.point(static_cast<int>(x), static_cast<int>(y), kPlain, '*');
      }
    }
  }
  std::vector<std::string> rows;
  for (std::size_t y = 0; y < canvas.height(); ++y) {
    rows.push_back(canvas.row(y));
  }
  return rows;
}

/// Points say where entries are; once most are set, shades say more.
bool mostly_set(const DensityGrid& grid) {
  const auto set =
      std::count_if(grid.values.begin(), grid.values.end(), [](double value) { return value > 0; });
  return 2 * static_cast<std::size_t>(set) > grid.values.size();
}

std::string border(std::string_view left, std::string_view across, std::string_view right,
                   std::size_t width) {
  std::string line(left);
  for (std::size_t x = 0; x < width; ++x) {
    line += across;
  }
  return line.append(right).append("\n");
}

}  // namespace

DensityMeans density_means(const DensityGrid& grid, std::size_t across, std::size_t down) {
  DensityMeans cells{(grid.width + across - 1) / across, (grid.height + down - 1) / down, {}};
  cells.values.assign(cells.width * cells.height, 0);
  for (std::size_t y = 0; y < grid.height; ++y) {
    const std::size_t tall = std::min(down, grid.height - y / down * down);
    for (std::size_t x = 0; x < grid.width; ++x) {
      const std::size_t wide = std::min(across, grid.width - x / across * across);
      cells.values[y / down * cells.width + x / across] +=
          grid.values[y * grid.width + x] / static_cast<double>(tall * wide);
    }
  }
  return cells;
}

DensityRoom density_room(std::size_t columns, std::size_t lines, const TextStyle& style) {
  const std::size_t width = columns > 2 ? columns - 2 : 0;
  const std::size_t height = lines > 2 ? lines - 2 : 0;
  return style.unicode ? DensityRoom{2 * width, 4 * height} : DensityRoom{width, height};
}

std::string density_plot(const DensityGrid& grid, const TextStyle& style) {
  assert(grid.values.size() == grid.width * grid.height);
  if (grid.values.empty()) {
    return {};
  }
  std::vector<std::string> rows;
  std::size_t width = grid.width;
  if (!style.unicode) {
    rows = shaded(density_means(grid, 1, 1), kAsciiShades);
  } else {
    width = (grid.width + 1) / 2;
    rows = mostly_set(grid) ? shaded(density_means(grid, 2, 4), kBlockShades) : points(grid, style);
  }
  const Frame& frame = style.unicode ? kLines : kAscii;
  std::string out = border(frame.top_left, frame.across, frame.top_right, width);
  for (const std::string& row : rows) {
    out.append(frame.down).append(row).append(frame.down).append("\n");
  }
  return out + border(frame.bottom_left, frame.across, frame.bottom_right, width);
}

}  // namespace ridge::render
