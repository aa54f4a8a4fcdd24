// SELL-C-sigma: chunks of C rows, padded to the longest row of each, after rows were sorted by
// length within windows of sigma rows.
//
// M. Kreutzer, G. Hager, G. Wellein, H. Fehske, A. R. Bishop, "A unified sparse matrix data format
// for efficient general sparse matrix-vector multiplication on modern processors with wide SIMD
// units", SIAM J. Sci. Comput. 36(5), 2014.
#pragma once

#include <cstdint>

#include "spmv/kernel/kernels.hpp"
#include "spmv/matrix/csr.hpp"

namespace ridge::spmv {

template <class Value, class Index>
struct SellMatrix {
  Index rows = 0;
  Index columns = 0;
  std::int32_t chunk_rows = 32;
  std::int64_t sigma = 1;
  std::size_t useful = 0;           ///< entries without padding
  Array<std::int64_t> chunk_begin;  ///< chunks + 1
  Array<Index> column;              ///< padded, and kMaxAhead more
  Array<Value> value;
  Array<Index> row_of;                ///< empty with sigma = 1: rows are in order
  Array<std::uint16_t> short_column;  ///< empty without 16-bit indices
  Array<Index> base;                  ///< of each chunk; -1: its columns span more than 16 bit

  [[nodiscard]] std::int64_t chunks() const {
    return static_cast<std::int64_t>(chunk_begin.size()) - 1;
  }
  [[nodiscard]] std::int64_t stored() const { return chunk_begin[chunk_begin.size() - 1]; }
  [[nodiscard]] SellView<Value, Index> view() const;
};

/// `chunk_rows`: 8, 16 or 32. `sigma`: 1 keeps the order of rows; at least the number of rows sorts
/// them all. Where x is not finite, padding (0 times x) makes the row's result NaN.
template <class Value, class Index>
[[nodiscard]] SellMatrix<Value, Index> to_sell(const CsrMatrix<Value, Index>& matrix,
                                               std::int32_t chunk_rows, std::int64_t sigma);

/// What to_sell would store, padding included, per entry of the matrix: 1 / beta.
template <class Value, class Index>
[[nodiscard]] double sell_padding(const CsrMatrix<Value, Index>& matrix, std::int32_t chunk_rows,
                                  std::int64_t sigma);

/// Adds 16-bit indices to the chunks whose columns span less than 2^16.
template <class Value, class Index>
void add_short_indices(SellMatrix<Value, Index>& matrix);

}  // namespace ridge::spmv
