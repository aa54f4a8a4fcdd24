// Where the entries of a matrix lie, on a grid that fits a screen.
#pragma once

#include <cstdint>
#include <vector>

#include "spmv/matrix/pattern_view.hpp"

namespace ridge::spmv {

/// Counts of entries in `height` x `width` equal parts of the matrix, by rows from the top.
struct Spy {
  std::int32_t height = 0;
  std::int32_t width = 0;
  std::vector<std::int64_t> counts;
  std::int64_t rows = 0;
  std::int64_t columns = 0;

  [[nodiscard]] std::int64_t at(std::int32_t y, std::int32_t x) const {
    return counts[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                  static_cast<std::size_t>(x)];
  }
  /// Places of the matrix in the part (y, x), for densities.
  [[nodiscard]] double places(std::int32_t y, std::int32_t x) const;
};

/// At most `height` x `width` parts: no more than rows and columns. Row i lies in part
/// floor(i * height / rows), columns alike. A matrix without rows or columns has no parts.
template <class Index>
[[nodiscard]] Spy spy(const PatternOf<Index>& matrix, std::int32_t height, std::int32_t width);

}  // namespace ridge::spmv
