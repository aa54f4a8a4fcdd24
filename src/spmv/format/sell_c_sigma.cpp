#include "spmv/format/sell_c_sigma.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

namespace ridge::spmv {
namespace {

/// Rows in the order in which they stand in the chunks.
template <class Value, class Index>
std::vector<Index> sorted_rows(const CsrMatrix<Value, Index>& matrix, std::int64_t sigma) {
  std::vector<Index> order(static_cast<std::size_t>(matrix.rows));
  std::iota(order.begin(), order.end(), Index{0});
  if (sigma <= 1) {
    return order;
  }
  const auto window = static_cast<std::size_t>(
      std::min(sigma, std::max<std::int64_t>(std::int64_t{matrix.rows}, 1)));
  for (std::size_t first = 0; first < order.size(); first += window) {
    const std::size_t last = std::min(order.size(), first + window);
    std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(first),
                     order.begin() + static_cast<std::ptrdiff_t>(last),
                     [&](Index a, Index b) { return matrix.row_size(a) > matrix.row_size(b); });
  }
  return order;
}

template <class Value, class Index>
Array<std::int64_t> chunk_begins(const CsrMatrix<Value, Index>& matrix,
                                 const std::vector<Index>& order, std::int32_t chunk_rows) {
  const auto rows = static_cast<std::size_t>(chunk_rows);
  const std::size_t chunks = (order.size() + rows - 1) / rows;
  Array<std::int64_t> begin(chunks + 1, 0);
  for (std::size_t c = 0; c < chunks; ++c) {
    Index longest = 0;
    for (std::size_t i = c * rows; i < std::min(order.size(), (c + 1) * rows); ++i) {
      longest = std::max(longest, matrix.row_size(order[i]));
    }
    begin[c + 1] = begin[c] + std::int64_t{longest} * chunk_rows;
  }
  return begin;
}

/// One row of a chunk: its entries, then 0 times a column that it has.
template <class Value, class Index>
void fill_row(const CsrMatrix<Value, Index>& matrix, Index row, std::int64_t place,
              std::int64_t end, SellMatrix<Value, Index>& sell) {
  const auto begin = static_cast<std::size_t>(matrix.row_begin[static_cast<std::size_t>(row)]);
  const auto size = static_cast<std::size_t>(matrix.row_size(row));
  for (std::size_t k = 0; place < end; ++k, place += sell.chunk_rows) {
    const auto at = static_cast<std::size_t>(place);
    sell.value[at] = k < size ? matrix.value[begin + k] : Value{0};
    sell.column[at] = size == 0 ? Index{0} : matrix.column[begin + std::min(k, size - 1)];
  }
}

}  // namespace

template <class Value, class Index>
SellView<Value, Index> SellMatrix<Value, Index>::view() const {
  return {.rows = rows,
          .chunk_rows = chunk_rows,
          .chunk_begin = chunk_begin.data(),
          .column = column.data(),
          .value = value.data(),
          .row_of = row_of.empty() ? nullptr : row_of.data(),
          .short_column = short_column.empty() ? nullptr : short_column.data(),
          .base = base.empty() ? nullptr : base.data()};
}

template <class Value, class Index>
SellMatrix<Value, Index> to_sell(const CsrMatrix<Value, Index>& matrix, std::int32_t chunk_rows,
                                 std::int64_t sigma) {
  const std::vector<Index> order = sorted_rows(matrix, sigma);
  SellMatrix<Value, Index> sell;
  sell.rows = matrix.rows;
  sell.columns = matrix.columns;
  sell.chunk_rows = chunk_rows;
  sell.sigma = sigma;
  sell.useful = matrix.entries();
  sell.chunk_begin = chunk_begins(matrix, order, chunk_rows);
  const auto stored = static_cast<std::size_t>(sell.stored());
  sell.value = Array<Value>(stored);
  sell.column = Array<Index>(stored + kMaxAhead);
  std::fill(sell.column.begin() + stored, sell.column.end(), Index{0});
  const std::int64_t chunks = sell.chunks();
  const auto rows = static_cast<std::int64_t>(order.size());
#pragma omp parallel for schedule(static)
  for (std::int64_t c = 0; c < chunks; ++c) {
    for (std::int64_t lane = 0; lane < chunk_rows; ++lane) {
      const std::int64_t begin = sell.chunk_begin[static_cast<std::size_t>(c)] + lane;
      const std::int64_t end = sell.chunk_begin[static_cast<std::size_t>(c) + 1];
      const std::int64_t i = c * chunk_rows + lane;
      if (i < rows) {
        fill_row(matrix, order[static_cast<std::size_t>(i)], begin, end, sell);
        continue;
      }
      for (std::int64_t place = begin; place < end; place += chunk_rows) {
        sell.value[static_cast<std::size_t>(place)] = 0;
        sell.column[static_cast<std::size_t>(place)] = 0;
      }
    }
  }
  if (sigma > 1) {
    sell.row_of = Array<Index>(order.size());
    std::copy(order.begin(), order.end(), sell.row_of.begin());
  }
  return sell;
}

template <class Value, class Index>
double sell_padding(const CsrMatrix<Value, Index>& matrix, std::int32_t chunk_rows,
                    std::int64_t sigma) {
  const auto begins = chunk_begins(matrix, sorted_rows(matrix, sigma), chunk_rows);
  return matrix.entries() == 0 ? 1
                               : static_cast<double>(begins[begins.size() - 1]) /
                                     static_cast<double>(matrix.entries());
}

template <class Value, class Index>
void add_short_indices(SellMatrix<Value, Index>& matrix) {
  const std::int64_t chunks = matrix.chunks();
  matrix.base = Array<Index>(static_cast<std::size_t>(chunks));
  matrix.short_column = Array<std::uint16_t>(matrix.column.size());
  std::fill(matrix.short_column.begin() + matrix.stored(), matrix.short_column.end(), 0);
#pragma omp parallel for schedule(static)
  for (std::int64_t c = 0; c < chunks; ++c) {
    const Index* begin = matrix.column.data() + matrix.chunk_begin[static_cast<std::size_t>(c)];
    const Index* end = matrix.column.data() + matrix.chunk_begin[static_cast<std::size_t>(c) + 1];
    std::uint16_t* to =
        matrix.short_column.data() + matrix.chunk_begin[static_cast<std::size_t>(c)];
    const auto [least, greatest] = std::minmax_element(begin, end);
    const bool fits =
        begin != end && *greatest - *least <= std::numeric_limits<std::uint16_t>::max();
    const Index base = fits ? *least : Index{0};
    for (const Index* at = begin; at != end; ++at, ++to) {
      *to = fits ? static_cast<std::uint16_t>(*at - base) : std::uint16_t{0};
    }
    matrix.base[static_cast<std::size_t>(c)] = fits ? base : Index{-1};
  }
}

template struct SellMatrix<double, std::int32_t>;
template SellMatrix<double, std::int32_t> to_sell(const CsrMatrix<double, std::int32_t>&,
                                                  std::int32_t, std::int64_t);
template double sell_padding(const CsrMatrix<double, std::int32_t>&, std::int32_t, std::int64_t);
template void add_short_indices(SellMatrix<double, std::int32_t>&);
template struct SellMatrix<double, std::int64_t>;
template SellMatrix<double, std::int64_t> to_sell(const CsrMatrix<double, std::int64_t>&,
                                                  std::int32_t, std::int64_t);
template double sell_padding(const CsrMatrix<double, std::int64_t>&, std::int32_t, std::int64_t);
template void add_short_indices(SellMatrix<double, std::int64_t>&);
template struct SellMatrix<float, std::int32_t>;
template SellMatrix<float, std::int32_t> to_sell(const CsrMatrix<float, std::int32_t>&,
                                                 std::int32_t, std::int64_t);
template double sell_padding(const CsrMatrix<float, std::int32_t>&, std::int32_t, std::int64_t);
template void add_short_indices(SellMatrix<float, std::int32_t>&);
template struct SellMatrix<float, std::int64_t>;
template SellMatrix<float, std::int64_t> to_sell(const CsrMatrix<float, std::int64_t>&,
                                                 std::int32_t, std::int64_t);
template double sell_padding(const CsrMatrix<float, std::int64_t>&, std::int32_t, std::int64_t);
template void add_short_indices(SellMatrix<float, std::int64_t>&);

}  // namespace ridge::spmv
