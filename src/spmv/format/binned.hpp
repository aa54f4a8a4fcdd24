// Binned products ("propagation blocking" with everything that does not depend on x done once): the
// product is made in two passes. The first goes through strips of columns whose part of x stays in
// a cache, multiplies, and leaves each product where the bin of its row will find it; the second
// sums bins of rows whose part of y stays in a cache. No access misses but those of streams; in
// return each product is written and read once more. Wins where x is large and read at random:
// uniform matrices, R-MAT graphs.
//
// S. Beamer, K. Asanovic, D. Patterson, "Reducing PageRank communication via propagation blocking",
// IPDPS 2017.
#pragma once

#include <cstdint>

#include "spmv/kernel/kernels.hpp"
#include "spmv/matrix/csr.hpp"

namespace ridge::spmv {

template <class Value, class Index>
struct BinnedMatrix {
  Index rows = 0;
  Index columns = 0;
  std::size_t useful = 0;  ///< entries of the matrix
  std::int64_t strips = 0;
  std::int64_t bins = 0;
  std::int32_t strip_bits = 0;
  std::int32_t bin_bits = 0;
  Array<std::int64_t> piece_begin;
  Array<std::int64_t> product_begin;
  Array<std::int64_t> bin_begin;
  Array<std::uint16_t> column;
  Array<std::uint16_t> row;
  Array<Value> value;

  [[nodiscard]] std::int64_t pieces() const { return strips * bins; }
  [[nodiscard]] std::size_t stored() const { return value.size(); }
  [[nodiscard]] BinnedView<Value, Index> view() const {
    return {rows,
            bins,
            strip_bits,
            bin_bits,
            piece_begin.data(),
            product_begin.data(),
            bin_begin.data(),
            column.data(),
            value.data(),
            row.data()};
  }
};

/// Sizes as powers of two, 3 to 16.
struct BinSizes {
  std::int32_t strip_bits;
  std::int32_t bin_bits;
};

/// 2^13 columns (64 kB of x) and 2^13 rows (64 kB of y); fewer rows where that would leave less
/// than 64 bins to share out, more of both where pieces would have few entries.
[[nodiscard]] BinSizes bin_sizes(std::int64_t rows, std::int64_t columns, std::size_t entries);

template <class Value, class Index>
[[nodiscard]] BinnedMatrix<Value, Index> to_binned(const CsrMatrix<Value, Index>& matrix,
                                                   const BinSizes& sizes);

}  // namespace ridge::spmv
