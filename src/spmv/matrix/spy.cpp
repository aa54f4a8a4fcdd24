#include "spmv/matrix/spy.hpp"

#include <algorithm>

namespace ridge::spmv {
namespace {

/// Where part `part` of `parts` of `size` begins: the first i with floor(i * parts / size) = part.
std::int64_t first_of(std::int64_t size, std::int32_t parts, std::int32_t part) {
  return (size * part + parts - 1) / parts;
}

}  // namespace

double Spy::places(std::int32_t y, std::int32_t x) const {
  return static_cast<double>(first_of(rows, height, y + 1) - first_of(rows, height, y)) *
         static_cast<double>(first_of(columns, width, x + 1) - first_of(columns, width, x));
}

template <class Index>
Spy spy(const PatternOf<Index>& matrix, std::int32_t height, std::int32_t width) {
  Spy picture;
  picture.rows = matrix.rows;
  picture.columns = matrix.columns;
  if (matrix.rows <= 0 || matrix.columns <= 0 || height <= 0 || width <= 0) {
    return picture;
  }
  picture.height = static_cast<std::int32_t>(std::min<std::int64_t>(height, picture.rows));
  picture.width = static_cast<std::int32_t>(std::min<std::int64_t>(width, picture.columns));
  picture.counts.assign(
      static_cast<std::size_t>(picture.height) * static_cast<std::size_t>(picture.width), 0);
  for (std::int32_t y = 0; y < picture.height; ++y) {
    std::int64_t* counts = picture.counts.data() +
                           static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width);
    const auto last = static_cast<std::size_t>(first_of(picture.rows, picture.height, y + 1));
    for (auto i = static_cast<std::size_t>(first_of(picture.rows, picture.height, y)); i < last;
         ++i) {
      for (const Index j : matrix.row(i)) {
        ++counts[std::int64_t{j} * picture.width / picture.columns];
      }
    }
  }
  return picture;
}

template Spy spy(const PatternOf<std::int32_t>&, std::int32_t, std::int32_t);
template Spy spy(const PatternOf<std::int64_t>&, std::int32_t, std::int32_t);

}  // namespace ridge::spmv
