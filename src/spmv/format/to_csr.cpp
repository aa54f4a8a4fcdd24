#include "spmv/format/to_csr.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include <fmt/format.h>

namespace ridge::spmv {
namespace {

enum class Kind {
  entry,
  zero_of_block,  ///< a +0 in a block: an entry, or filling
  alone,          ///< a +0 where padding without an entry would be
};

template <class Value, class Index>
struct Found {
  Index column;
  Value value;
  Kind kind;
};
template <class Value, class Index>
using Row = std::vector<Found<Value, Index>>;

template <class Value>
bool is_plus_zero(Value value) {
  return value == 0 && !std::signbit(value);
}

/// Which of the doubtful ones are entries, so that there are as many as the format was made from.
struct Census {
  std::size_t entries = 0;
  std::size_t zeros_of_blocks = 0;
  std::size_t alone = 0;

  [[nodiscard]] bool keeps(Kind kind, std::size_t useful) const {
    const bool both = entries + zeros_of_blocks + alone == useful;
    return kind == Kind::entry || both ||
           (kind == Kind::zero_of_block && entries + zeros_of_blocks == useful);
  }
};

/// `read(place, row)` fills the row with what stands in a place and returns its number; places are
/// those of all rows, in any order. Called twice for each.
template <class Value, class Index, class Read>
CsrMatrix<Value, Index> collect(Index rows, Index columns, std::size_t useful, const Read& read) {
  CsrMatrix<Value, Index> result;
  result.rows = rows;
  result.columns = columns;
  result.row_begin = Array<Index>(static_cast<std::size_t>(rows) + 1, Index{0});
  const auto places = static_cast<std::int64_t>(rows);
  std::size_t counts[3] = {0, 0, 0};
#pragma omp parallel
  {
    Row<Value, Index> row;
#pragma omp for schedule(static) reduction(+ : counts[ : 3])
    for (std::int64_t place = 0; place < places; ++place) {
      row.clear();
      read(place, row);
      for (const auto& found : row) {
        ++counts[static_cast<std::size_t>(found.kind)];
      }
    }
  }
  const Census census{counts[0], counts[1], counts[2]};
  const auto drop = [&](Row<Value, Index>& row) {
    std::erase_if(row, [&](const auto& found) { return !census.keeps(found.kind, useful); });
  };
#pragma omp parallel
  {
    Row<Value, Index> row;
#pragma omp for schedule(static)
    for (std::int64_t place = 0; place < places; ++place) {
      row.clear();
      const auto i = static_cast<std::size_t>(read(place, row));
      drop(row);
      result.row_begin[i + 1] = static_cast<Index>(row.size());
    }
  }
  std::partial_sum(result.row_begin.begin(), result.row_begin.end(), result.row_begin.begin());
  const auto entries = static_cast<std::size_t>(result.row_begin[static_cast<std::size_t>(rows)]);
  result.column = Array<Index>(entries);
  result.value = Array<Value>(entries);
#pragma omp parallel
  {
    Row<Value, Index> row;
#pragma omp for schedule(static)
    for (std::int64_t place = 0; place < places; ++place) {
      row.clear();
      const auto i = static_cast<std::size_t>(read(place, row));
      drop(row);
      std::sort(row.begin(), row.end(),
                [](const auto& a, const auto& b) { return a.column < b.column; });
      auto to = static_cast<std::size_t>(result.row_begin[i]);
      for (const auto& found : row) {
        result.column[to] = found.column;
        result.value[to] = found.value;
        ++to;
      }
    }
  }
  return result;
}

/// Entries side by side with those of other rows: at first, first + step ... `column_at(k)` and
/// `value_at(k)` of the k-th. Columns ascend; padding repeats the last, and is +0 in column 0 if
/// the row has none.
template <class Value, class Index, class ColumnAt, class ValueAt>
void read_padded(std::int64_t width, const ColumnAt& column_at, const ValueAt& value_at,
                 Row<Value, Index>& row) {
  for (std::int64_t k = 0; k < width; ++k) {
    const Index column = column_at(k);
    if (k > 0 && column == column_at(k - 1)) {
      return;
    }
    const Value value = value_at(k);
    const bool alone =
        k == 0 && column == 0 && is_plus_zero(value) && (width == 1 || column_at(1) == 0);
    row.push_back({column, value, alone ? Kind::alone : Kind::entry});
  }
}

/// `column_at(chunk, k)`: of the k-th stored value of all.
template <class Value, class Index, class ColumnAt>
CsrMatrix<Value, Index> from_sell(const SellMatrix<Value, Index>& a, const ColumnAt& column_at) {
  return collect<Value>(a.rows, a.columns, a.useful, [&](std::int64_t place, auto& row) {
    const std::int64_t chunk = place / a.chunk_rows;
    const std::int64_t begin = a.chunk_begin[static_cast<std::size_t>(chunk)];
    const std::int64_t width =
        (a.chunk_begin[static_cast<std::size_t>(chunk) + 1] - begin) / a.chunk_rows;
    const auto at = [&](std::int64_t k) {
      return static_cast<std::size_t>(begin + place % a.chunk_rows + k * a.chunk_rows);
    };
    read_padded<Value, Index>(
        width, [&](std::int64_t k) { return column_at(static_cast<std::size_t>(chunk), at(k)); },
        [&](std::int64_t k) { return a.value[at(k)]; }, row);
    return a.row_of.empty() ? static_cast<Index>(place) : a.row_of[static_cast<std::size_t>(place)];
  });
}

/// One row of a chunk of single entries: diagonals, then the rest.
template <class Value, class Index>
void read_pattern_row(const PatternSellMatrix<Value, Index>& a, std::int64_t i,
                      Row<Value, Index>& row) {
  constexpr std::int64_t kRows = 32;
  const PatternChunk& chunk = a.chunk[static_cast<std::size_t>(i / kRows)];
  const std::int64_t lane = i % kRows;
  const PatternShape& shape = a.shape[static_cast<std::size_t>(chunk.shape)];
  const std::int64_t diagonals = shape.diagonals;
  const auto value_at = [&](std::int64_t k) {
    return a.value[static_cast<std::size_t>(chunk.value + k * kRows + lane)];
  };
  bool has_first_column = false;
  for (std::int64_t d = 0; d < diagonals; ++d) {
    const auto at = static_cast<std::size_t>(shape.diagonal + d);
    if ((a.mask[at] >> lane & 1U) != 0) {
      const auto column = static_cast<Index>(i + a.offset[at]);
      has_first_column |= column == 0;
      row.push_back({column, value_at(d), Kind::entry});
    }
  }
  read_padded<Value, Index>(
      chunk.gathered,
      [&](std::int64_t k) {
        return a.column[static_cast<std::size_t>(chunk.column + k * kRows + lane)];
      },
      [&](std::int64_t k) { return value_at(diagonals + k); }, row);
  if (has_first_column && row.back().kind == Kind::alone) {
    row.pop_back();  // a row has column 0 once
  }
}

/// Row `s` of the block that begins at block column `column`; `value_at(t)` of its column t.
template <class Value, class Index, class ValueAt>
void read_block(Index column, std::int32_t block, Kind zero, const ValueAt& value_at,
                Row<Value, Index>& row) {
  for (std::int32_t t = 0; t < block; ++t) {
    const Value value = value_at(t);
    row.push_back({column * block + t, value, is_plus_zero(value) ? zero : Kind::entry});
  }
}

/// The same of a chunk of dense blocks.
template <class Value, class Index>
void read_blocked_row(const PatternSellMatrix<Value, Index>& a, std::int64_t i,
                      Row<Value, Index>& row) {
  constexpr std::int64_t kRows = 16;
  const std::int64_t block_row = i / a.block;
  const std::int64_t s = i % a.block;
  const PatternChunk& chunk = a.chunk[static_cast<std::size_t>(block_row / kRows)];
  const std::int64_t lane = block_row % kRows;
  const PatternShape& shape = a.shape[static_cast<std::size_t>(chunk.shape)];
  const std::int64_t diagonals = shape.diagonals;
  const auto value_at = [&](std::int64_t k, std::int64_t row_of_block, std::int64_t t) {
    return a.value[static_cast<std::size_t>(
        chunk.value + ((k * a.block + t) * a.block + row_of_block) * kRows + lane)];
  };
  bool has_first_column = false;
  for (std::int64_t d = 0; d < diagonals; ++d) {
    const auto at = static_cast<std::size_t>(shape.diagonal + d);
    if ((a.mask[at] >> lane & 1U) != 0) {
      const auto column = static_cast<Index>(block_row + a.offset[at]);
      has_first_column |= column == 0;
      read_block(
          column, a.block, Kind::zero_of_block, [&](std::int32_t t) { return value_at(d, s, t); },
          row);
    }
  }
  const auto column_at = [&](std::int64_t k) {
    return a.column[static_cast<std::size_t>(chunk.column + k * kRows + lane)];
  };
  // Whether the block is zero, so that it may be padding of a row of blocks without a rest.
  const auto is_zero = [&](std::int64_t k) {
    bool zero = true;
    for (std::int64_t p = 0; p < std::int64_t{a.block} * a.block; ++p) {
      zero = zero && is_plus_zero(value_at(k, p / a.block, p % a.block));
    }
    return zero;
  };
  for (std::int64_t k = 0; k < chunk.gathered; ++k) {
    if (k > 0 && column_at(k) == column_at(k - 1)) {
      return;
    }
    const bool alone = k == 0 && column_at(0) == 0 && (chunk.gathered == 1 || column_at(1) == 0) &&
                       is_zero(diagonals);
    if (alone && has_first_column) {
      return;
    }
    read_block(
        column_at(k), a.block, alone ? Kind::alone : Kind::zero_of_block,
        [&](std::int32_t t) { return value_at(diagonals + k, s, t); }, row);
  }
}

}  // namespace

template <class Value, class Index>
CsrMatrix<Value, Index> to_csr(const SellMatrix<Value, Index>& matrix) {
  return from_sell(matrix, [&](std::size_t chunk, std::size_t k) {
    const bool is_short = !matrix.base.empty() && matrix.base[chunk] >= 0;
    return is_short ? static_cast<Index>(matrix.base[chunk] + matrix.short_column[k])
                    : matrix.column[k];
  });
}

template <class Value, class Index>
CsrMatrix<Value, Index> to_csr(const BinnedMatrix<Value, Index>& matrix) {
  CooMatrix<Value, Index> entries;
  entries.rows = matrix.rows;
  entries.columns = matrix.columns;
  entries.row = Array<Index>(matrix.useful);
  entries.column = Array<Index>(matrix.useful);
  entries.value = Array<Value>(matrix.useful);
  std::size_t next = 0;
  for (std::int64_t piece = 0; piece < matrix.pieces(); ++piece) {
    const auto p = static_cast<std::size_t>(piece);
    const auto begin = static_cast<std::size_t>(matrix.piece_begin[p]);
    const auto end = static_cast<std::size_t>(matrix.piece_begin[p + 1]);
    const auto products = static_cast<std::size_t>(matrix.product_begin[p]);
    const std::int64_t column = (piece / matrix.bins) << matrix.strip_bits;
    const std::int64_t row = (piece % matrix.bins) << matrix.bin_bits;
    for (std::size_t k = begin; k < end; ++k) {
      const std::size_t q = products + (k - begin);
      if (k > begin && matrix.column[k] == matrix.column[k - 1] &&
          matrix.row[q] == matrix.row[q - 1]) {
        break;  // padding repeats the last entry's place
      }
      entries.row[next] = static_cast<Index>(row + matrix.row[q]);
      entries.column[next] = static_cast<Index>(column + matrix.column[k]);
      entries.value[next++] = matrix.value[k];
    }
  }
  return std::move(*from_coordinates(entries));
}

template <class Value, class Index>
CsrMatrix<Value, Index> to_csr(const GatherBlockedMatrix<Value, Index>& matrix) {
  std::vector<std::size_t> block_of(static_cast<std::size_t>(matrix.sell.chunks()));
  for (std::size_t b = 0; b < static_cast<std::size_t>(matrix.blocks()); ++b) {
    std::fill(block_of.begin() + matrix.block_begin[b],
              block_of.begin() + matrix.block_begin[b + 1], b);
  }
  return from_sell(matrix.sell, [&](std::size_t chunk, std::size_t k) {
    const std::int64_t needed = matrix.needed_begin[block_of[chunk]];
    return needed == matrix.needed_begin[block_of[chunk] + 1]
               ? matrix.sell.column[k]
               : matrix.needed[static_cast<std::size_t>(needed) + matrix.local[k]];
  });
}

template <class Value, class Index>
CsrMatrix<Value, Index> to_csr(const PatternSellMatrix<Value, Index>& matrix) {
  const auto block = static_cast<Index>(matrix.block);
  return collect<Value>(static_cast<Index>(matrix.rows * block),
                        static_cast<Index>(matrix.columns * block), matrix.useful,
                        [&](std::int64_t i, auto& row) {
                          if (matrix.block == 1) {
                            read_pattern_row(matrix, i, row);
                          } else {
                            read_blocked_row(matrix, i, row);
                          }
                          return static_cast<Index>(i);
                        });
}

template <class Value, class Index>
CsrMatrix<Value, Index> to_csr(const BcsrMatrix<Value, Index>& matrix) {
  const auto block = static_cast<Index>(matrix.block);
  return collect<Value>(
      static_cast<Index>(matrix.block_rows * block),
      static_cast<Index>(matrix.block_columns * block), matrix.useful,
      [&](std::int64_t i, auto& row) {
        const auto at = static_cast<std::size_t>(i / block);
        for (auto k = static_cast<std::int64_t>(matrix.row_begin[at]);
             k < static_cast<std::int64_t>(matrix.row_begin[at + 1]); ++k) {
          const Value* values = matrix.value.data() + (k * block + i % block) * block;
          read_block(
              matrix.column[static_cast<std::size_t>(k)], matrix.block, Kind::zero_of_block,
              [&](std::int32_t t) { return values[t]; }, row);
        }
        return static_cast<Index>(i);
      });
}

template <class Value, class Index>
Result<CsrMatrix<Value, Index>> from_upper_triangle(const CsrMatrix<Value, Index>& upper) {
  if (upper.rows != upper.columns) {
    return fail(ErrorCode::bad_input,
                fmt::format("a {} x {} matrix is no triangle of a symmetric one", upper.rows,
                            upper.columns));
  }
  const auto rows = static_cast<std::size_t>(upper.rows);
  std::vector<std::int64_t> begin(rows + 1, 0);
  for (std::size_t i = 0; i < rows; ++i) {
    begin[i + 1] += upper.row_size(static_cast<Index>(i));
    for (auto k = static_cast<std::size_t>(upper.row_begin[i]);
         k < static_cast<std::size_t>(upper.row_begin[i + 1]); ++k) {
      const auto j = static_cast<std::size_t>(upper.column[k]);
      if (j < i) {
        return fail(ErrorCode::bad_input,
                    fmt::format("the entry at ({}, {}), counted from 0, is below the diagonal", i,
                                upper.column[k]),
                    "Take upper_triangle() of the matrix first.");
      }
      begin[j + 1] += static_cast<std::int64_t>(j != i);
    }
  }
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  if (begin[rows] > std::int64_t{std::numeric_limits<Index>::max()}) {
    return fail(ErrorCode::bad_input,
                fmt::format("{} entries are more than an index of {} bit counts", begin[rows],
                            8 * sizeof(Index)),
                "Use indices of 64 bit.");
  }
  CsrMatrix<Value, Index> result;
  result.rows = upper.rows;
  result.columns = upper.columns;
  result.row_begin = Array<Index>(rows + 1);
  std::transform(begin.begin(), begin.end(), result.row_begin.begin(),
                 [](std::int64_t at) { return static_cast<Index>(at); });
  result.column = Array<Index>(static_cast<std::size_t>(begin[rows]));
  result.value = Array<Value>(static_cast<std::size_t>(begin[rows]));
  // Rows in order: what is mirrored into a row comes in ascending order and before its own entries.
  const auto put = [&](std::size_t row, std::size_t column, Value value) {
    const auto at = static_cast<std::size_t>(begin[row]++);
    result.column[at] = static_cast<Index>(column);
    result.value[at] = value;
  };
  for (std::size_t i = 0; i < rows; ++i) {
    for (auto k = static_cast<std::size_t>(upper.row_begin[i]);
         k < static_cast<std::size_t>(upper.row_begin[i + 1]); ++k) {
      const auto j = static_cast<std::size_t>(upper.column[k]);
      put(i, j, upper.value[k]);
      if (j != i) {
        put(j, i, upper.value[k]);
      }
    }
  }
  return result;
}

template CsrMatrix<double, std::int32_t> to_csr(const SellMatrix<double, std::int32_t>&);
template CsrMatrix<double, std::int32_t> to_csr(const GatherBlockedMatrix<double, std::int32_t>&);
template CsrMatrix<double, std::int32_t> to_csr(const PatternSellMatrix<double, std::int32_t>&);
template CsrMatrix<double, std::int32_t> to_csr(const BcsrMatrix<double, std::int32_t>&);
template CsrMatrix<double, std::int32_t> to_csr(const BinnedMatrix<double, std::int32_t>&);
template Result<CsrMatrix<double, std::int32_t>> from_upper_triangle(
    const CsrMatrix<double, std::int32_t>&);
template CsrMatrix<double, std::int64_t> to_csr(const SellMatrix<double, std::int64_t>&);
template CsrMatrix<double, std::int64_t> to_csr(const GatherBlockedMatrix<double, std::int64_t>&);
template CsrMatrix<double, std::int64_t> to_csr(const PatternSellMatrix<double, std::int64_t>&);
template CsrMatrix<double, std::int64_t> to_csr(const BcsrMatrix<double, std::int64_t>&);
template CsrMatrix<double, std::int64_t> to_csr(const BinnedMatrix<double, std::int64_t>&);
template Result<CsrMatrix<double, std::int64_t>> from_upper_triangle(
    const CsrMatrix<double, std::int64_t>&);
template CsrMatrix<float, std::int32_t> to_csr(const SellMatrix<float, std::int32_t>&);
template CsrMatrix<float, std::int32_t> to_csr(const GatherBlockedMatrix<float, std::int32_t>&);
template CsrMatrix<float, std::int32_t> to_csr(const PatternSellMatrix<float, std::int32_t>&);
template CsrMatrix<float, std::int32_t> to_csr(const BcsrMatrix<float, std::int32_t>&);
template CsrMatrix<float, std::int32_t> to_csr(const BinnedMatrix<float, std::int32_t>&);
template Result<CsrMatrix<float, std::int32_t>> from_upper_triangle(
    const CsrMatrix<float, std::int32_t>&);
template CsrMatrix<float, std::int64_t> to_csr(const SellMatrix<float, std::int64_t>&);
template CsrMatrix<float, std::int64_t> to_csr(const GatherBlockedMatrix<float, std::int64_t>&);
template CsrMatrix<float, std::int64_t> to_csr(const PatternSellMatrix<float, std::int64_t>&);
template CsrMatrix<float, std::int64_t> to_csr(const BcsrMatrix<float, std::int64_t>&);
template CsrMatrix<float, std::int64_t> to_csr(const BinnedMatrix<float, std::int64_t>&);
template Result<CsrMatrix<float, std::int64_t>> from_upper_triangle(
    const CsrMatrix<float, std::int64_t>&);

}  // namespace ridge::spmv
