#include "spmv/pattern_sell.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

namespace ridge::spmv {
namespace {

constexpr std::int32_t kMostRows = 32;

/// The rows of one chunk, merged by distance from the diagonal.
template <class Index>
class Diagonals {
 public:
  Diagonals(const Index* row_begin, const Index* column, Index rows, std::int64_t first,
            std::int32_t chunk_rows)
      : column_(column), first_(static_cast<Index>(first)) {
    distance_.fill(kNone);
    for (std::int32_t lane = 0; lane < chunk_rows; ++lane) {
      const auto i = static_cast<std::size_t>(first + lane);
      const bool exists = static_cast<std::int64_t>(i) < static_cast<std::int64_t>(rows);
      at_[static_cast<std::size_t>(lane)] = exists ? row_begin[i] : Index{0};
      end_[static_cast<std::size_t>(lane)] = exists ? row_begin[i + 1] : Index{0};
      look(static_cast<std::size_t>(lane));
    }
  }

  /// The next smaller distances' successor: which rows have it. 0 at the end.
  std::uint32_t next() {
    Index least = kNone;
    for (const Index distance : distance_) {
      least = std::min(least, distance);
    }
    offset_ = least;
    std::uint32_t mask = 0;
    if (least != kNone) {
      for (std::size_t lane = 0; lane < kMostRows; ++lane) {
        mask |= static_cast<std::uint32_t>(distance_[lane] == least) << lane;
      }
    }
    return mask;
  }
  [[nodiscard]] Index offset() const { return offset_; }
  /// Where the entry of this row is.
  [[nodiscard]] Index place(std::size_t lane) const { return at_[lane]; }

  /// Goes on in the rows of `mask`.
  void advance(std::uint32_t mask) {
    for (; mask != 0; mask &= mask - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(mask));
      ++at_[lane];
      look(lane);
    }
  }

 private:
  static constexpr Index kNone = std::numeric_limits<Index>::max();

  void look(std::size_t lane) {
    distance_[lane] =
        at_[lane] == end_[lane] ? kNone : column_[at_[lane]] - (first_ + static_cast<Index>(lane));
  }

  const Index* column_;
  Index first_;
  Index offset_ = 0;
  alignas(64) std::array<Index, kMostRows> distance_{};
  std::array<Index, kMostRows> at_{};
  std::array<Index, kMostRows> end_{};
};

struct Shape {
  std::int32_t chunk_rows;
  std::uint32_t all;
  std::int32_t least;
  [[nodiscard]] bool is_full(std::uint32_t mask) const { return mask == all; }
  [[nodiscard]] bool is_diagonal(std::uint32_t mask) const { return std::popcount(mask) >= least; }
};

template <class Index>
PatternChunk count(Diagonals<Index> diagonals, const Shape& shape) {
  PatternChunk chunk{};
  std::array<std::int32_t, kMostRows> rest{};
  while (const std::uint32_t mask = diagonals.next()) {
    if (shape.is_full(mask)) {
      ++chunk.full;
    } else if (shape.is_diagonal(mask)) {
      ++chunk.partial;
    } else {
      for (std::uint32_t left = mask; left != 0; left &= left - 1) {
        ++rest[static_cast<std::size_t>(std::countr_zero(left))];
      }
    }
    diagonals.advance(mask);
  }
  chunk.gathered = *std::max_element(rest.begin(), rest.end());
  return chunk;
}

/// Puts the values of one entry, `size` = block^2 of them, where the lanes of a column want them.
template <class Value>
void put(const Value* from, std::int32_t block, std::int32_t chunk_rows, std::size_t lane,
         Value* column) {
  const auto b = static_cast<std::size_t>(block);
  const auto rows = static_cast<std::size_t>(chunk_rows);
  for (std::size_t s = 0; s < b; ++s) {
    for (std::size_t t = 0; t < b; ++t) {
      column[(t * b + s) * rows + lane] = from[s * b + t];
    }
  }
}

template <class Value, class Index>
void fill(Diagonals<Index> diagonals, const Shape& shape, const Index* columns, const Value* values,
          const PatternChunk& chunk, PatternSellMatrix<Value, Index>& to) {
  const auto size = static_cast<std::size_t>(to.block) * static_cast<std::size_t>(to.block);
  const std::size_t stride = size * static_cast<std::size_t>(shape.chunk_rows);
  Value* value = to.value.data() + chunk.value;
  Index* column = to.column.data() + chunk.column;
  const std::size_t width = static_cast<std::size_t>(chunk.full) +
                            static_cast<std::size_t>(chunk.partial) +
                            static_cast<std::size_t>(chunk.gathered);
  std::memset(value, 0, width * stride * sizeof(Value));
  std::fill(column, column + chunk.gathered * shape.chunk_rows, Index{0});
  std::array<std::int32_t, kMostRows> rest{};
  std::int32_t full = 0;
  std::int32_t partial = 0;
  while (const std::uint32_t mask = diagonals.next()) {
    const bool is_full = shape.is_full(mask);
    const bool is_diagonal = is_full || shape.is_diagonal(mask);
    std::size_t at = 0;
    if (is_diagonal) {
      at = static_cast<std::size_t>(is_full ? full++ : chunk.full + partial++);
      to.offset[static_cast<std::size_t>(chunk.diagonal) + at] = diagonals.offset();
      to.mask[static_cast<std::size_t>(chunk.diagonal) + at] = mask;
    }
    for (std::uint32_t left = mask; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(left));
      const auto entry = static_cast<std::size_t>(diagonals.place(lane));
      if (!is_diagonal) {
        const std::int32_t k = rest[lane]++;
        at = static_cast<std::size_t>(chunk.full) + static_cast<std::size_t>(chunk.partial) +
             static_cast<std::size_t>(k);
        // Also where the row has no further entry: 0 times a column that it has.
        for (std::int32_t q = k; q < chunk.gathered; ++q) {
          column[q * shape.chunk_rows + static_cast<std::int32_t>(lane)] = columns[entry];
        }
      }
      put(values + entry * size, to.block, shape.chunk_rows, lane, value + at * stride);
    }
    diagonals.advance(mask);
  }
}

/// Where each chunk's part begins, from what it has.
template <class Value, class Index>
void lay_out(const Shape& shape, PatternSellMatrix<Value, Index>& to) {
  const std::int64_t size = std::int64_t{to.block} * to.block;
  PatternChunk next{};
  std::int64_t diagonals = 0;
  for (PatternChunk& chunk : to.chunk) {
    chunk.value = next.value;
    chunk.diagonal = next.diagonal;
    chunk.column = next.column;
    const std::int64_t here = std::int64_t{chunk.full} + chunk.partial;
    next.value += (here + chunk.gathered) * size * shape.chunk_rows;
    next.diagonal += here;
    next.column += std::int64_t{chunk.gathered} * shape.chunk_rows;
    diagonals += here;
  }
  to.value = Array<Value>(static_cast<std::size_t>(next.value));
  to.offset = Array<Index>(static_cast<std::size_t>(next.diagonal));
  to.mask = Array<std::uint32_t>(static_cast<std::size_t>(next.diagonal));
  to.column = Array<Index>(static_cast<std::size_t>(next.column) + kMaxAhead);
  std::fill(to.column.begin() + next.column, to.column.end(), Index{0});
  to.without_index = static_cast<std::size_t>(diagonals * size * shape.chunk_rows);
}

template <class Value, class Index>
void build(const Index* row_begin, const Index* columns, const Value* values, const Shape& shape,
           PatternSellMatrix<Value, Index>& to) {
  const std::int64_t chunks = (std::int64_t{to.rows} + shape.chunk_rows - 1) / shape.chunk_rows;
  to.chunk = Array<PatternChunk>(static_cast<std::size_t>(chunks));
  const auto diagonals = [&](std::int64_t c) {
    return Diagonals<Index>(row_begin, columns, to.rows, c * shape.chunk_rows, shape.chunk_rows);
  };
#pragma omp parallel for schedule(static)
  for (std::int64_t c = 0; c < chunks; ++c) {
    to.chunk[static_cast<std::size_t>(c)] = count(diagonals(c), shape);
  }
  lay_out(shape, to);
#pragma omp parallel for schedule(static)
  for (std::int64_t c = 0; c < chunks; ++c) {
    fill(diagonals(c), shape, columns, values, to.chunk[static_cast<std::size_t>(c)], to);
  }
}

}  // namespace

template <class Value, class Index>
PatternSellMatrix<Value, Index> to_pattern_sell(const CsrMatrix<Value, Index>& matrix,
                                                std::int32_t least) {
  PatternSellMatrix<Value, Index> result;
  result.rows = matrix.rows;
  result.columns = matrix.columns;
  result.useful = matrix.entries();
  build(matrix.row_begin.data(), matrix.column.data(), matrix.value.data(),
        Shape{32, ~std::uint32_t{0}, least}, result);
  return result;
}

template <class Value, class Index>
PatternSellMatrix<Value, Index> to_pattern_sell(const BcsrMatrix<Value, Index>& matrix,
                                                std::int32_t least) {
  PatternSellMatrix<Value, Index> result;
  result.rows = matrix.block_rows;
  result.columns = matrix.block_columns;
  result.block = matrix.block;
  result.useful = matrix.useful;
  build(matrix.row_begin.data(), matrix.column.data(), matrix.value.data(),
        Shape{16, 0xffff, least}, result);
  return result;
}

template PatternSellMatrix<double, std::int32_t> to_pattern_sell(
    const CsrMatrix<double, std::int32_t>&, std::int32_t);
template PatternSellMatrix<double, std::int32_t> to_pattern_sell(
    const BcsrMatrix<double, std::int32_t>&, std::int32_t);
template PatternSellMatrix<double, std::int64_t> to_pattern_sell(
    const CsrMatrix<double, std::int64_t>&, std::int32_t);
template PatternSellMatrix<double, std::int64_t> to_pattern_sell(
    const BcsrMatrix<double, std::int64_t>&, std::int32_t);
template PatternSellMatrix<float, std::int32_t> to_pattern_sell(
    const CsrMatrix<float, std::int32_t>&, std::int32_t);
template PatternSellMatrix<float, std::int32_t> to_pattern_sell(
    const BcsrMatrix<float, std::int32_t>&, std::int32_t);
template PatternSellMatrix<float, std::int64_t> to_pattern_sell(
    const CsrMatrix<float, std::int64_t>&, std::int32_t);
template PatternSellMatrix<float, std::int64_t> to_pattern_sell(
    const BcsrMatrix<float, std::int64_t>&, std::int32_t);

}  // namespace ridge::spmv
