// Pattern-compressed SELL: where at least 12 of the 32 rows of a chunk have an entry at the same
// distance from the diagonal, these entries need no index: x is read as a (masked) vector. The
// others stay gathered. On stencils and finite-element meshes 60 to 99 % of the entries need none.
#pragma once

#include <cstdint>

#include "spmv/format/bcsr.hpp"
#include "spmv/kernel/kernels.hpp"
#include "spmv/matrix/csr.hpp"

namespace ridge::spmv {

template <class Value, class Index>
struct PatternSellMatrix {
  Index rows = 0;     ///< of blocks
  Index columns = 0;  ///< of blocks
  std::int32_t block = 1;
  std::size_t useful = 0;         ///< entries of the matrix
  std::size_t without_index = 0;  ///< stored values (padding included) that need none
  Array<PatternChunk> chunk;
  Array<PatternShape> shape;
  Array<Index> offset;
  Array<std::uint32_t> mask;
  Array<Index> column;  ///< and kMaxAhead more
  Array<Value> value;

  [[nodiscard]] std::int64_t chunks() const { return static_cast<std::int64_t>(chunk.size()); }
  [[nodiscard]] std::size_t stored() const { return value.size(); }
  [[nodiscard]] PatternView<Value, Index> view() const {
    return {rows,          block,       chunk.data(),  shape.data(),
            offset.data(), mask.data(), column.data(), value.data()};
  }
};

/// Rows that need to have a diagonal for it to be stored as one: of 32, or of 16 rows of blocks.
inline constexpr std::int32_t kLeastOfDiagonal = 12;
inline constexpr std::int32_t kLeastOfBlockDiagonal = 7;

/// Where x is not finite, padding of the gathered part (0 times x) makes the row's result NaN.
template <class Value, class Index>
[[nodiscard]] PatternSellMatrix<Value, Index> to_pattern_sell(
    const CsrMatrix<Value, Index>& matrix, std::int32_t least = kLeastOfDiagonal);

/// Stored values for each entry, before any is stored; 1 of a matrix without entries.
template <class Value, class Index>
[[nodiscard]] double pattern_padding(const CsrMatrix<Value, Index>& matrix,
                                     std::int32_t least = kLeastOfDiagonal);

/// Pattern-compressed SELL of dense blocks.
template <class Value, class Index>
[[nodiscard]] PatternSellMatrix<Value, Index> to_pattern_sell(
    const BcsrMatrix<Value, Index>& matrix, std::int32_t least = kLeastOfBlockDiagonal);

}  // namespace ridge::spmv
