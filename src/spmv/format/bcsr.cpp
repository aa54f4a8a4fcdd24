#include "spmv/format/bcsr.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <vector>

namespace ridge::spmv {
namespace {

/// The block columns that the rows of one block row have, ascending.
template <class Value, class Index>
void block_columns_of(const CsrMatrix<Value, Index>& matrix, std::int32_t block, std::size_t row,
                      std::vector<Index>& columns) {
  columns.clear();
  const auto first =
      static_cast<std::size_t>(matrix.row_begin[row * static_cast<std::size_t>(block)]);
  const auto last =
      static_cast<std::size_t>(matrix.row_begin[(row + 1) * static_cast<std::size_t>(block)]);
  for (std::size_t k = first; k < last; ++k) {
    const Index column = matrix.column[k] / block;
    if (columns.empty() || columns.back() != column) {
      columns.push_back(column);
    }
  }
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
}

template <class Value, class Index>
void fill_block_row(const CsrMatrix<Value, Index>& matrix, std::size_t row,
                    BcsrMatrix<Value, Index>& blocks) {
  const auto b = static_cast<std::size_t>(blocks.block);
  const Index* begin = blocks.column.data() + blocks.row_begin[row];
  const Index* end = blocks.column.data() + blocks.row_begin[row + 1];
  Value* values = blocks.value.data() + static_cast<std::size_t>(blocks.row_begin[row]) * b * b;
  std::fill(values, values + static_cast<std::size_t>(end - begin) * b * b, Value{0});
  for (std::size_t s = 0; s < b; ++s) {
    const Index* at = begin;
    for (auto k = static_cast<std::size_t>(matrix.row_begin[row * b + s]);
         k < static_cast<std::size_t>(matrix.row_begin[row * b + s + 1]); ++k) {
      const Index column = matrix.column[k] / blocks.block;
      while (*at != column) {
        ++at;
      }
      const auto t = static_cast<std::size_t>(matrix.column[k] % blocks.block);
      values[(static_cast<std::size_t>(at - begin) * b + s) * b + t] = matrix.value[k];
    }
  }
}

}  // namespace

template <class Value, class Index>
BcsrMatrix<Value, Index> to_bcsr(const CsrMatrix<Value, Index>& matrix, std::int32_t block) {
  assert(block >= 2 && block <= kLargestBlock);
  assert(matrix.rows % block == 0 && matrix.columns % block == 0);
  BcsrMatrix<Value, Index> blocks;
  blocks.block_rows = matrix.rows / block;
  blocks.block_columns = matrix.columns / block;
  blocks.block = block;
  blocks.useful = matrix.entries();
  const auto rows = static_cast<std::size_t>(blocks.block_rows);
  blocks.row_begin = Array<Index>(rows + 1, Index{0});
  const auto all = static_cast<std::int64_t>(rows);
#pragma omp parallel
  {
    std::vector<Index> columns;
#pragma omp for schedule(static)
    for (std::int64_t i = 0; i < all; ++i) {
      block_columns_of(matrix, block, static_cast<std::size_t>(i), columns);
      blocks.row_begin[static_cast<std::size_t>(i) + 1] = static_cast<Index>(columns.size());
    }
  }
  std::partial_sum(blocks.row_begin.begin(), blocks.row_begin.end(), blocks.row_begin.begin());
  const auto count = static_cast<std::size_t>(blocks.row_begin[rows]);
  blocks.column = Array<Index>(count);
  blocks.value =
      Array<Value>(count * static_cast<std::size_t>(block) * static_cast<std::size_t>(block));
#pragma omp parallel
  {
    std::vector<Index> columns;
#pragma omp for schedule(static)
    for (std::int64_t i = 0; i < all; ++i) {
      const auto row = static_cast<std::size_t>(i);
      block_columns_of(matrix, block, row, columns);
      std::copy(columns.begin(), columns.end(), blocks.column.data() + blocks.row_begin[row]);
      fill_block_row(matrix, row, blocks);
    }
  }
  return blocks;
}

template <class Value, class Index>
double block_fill(const CsrMatrix<Value, Index>& matrix, std::int32_t block) {
  if (matrix.rows % block != 0 || matrix.columns % block != 0 || matrix.entries() == 0) {
    return 0;
  }
  constexpr std::size_t kSample = 4096;
  const auto rows = static_cast<std::size_t>(matrix.rows / block);
  const std::size_t step = std::max<std::size_t>(1, rows / kSample);
  std::vector<Index> columns;
  double entries = 0;
  double blocks = 0;
  for (std::size_t i = 0; i < rows; i += step) {
    block_columns_of(matrix, block, i, columns);
    const std::size_t row = i * static_cast<std::size_t>(block);
    entries += static_cast<double>(matrix.row_begin[row + static_cast<std::size_t>(block)] -
                                   matrix.row_begin[row]);
    blocks += static_cast<double>(columns.size());
  }
  return blocks == 0 ? 0 : entries / (blocks * block * block);
}

template <class Value, class Index>
std::int32_t find_block(const CsrMatrix<Value, Index>& matrix, double least_fill) {
  for (std::int32_t block = kLargestBlock; block > 1; --block) {
    if (block_fill(matrix, block) >= least_fill) {
      return block;
    }
  }
  return 1;
}

template BcsrMatrix<double, std::int32_t> to_bcsr(const CsrMatrix<double, std::int32_t>&,
                                                  std::int32_t);
template double block_fill(const CsrMatrix<double, std::int32_t>&, std::int32_t);
template std::int32_t find_block(const CsrMatrix<double, std::int32_t>&, double);
template BcsrMatrix<double, std::int64_t> to_bcsr(const CsrMatrix<double, std::int64_t>&,
                                                  std::int32_t);
template double block_fill(const CsrMatrix<double, std::int64_t>&, std::int32_t);
template std::int32_t find_block(const CsrMatrix<double, std::int64_t>&, double);
template BcsrMatrix<float, std::int32_t> to_bcsr(const CsrMatrix<float, std::int32_t>&,
                                                 std::int32_t);
template double block_fill(const CsrMatrix<float, std::int32_t>&, std::int32_t);
template std::int32_t find_block(const CsrMatrix<float, std::int32_t>&, double);
template BcsrMatrix<float, std::int64_t> to_bcsr(const CsrMatrix<float, std::int64_t>&,
                                                 std::int32_t);
template double block_fill(const CsrMatrix<float, std::int64_t>&, std::int32_t);
template std::int32_t find_block(const CsrMatrix<float, std::int64_t>&, double);

}  // namespace ridge::spmv
