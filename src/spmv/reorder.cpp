#include "spmv/reorder.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "spmv/generators.hpp"

namespace ridge::spmv {
namespace {

/// Neighbours without the diagonal.
template <class Index>
struct Graph {
  std::vector<std::size_t> begin;
  std::vector<Index> neighbour;

  [[nodiscard]] std::size_t size() const { return begin.size() - 1; }
  [[nodiscard]] std::size_t degree(std::size_t v) const { return begin[v + 1] - begin[v]; }
  [[nodiscard]] std::span<const Index> of(std::size_t v) const {
    return {neighbour.data() + begin[v], degree(v)};
  }
};

template <class Index>
Result<void> check_square(const PatternOf<Index>& matrix, std::string_view what) {
  if (matrix.rows != matrix.columns) {
    return fail(ErrorCode::bad_input,
                fmt::format("{} takes a square matrix, this one is {} x {}", what, matrix.rows,
                            matrix.columns),
                "Rows and columns can only share one order if there are as many of both.");
  }
  return {};
}

/// Of A + A^T: each row holds its own entries and those of its column, each once, ascending.
template <class Index>
Graph<Index> graph_of(const PatternOf<Index>& matrix) {
  const auto size = static_cast<std::size_t>(matrix.rows);
  std::vector<std::size_t> begin(size + 1, 0);
  for (std::size_t i = 0; i < size; ++i) {
    for (const Index j : matrix.row(i)) {
      if (static_cast<std::size_t>(j) != i) {
        ++begin[i + 1];
        ++begin[static_cast<std::size_t>(j) + 1];
      }
    }
  }
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<Index> neighbour(begin[size]);
  std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
  for (std::size_t i = 0; i < size; ++i) {
    for (const Index j : matrix.row(i)) {
      if (static_cast<std::size_t>(j) != i) {
        neighbour[next[i]++] = j;
        neighbour[next[static_cast<std::size_t>(j)]++] = static_cast<Index>(i);
      }
    }
  }
  Graph<Index> graph;
  graph.begin.assign(size + 1, 0);
  std::size_t end = 0;
  for (std::size_t i = 0; i < size; ++i) {
    auto* const first = neighbour.data() + begin[i];
    auto* last = neighbour.data() + begin[i + 1];
    std::sort(first, last);
    last = std::unique(first, last);
    std::copy(first, last, neighbour.data() + end);
    end += static_cast<std::size_t>(last - first);
    graph.begin[i + 1] = end;
  }
  neighbour.resize(end);
  graph.neighbour = std::move(neighbour);
  return graph;
}

/// Breadth first from `root`, appended to `order`; returns where the last level begins and how many
/// levels there are. `mark[v] == stamp` where v was met.
template <class Index>
struct Levels {
  std::size_t last_begin;
  std::size_t depth;
};
template <class Index, class Less>
Levels<Index> breadth_first(const Graph<Index>& graph, std::size_t root, std::uint32_t stamp,
                            std::vector<std::uint32_t>& mark, std::vector<Index>& order,
                            const Less& less) {
  std::size_t level = order.size();
  order.push_back(static_cast<Index>(root));
  mark[root] = stamp;
  std::size_t depth = 1;
  for (;;) {
    const std::size_t end = order.size();
    for (std::size_t at = level; at < end; ++at) {
      const std::size_t added = order.size();
      for (const Index w : graph.of(static_cast<std::size_t>(order[at]))) {
        if (mark[static_cast<std::size_t>(w)] != stamp) {
          mark[static_cast<std::size_t>(w)] = stamp;
          order.push_back(w);
        }
      }
      std::sort(order.begin() + static_cast<std::ptrdiff_t>(added), order.end(), less);
    }
    if (order.size() == end) {
      return {level, depth};
    }
    level = end;
    ++depth;
  }
}

}  // namespace

template <class Index>
Result<std::vector<Index>> reverse_cuthill_mckee(const PatternOf<Index>& matrix) {
  if (auto checked = check_square(matrix, "reverse Cuthill-McKee"); !checked) {
    return tl::make_unexpected(checked.error());
  }
  const Graph<Index> graph = graph_of(matrix);
  const auto by_degree = [&](Index a, Index b) {
    const std::size_t da = graph.degree(static_cast<std::size_t>(a));
    const std::size_t db = graph.degree(static_cast<std::size_t>(b));
    return da != db ? da < db : a < b;
  };
  const auto anyhow = [](Index a, Index b) { return a < b; };
  std::vector<std::uint32_t> mark(graph.size(), 0);
  std::vector<bool> done(graph.size(), false);
  std::vector<Index> order;
  std::vector<Index> trial;
  std::uint32_t stamp = 0;
  for (std::size_t v = 0; v < graph.size(); ++v) {
    if (done[v]) {
      continue;
    }
    std::size_t root = v;
    std::size_t depth = 0;
    for (int round = 0; round < 8 && graph.degree(root) != 0; ++round) {
      trial.clear();
      const Levels<Index> levels = breadth_first(graph, root, ++stamp, mark, trial, anyhow);
      if (levels.depth <= depth) {
        break;
      }
      depth = levels.depth;
      root = static_cast<std::size_t>(*std::min_element(
          trial.begin() + static_cast<std::ptrdiff_t>(levels.last_begin), trial.end(), by_degree));
    }
    const std::size_t begin = order.size();
    breadth_first(graph, root, ++stamp, mark, order, by_degree);
    for (std::size_t at = begin; at < order.size(); ++at) {
      done[static_cast<std::size_t>(order[at])] = true;
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

template <class Index>
Result<std::vector<Index>> hub_order(const PatternOf<Index>& matrix, Hubs hubs) {
  if (auto checked = check_square(matrix, "an order by hubs"); !checked) {
    return tl::make_unexpected(checked.error());
  }
  std::vector<std::size_t> degree(static_cast<std::size_t>(matrix.columns), 0);
  for (const Index j : matrix.column) {
    ++degree[static_cast<std::size_t>(j)];
  }
  std::vector<Index> order(degree.size());
  std::iota(order.begin(), order.end(), Index{0});
  const auto of = [&](Index v) { return degree[static_cast<std::size_t>(v)]; };
  if (hubs == Hubs::sorted) {
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return of(a) > of(b); });
  } else {
    std::stable_partition(order.begin(), order.end(),
                          [&](Index v) { return of(v) * degree.size() > matrix.entries(); });
  }
  return order;
}

template <class Index>
bool is_permutation_of(std::span<const Index> order, Index size) {
  if (order.size() != static_cast<std::size_t>(size)) {
    return false;
  }
  std::vector<bool> seen(order.size(), false);
  for (const Index v : order) {
    if (v < 0 || v >= size || seen[static_cast<std::size_t>(v)]) {
      return false;
    }
    seen[static_cast<std::size_t>(v)] = true;
  }
  return true;
}

template <class Value, class Index>
Result<CsrMatrix<Value, Index>> permuted(const CsrMatrix<Value, Index>& matrix,
                                         std::span<const Index> order) {
  if (auto checked = check_square(pattern_of(matrix), "a symmetric permutation"); !checked) {
    return tl::make_unexpected(checked.error());
  }
  if (!is_permutation_of(order, matrix.rows)) {
    return fail(ErrorCode::bad_input,
                fmt::format("the order is no permutation of {} rows", matrix.rows));
  }
  const std::size_t rows = order.size();
  std::vector<Index> now(rows);
  CsrMatrix<Value, Index> result;
  result.rows = matrix.rows;
  result.columns = matrix.columns;
  result.row_begin = Array<Index>(rows + 1, Index{0});
  for (std::size_t i = 0; i < rows; ++i) {
    now[static_cast<std::size_t>(order[i])] = static_cast<Index>(i);
    result.row_begin[i + 1] = result.row_begin[i] + matrix.row_size(order[i]);
  }
  result.column = Array<Index>(matrix.entries());
  result.value = Array<Value>(matrix.entries());
  const int threads = threads_for(matrix.entries());
  on_threads(threads, [&](int t) {
    std::vector<std::pair<Index, Value>> room;
    for (std::size_t i = part_begin(rows, threads, t); i < part_begin(rows, threads, t + 1); ++i) {
      const auto from = static_cast<std::size_t>(order[i]);
      room.clear();
      for (auto k = static_cast<std::size_t>(matrix.row_begin[from]);
           k < static_cast<std::size_t>(matrix.row_begin[from + 1]); ++k) {
        room.emplace_back(now[static_cast<std::size_t>(matrix.column[k])], matrix.value[k]);
      }
      std::sort(room.begin(), room.end(),
                [](const auto& a, const auto& b) { return a.first < b.first; });
      auto k = static_cast<std::size_t>(result.row_begin[i]);
      for (const auto& [column, value] : room) {
        result.column[k] = column;
        result.value[k++] = value;
      }
    }
  });
  return result;
}

template <class Index>
std::int64_t bandwidth(const PatternOf<Index>& matrix) {
  std::int64_t widest = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(matrix.rows); ++i) {
    const auto row = matrix.row(i);
    if (!row.empty()) {
      const auto at = static_cast<std::int64_t>(i);
      widest = std::max({widest, at - std::int64_t{row.front()}, std::int64_t{row.back()} - at});
    }
  }
  return widest;
}

template Result<std::vector<std::int32_t>> reverse_cuthill_mckee(const PatternOf<std::int32_t>&);
template Result<std::vector<std::int64_t>> reverse_cuthill_mckee(const PatternOf<std::int64_t>&);
template Result<std::vector<std::int32_t>> hub_order(const PatternOf<std::int32_t>&, Hubs);
template Result<std::vector<std::int64_t>> hub_order(const PatternOf<std::int64_t>&, Hubs);
template bool is_permutation_of(std::span<const std::int32_t>, std::int32_t);
template bool is_permutation_of(std::span<const std::int64_t>, std::int64_t);
template std::int64_t bandwidth(const PatternOf<std::int32_t>&);
template std::int64_t bandwidth(const PatternOf<std::int64_t>&);
template Result<CsrMatrix<double, std::int32_t>> permuted(const CsrMatrix<double, std::int32_t>&,
                                                          std::span<const std::int32_t>);
template Result<CsrMatrix<double, std::int64_t>> permuted(const CsrMatrix<double, std::int64_t>&,
                                                          std::span<const std::int64_t>);
template Result<CsrMatrix<float, std::int32_t>> permuted(const CsrMatrix<float, std::int32_t>&,
                                                         std::span<const std::int32_t>);
template Result<CsrMatrix<float, std::int64_t>> permuted(const CsrMatrix<float, std::int64_t>&,
                                                         std::span<const std::int64_t>);

}  // namespace ridge::spmv
