#include "spmv/matrix/csr.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace ridge::spmv {
namespace {

template <class Value, class Index>
Result<void> check(const CooMatrix<Value, Index>& entries) {
  if (entries.row.size() != entries.entries() || entries.column.size() != entries.entries()) {
    return fail(ErrorCode::bad_input,
                fmt::format("{} rows, {} columns and {} values are no list of entries",
                            entries.row.size(), entries.column.size(), entries.entries()));
  }
  if (entries.rows < 0 || entries.columns < 0) {
    return fail(ErrorCode::bad_input,
                fmt::format("{} x {} is no size of a matrix", entries.rows, entries.columns));
  }
  if (entries.entries() > static_cast<std::size_t>(std::numeric_limits<Index>::max())) {
    return fail(ErrorCode::bad_input,
                fmt::format("{} entries are more than an index of {} bit counts", entries.entries(),
                            8 * sizeof(Index)),
                "Use indices of 64 bit.");
  }
  for (std::size_t k = 0; k < entries.entries(); ++k) {
    const Index i = entries.row[k];
    const Index j = entries.column[k];
    if (i < 0 || i >= entries.rows || j < 0 || j >= entries.columns) {
      return fail(ErrorCode::bad_input,
                  fmt::format("entry {} at ({}, {}), counted from 0, is outside the {} x {} matrix",
                              k, i, j, entries.rows, entries.columns));
    }
  }
  return {};
}

/// Where each row begins if `row` says of each entry which row it is in.
template <class Index>
Array<Index> begins(const Array<Index>& row, Index rows) {
  Array<Index> begin(static_cast<std::size_t>(rows) + 1, Index{0});
  for (const Index i : row) {
    ++begin[static_cast<std::size_t>(i) + 1];
  }
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  return begin;
}

template <class Index>
bool ascends(const Index* first, const Index* last) {
  return std::adjacent_find(first, last, std::greater_equal<>()) == last;
}

/// Sorts the row by columns and adds up equal ones; returns how many are left.
template <class Value, class Index>
std::size_t tidy_row(Index* column, Value* value, std::size_t size,
                     std::vector<std::pair<Index, Value>>& room) {
  if (ascends(column, column + size)) {
    return size;
  }
  room.clear();
  for (std::size_t k = 0; k < size; ++k) {
    room.emplace_back(column[k], value[k]);
  }
  std::stable_sort(room.begin(), room.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::size_t left = 0;
  for (const auto& [at, what] : room) {
    if (left != 0 && column[left - 1] == at) {
      value[left - 1] += what;
    } else {
      column[left] = at;
      value[left] = what;
      ++left;
    }
  }
  return left;
}

template <class Value, class Index>
void tidy(CsrMatrix<Value, Index>& matrix) {
  std::vector<std::pair<Index, Value>> room;
  std::size_t end = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(matrix.rows); ++i) {
    const auto next = static_cast<std::size_t>(matrix.row_begin[i + 1]);
    const std::size_t left =
        tidy_row(matrix.column.data() + begin, matrix.value.data() + begin, next - begin, room);
    if (end != begin) {
      std::copy_n(matrix.column.data() + begin, left, matrix.column.data() + end);
      std::copy_n(matrix.value.data() + begin, left, matrix.value.data() + end);
    }
    end += left;
    begin = next;
    matrix.row_begin[i + 1] = static_cast<Index>(end);
  }
  matrix.column.shorten(end);
  matrix.value.shorten(end);
}

}  // namespace

template <class Value, class Index>
Result<CsrMatrix<Value, Index>> from_coordinates(const CooMatrix<Value, Index>& entries) {
  if (auto checked = check(entries); !checked) {
    return tl::make_unexpected(checked.error());
  }
  CsrMatrix<Value, Index> matrix;
  matrix.rows = entries.rows;
  matrix.columns = entries.columns;
  matrix.row_begin = begins(entries.row, entries.rows);
  matrix.column = Array<Index>(entries.entries());
  matrix.value = Array<Value>(entries.entries());
  std::vector<Index> next(matrix.row_begin.begin(), matrix.row_begin.end());
  for (std::size_t k = 0; k < entries.entries(); ++k) {
    const auto to = static_cast<std::size_t>(next[static_cast<std::size_t>(entries.row[k])]++);
    matrix.column[to] = entries.column[k];
    matrix.value[to] = entries.value[k];
  }
  tidy(matrix);
  return matrix;
}

template <class Value, class Index>
CooMatrix<Value, Index> to_coordinates(const CsrMatrix<Value, Index>& matrix) {
  CooMatrix<Value, Index> entries;
  entries.rows = matrix.rows;
  entries.columns = matrix.columns;
  entries.row = Array<Index>(matrix.entries());
  for (Index i = 0; i < matrix.rows; ++i) {
    const auto row = static_cast<std::size_t>(i);
    std::fill(entries.row.data() + matrix.row_begin[row],
              entries.row.data() + matrix.row_begin[row + 1], i);
  }
  entries.column = matrix.column.clone();
  entries.value = matrix.value.clone();
  return entries;
}

template <class Value, class Index>
CsrMatrix<Value, Index> transpose(const CsrMatrix<Value, Index>& matrix) {
  CsrMatrix<Value, Index> result;
  result.rows = matrix.columns;
  result.columns = matrix.rows;
  result.row_begin = begins(matrix.column, matrix.columns);
  result.column = Array<Index>(matrix.entries());
  result.value = Array<Value>(matrix.entries());
  std::vector<Index> next(result.row_begin.begin(), result.row_begin.end());
  for (Index i = 0; i < matrix.rows; ++i) {
    const auto row = static_cast<std::size_t>(i);
    for (auto k = static_cast<std::size_t>(matrix.row_begin[row]);
         k < static_cast<std::size_t>(matrix.row_begin[row + 1]); ++k) {
      const auto to = static_cast<std::size_t>(next[static_cast<std::size_t>(matrix.column[k])]++);
      result.column[to] = i;
      result.value[to] = matrix.value[k];
    }
  }
  return result;
}

template Result<CsrMatrix<double, std::int32_t>> from_coordinates(
    const CooMatrix<double, std::int32_t>&);
template CooMatrix<double, std::int32_t> to_coordinates(const CsrMatrix<double, std::int32_t>&);
template CsrMatrix<double, std::int32_t> transpose(const CsrMatrix<double, std::int32_t>&);
template Result<CsrMatrix<double, std::int64_t>> from_coordinates(
    const CooMatrix<double, std::int64_t>&);
template CooMatrix<double, std::int64_t> to_coordinates(const CsrMatrix<double, std::int64_t>&);
template CsrMatrix<double, std::int64_t> transpose(const CsrMatrix<double, std::int64_t>&);
template Result<CsrMatrix<float, std::int32_t>> from_coordinates(
    const CooMatrix<float, std::int32_t>&);
template CooMatrix<float, std::int32_t> to_coordinates(const CsrMatrix<float, std::int32_t>&);
template CsrMatrix<float, std::int32_t> transpose(const CsrMatrix<float, std::int32_t>&);
template Result<CsrMatrix<float, std::int64_t>> from_coordinates(
    const CooMatrix<float, std::int64_t>&);
template CooMatrix<float, std::int64_t> to_coordinates(const CsrMatrix<float, std::int64_t>&);
template CsrMatrix<float, std::int64_t> transpose(const CsrMatrix<float, std::int64_t>&);

}  // namespace ridge::spmv
