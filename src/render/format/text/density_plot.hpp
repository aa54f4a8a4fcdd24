// A grid of counts as a picture for the terminal: the darker, the denser.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "render/chart/style.hpp"

namespace ridge::render {

/// What density_plot draws: `values` by rows from the top, none negative.
struct DensityGrid {
  std::size_t width = 0;
  std::size_t height = 0;
  std::span<const double> values;  ///< width * height
};

/// Points that a picture of `columns` x `lines` characters has room for within its frame.
/// Characters are about twice as high as wide: a square looks square in 2 n + 2 columns and n + 2
/// lines.
struct DensityRoom {
  std::size_t width = 0;
  std::size_t height = 0;
};
[[nodiscard]] DensityRoom density_room(std::size_t columns, std::size_t lines,
                                       const TextStyle& style);

/// The same with means of `across` x `down` values, of fewer at the right and lower edge.
struct DensityMeans {
  std::size_t width = 0;
  std::size_t height = 0;
  std::vector<double> values;

  [[nodiscard]] DensityGrid grid() const { return {width, height, values}; }
};
[[nodiscard]] DensityMeans density_means(const DensityGrid& grid, std::size_t across,
                                         std::size_t down);

/// In a frame, each line ended by a line feed. In Unicode one point of braille for each value above
/// 0, two across and four down in a character, or, if most are above 0, one of four shades for the
/// mean of such eight; in ASCII one character for each value, from '.' to '@'. Shades follow the
/// logarithm, from the least to the largest above 0. Without values an empty text.
[[nodiscard]] std::string density_plot(const DensityGrid& grid, const TextStyle& style);

}  // namespace ridge::render
