// Where the entries of a matrix are, whatever their values: what models, facts and orders look at.
#pragma once

#include <cstddef>
#include <span>

#include "spmv/matrix/csr.hpp"

namespace ridge::spmv {

/// Refers to a CsrMatrix, which has to outlive it.
template <class Index>
struct PatternOf {
  Index rows = 0;
  Index columns = 0;
  std::span<const Index> row_begin;  ///< rows + 1
  std::span<const Index> column;

  [[nodiscard]] std::size_t entries() const { return column.size(); }
  [[nodiscard]] std::size_t begin(std::size_t row) const {
    return static_cast<std::size_t>(row_begin[row]);
  }
  [[nodiscard]] std::size_t end(std::size_t row) const {
    return static_cast<std::size_t>(row_begin[row + 1]);
  }
  [[nodiscard]] std::span<const Index> row(std::size_t row) const {
    return column.subspan(begin(row), end(row) - begin(row));
  }
};

template <class Value, class Index>
[[nodiscard]] PatternOf<Index> pattern_of(const CsrMatrix<Value, Index>& matrix) {
  return {matrix.rows, matrix.columns, matrix.row_begin.span(), matrix.column.span()};
}

}  // namespace ridge::spmv
