// Sparse matrices as users have them: coordinates and compressed rows.
#pragma once

#include <cstdint>

#include "core/result.hpp"
#include "spmv/matrix/array.hpp"

namespace ridge::spmv {

/// Entries in any order, from 0; several entries of one place count as their sum. `Value` is double
/// or float, `Index` std::int32_t or std::int64_t: it counts rows, columns and entries alike.
template <class Value, class Index>
struct CooMatrix {
  Index rows = 0;
  Index columns = 0;
  Array<Index> row;
  Array<Index> column;
  Array<Value> value;

  [[nodiscard]] std::size_t entries() const { return value.size(); }
};

/// Compressed sparse rows (CSR). Row i has the entries row_begin[i] to row_begin[i + 1] - 1; its
/// columns ascend and differ. An entry that is stored counts as one, even if its value is 0.
template <class Value, class Index>
struct CsrMatrix {
  Index rows = 0;
  Index columns = 0;
  Array<Index> row_begin = Array<Index>(1, Index{0});  ///< rows + 1
  Array<Index> column;
  Array<Value> value;

  [[nodiscard]] std::size_t entries() const { return value.size(); }
  [[nodiscard]] Index row_size(Index row) const {
    return row_begin[static_cast<std::size_t>(row) + 1] - row_begin[static_cast<std::size_t>(row)];
  }
};

/// Sorts, and adds up entries of the same place in their order. Errors: an entry outside the
/// matrix; arrays of different sizes; more entries than an index of this type counts.
template <class Value, class Index>
[[nodiscard]] Result<CsrMatrix<Value, Index>> from_coordinates(
    const CooMatrix<Value, Index>& entries);

template <class Value, class Index>
[[nodiscard]] CooMatrix<Value, Index> to_coordinates(const CsrMatrix<Value, Index>& matrix);

template <class Value, class Index>
[[nodiscard]] CsrMatrix<Value, Index> transpose(const CsrMatrix<Value, Index>& matrix);

/// The same matrix with other numbers; values are rounded, indices have to fit (asserted).
template <class To, class ToIndex, class Value, class Index>
[[nodiscard]] CsrMatrix<To, ToIndex> converted(const CsrMatrix<Value, Index>& matrix) {
  CsrMatrix<To, ToIndex> result;
  result.rows = static_cast<ToIndex>(matrix.rows);
  result.columns = static_cast<ToIndex>(matrix.columns);
  result.row_begin = Array<ToIndex>(matrix.row_begin.size());
  result.column = Array<ToIndex>(matrix.entries());
  result.value = Array<To>(matrix.entries());
  for (std::size_t i = 0; i < matrix.row_begin.size(); ++i) {
    result.row_begin[i] = static_cast<ToIndex>(matrix.row_begin[i]);
    assert(static_cast<Index>(result.row_begin[i]) == matrix.row_begin[i]);
  }
  for (std::size_t k = 0; k < matrix.entries(); ++k) {
    result.column[k] = static_cast<ToIndex>(matrix.column[k]);
    result.value[k] = static_cast<To>(matrix.value[k]);
  }
  return result;
}

/// What `multiply` of every format is held against: row by row, entry by entry, in twice the
/// precision. y = alpha A x + beta y; with beta = 0, y is not read.
template <class Value, class Vector, class Index>
void multiply_slowly(const CsrMatrix<Value, Index>& matrix, double alpha, const Vector* x,
                     double beta, Vector* y) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(matrix.rows); ++i) {
    long double sum = 0;
    for (auto k = static_cast<std::size_t>(matrix.row_begin[i]);
         k < static_cast<std::size_t>(matrix.row_begin[i + 1]); ++k) {
      sum += static_cast<long double>(matrix.value[k]) *
             static_cast<long double>(x[static_cast<std::size_t>(matrix.column[k])]);
    }
    sum *= alpha;
    y[i] = static_cast<Vector>(beta == 0 ? sum : sum + static_cast<long double>(beta) * y[i]);
  }
}

}  // namespace ridge::spmv
