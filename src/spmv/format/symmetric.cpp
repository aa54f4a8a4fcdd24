#include "spmv/format/symmetric.hpp"

#include <algorithm>
#include <vector>

namespace ridge::spmv {
namespace {

/// Each row's entries below the diagonal are met in ascending order when the rows above are walked
/// in order: one place per row says which of them comes next.
template <class Index, class Same>
bool mirrors(const PatternOf<Index>& matrix, const Same& same) {
  if (matrix.rows != matrix.columns) {
    return false;
  }
  std::vector<Index> next(matrix.row_begin.begin(), matrix.row_begin.end());
  for (Index i = 0; i < matrix.rows; ++i) {
    const auto row = static_cast<std::size_t>(i);
    // What is left below the diagonal of row i has no partner.
    auto k = static_cast<std::size_t>(next[row]);
    const auto end = static_cast<std::size_t>(matrix.row_begin[row + 1]);
    if (k < end && matrix.column[k] < i) {
      return false;
    }
    for (; k < end; ++k) {
      const Index j = matrix.column[k];
      if (j == i) {
        continue;
      }
      Index& partner = next[static_cast<std::size_t>(j)];
      const auto at = static_cast<std::size_t>(partner);
      if (partner == matrix.row_begin[static_cast<std::size_t>(j) + 1] || matrix.column[at] != i ||
          !same(at, k)) {
        return false;
      }
      ++partner;
    }
  }
  return true;
}

}  // namespace

template <class Value, class Index>
bool is_symmetric(const CsrMatrix<Value, Index>& matrix) {
  return mirrors(pattern_of(matrix),
                 [&](std::size_t a, std::size_t b) { return matrix.value[a] == matrix.value[b]; });
}

template <class Value, class Index>
bool has_symmetric_pattern(const CsrMatrix<Value, Index>& matrix) {
  return has_symmetric_pattern(pattern_of(matrix));
}

template <class Index>
bool has_symmetric_pattern(const PatternOf<Index>& matrix) {
  return mirrors(matrix, [](std::size_t, std::size_t) { return true; });
}

template <class Value, class Index>
CsrMatrix<Value, Index> upper_triangle(const CsrMatrix<Value, Index>& matrix) {
  CsrMatrix<Value, Index> upper;
  upper.rows = matrix.rows;
  upper.columns = matrix.columns;
  upper.row_begin = Array<Index>(matrix.row_begin.size(), Index{0});
  const auto rows = static_cast<std::size_t>(matrix.rows);
  const auto first = [&](std::size_t row) {
    const Index* begin = matrix.column.data() + matrix.row_begin[row];
    const Index* end = matrix.column.data() + matrix.row_begin[row + 1];
    return static_cast<Index>(std::lower_bound(begin, end, static_cast<Index>(row)) -
                              matrix.column.data());
  };
  for (std::size_t i = 0; i < rows; ++i) {
    upper.row_begin[i + 1] = upper.row_begin[i] + (matrix.row_begin[i + 1] - first(i));
  }
  const auto entries = static_cast<std::size_t>(upper.row_begin[rows]);
  upper.column = Array<Index>(entries);
  upper.value = Array<Value>(entries);
  for (std::size_t i = 0; i < rows; ++i) {
    const Index from = first(i);
    const Index size = matrix.row_begin[i + 1] - from;
    std::copy_n(matrix.column.data() + from, size, upper.column.data() + upper.row_begin[i]);
    std::copy_n(matrix.value.data() + from, size, upper.value.data() + upper.row_begin[i]);
  }
  return upper;
}

template bool is_symmetric(const CsrMatrix<double, std::int32_t>&);
template bool has_symmetric_pattern(const CsrMatrix<double, std::int32_t>&);
template CsrMatrix<double, std::int32_t> upper_triangle(const CsrMatrix<double, std::int32_t>&);
template bool is_symmetric(const CsrMatrix<double, std::int64_t>&);
template bool has_symmetric_pattern(const CsrMatrix<double, std::int64_t>&);
template CsrMatrix<double, std::int64_t> upper_triangle(const CsrMatrix<double, std::int64_t>&);
template bool is_symmetric(const CsrMatrix<float, std::int32_t>&);
template bool has_symmetric_pattern(const CsrMatrix<float, std::int32_t>&);
template CsrMatrix<float, std::int32_t> upper_triangle(const CsrMatrix<float, std::int32_t>&);
template bool is_symmetric(const CsrMatrix<float, std::int64_t>&);
template bool has_symmetric_pattern(const CsrMatrix<float, std::int64_t>&);
template CsrMatrix<float, std::int64_t> upper_triangle(const CsrMatrix<float, std::int64_t>&);

template bool has_symmetric_pattern(const PatternOf<std::int32_t>&);
template bool has_symmetric_pattern(const PatternOf<std::int64_t>&);

}  // namespace ridge::spmv
