// Dense blocks in compressed rows, and how to find that a matrix has them.
#pragma once

#include <cstdint>

#include "spmv/kernel/kernels.hpp"
#include "spmv/matrix/csr.hpp"

namespace ridge::spmv {

/// Blocks of `block` x `block` values by rows, at block columns that ascend within a block row.
template <class Value, class Index>
struct BcsrMatrix {
  Index block_rows = 0;
  Index block_columns = 0;
  std::int32_t block = 1;
  std::size_t useful = 0;  ///< entries of the matrix, without the zeros that fill blocks
  Array<Index> row_begin;
  Array<Index> column;
  Array<Value> value;

  [[nodiscard]] std::size_t stored() const { return value.size(); }
  [[nodiscard]] BcsrView<Value, Index> view() const {
    return {block, row_begin.data(), column.data(), value.data()};
  }
};

inline constexpr std::int32_t kLargestBlock = 6;

/// `block`: 2 to kLargestBlock, a divisor of rows and columns (asserted).
template <class Value, class Index>
[[nodiscard]] BcsrMatrix<Value, Index> to_bcsr(const CsrMatrix<Value, Index>& matrix,
                                               std::int32_t block);

/// Share of the stored values that are entries of the matrix if blocks have this size, from all
/// rows or, of a large matrix, a sample of 4096 block rows. 0 if rows or columns are no multiple.
template <class Value, class Index>
[[nodiscard]] double block_fill(const CsrMatrix<Value, Index>& matrix, std::int32_t block);

/// The largest block size that is filled to at least `least_fill`; 1 if there is none.
template <class Value, class Index>
[[nodiscard]] std::int32_t find_block(const CsrMatrix<Value, Index>& matrix,
                                      double least_fill = 0.9);

}  // namespace ridge::spmv
