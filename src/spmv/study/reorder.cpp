#include "spmv/study/reorder.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string_view>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "spmv/format/symmetric.hpp"
#include "spmv/generate/generators.hpp"
#include "spmv/matrix/on_threads.hpp"

namespace ridge::spmv {
namespace {

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

/// Rows in an order that memory does not have: starts to load those that come soon.
constexpr std::size_t kRowsAhead = 8;

template <class Index>
void load_ahead(const PatternOf<Index>& matrix, std::span<const Index> order, std::size_t at) {
  if (at + 2 * kRowsAhead < order.size()) {
    __builtin_prefetch(&matrix.row_begin[static_cast<std::size_t>(order[at + 2 * kRowsAhead])]);
    const std::size_t soon = matrix.begin(static_cast<std::size_t>(order[at + kRowsAhead]));
    __builtin_prefetch(matrix.column.data() + soon);
  }
}

/// The pattern of A + A^T, without the diagonal: each row holds its own entries and those of its
/// column, each once, ascending.
template <class Index>
struct Symmetrised {
  std::vector<Index> begin;
  std::vector<Index> column;
  [[nodiscard]] PatternOf<Index> pattern() const {
    const auto size = static_cast<Index>(begin.size() - 1);
    return {size, size, begin, column};
  }
};

template <class Index>
Result<Symmetrised<Index>> symmetrised(const PatternOf<Index>& matrix) {
  const auto size = static_cast<std::size_t>(matrix.rows);
  std::vector<std::size_t> begin(size + 1, 0);
  const auto over_pairs = [&](const auto& visit) {
    for (std::size_t i = 0; i < size; ++i) {
      for (const Index j : matrix.row(i)) {
        if (static_cast<std::size_t>(j) != i) {
          visit(i, static_cast<std::size_t>(j));
        }
      }
    }
  };
  over_pairs([&](std::size_t i, std::size_t j) {
    ++begin[i + 1];
    ++begin[j + 1];
  });
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  Symmetrised<Index> both{std::vector<Index>(size + 1, 0), std::vector<Index>(begin[size])};
  std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
  over_pairs([&](std::size_t i, std::size_t j) {
    both.column[next[i]++] = static_cast<Index>(j);
    both.column[next[j]++] = static_cast<Index>(i);
  });
  std::size_t end = 0;
  for (std::size_t i = 0; i < size; ++i) {
    Index* const first = both.column.data() + begin[i];
    Index* last = both.column.data() + begin[i + 1];
    std::sort(first, last);
    last = std::unique(first, last);
    std::copy(first, last, both.column.data() + end);
    end += static_cast<std::size_t>(last - first);
    if (end > static_cast<std::size_t>(std::numeric_limits<Index>::max())) {
      return fail(
          ErrorCode::bad_input,
          fmt::format("the pattern of A + A^T has more entries than an index of {} bit counts",
                      8 * sizeof(Index)),
          "Use indices of 64 bit.");
    }
    both.begin[i + 1] = static_cast<Index>(end);
  }
  both.column.resize(end);
  return both;
}

/// The Cuthill-McKee order of a symmetric pattern, not yet reversed.
template <class Index>
class CuthillMcKee {
 public:
  explicit CuthillMcKee(const PatternOf<Index>& pattern)
      : pattern_(pattern), degree_(size()), met_(size(), 0) {
    for (std::size_t v = 0; v < size(); ++v) {
      degree_[v] = static_cast<Index>(pattern.end(v) - pattern.begin(v));
    }
    order_.reserve(size());
  }

  std::vector<Index> order() {
    for (std::size_t v = 0; v < size(); ++v) {
      if (met_[v] == 0) {
        const Index root = far_out(static_cast<Index>(v));
        breadth_first(root, order_, [&](Index a, Index b) { return comes_first(a, b); });
      }
    }
    return std::move(order_);
  }

 private:
  struct LastLevel {
    std::size_t begin;  ///< in the list of vertices
    std::size_t depth;  ///< how many levels there are
  };

  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(pattern_.rows); }
  [[nodiscard]] bool comes_first(Index a, Index b) const {
    const Index of_a = degree_[static_cast<std::size_t>(a)];
    const Index of_b = degree_[static_cast<std::size_t>(b)];
    return of_a != of_b ? of_a < of_b : a < b;
  }

  /// From `root` to a vertex of least degree in the last level, as long as that has more levels.
  Index far_out(Index root) {
    constexpr int kMostTrials = 4;
    std::size_t depth = 0;
    Index best = root;
    for (int trial = 0; trial < kMostTrials; ++trial) {
      trial_.clear();
      const LastLevel last = breadth_first(root, trial_, nullptr);
      for (const Index v : trial_) {
        met_[static_cast<std::size_t>(v)] = 0;
      }
      if (last.depth <= depth) {
        break;
      }
      depth = last.depth;
      best = root;
      root = *std::min_element(trial_.begin() + static_cast<std::ptrdiff_t>(last.begin),
                               trial_.end(), [&](Index a, Index b) { return comes_first(a, b); });
    }
    return best;
  }

  /// Appends what `root` reaches to `list`, what one vertex adds sorted by `less` if there is one.
  template <class Less>
  LastLevel breadth_first(Index root, std::vector<Index>& list, const Less& less) {
    std::size_t level = list.size();
    list.push_back(root);
    met_[static_cast<std::size_t>(root)] = 1;
    for (std::size_t depth = 1;; ++depth) {
      const std::size_t end = list.size();
      for (std::size_t at = level; at < end; ++at) {
        load_ahead<Index>(pattern_, list, at);
        const std::size_t added = list.size();
        for (const Index w : pattern_.row(static_cast<std::size_t>(list[at]))) {
          std::uint8_t& met = met_[static_cast<std::size_t>(w)];
          if (met == 0) {
            met = 1;
            list.push_back(w);
          }
        }
        if constexpr (!std::is_null_pointer_v<Less>) {
          std::sort(list.begin() + static_cast<std::ptrdiff_t>(added), list.end(), less);
        }
      }
      if (list.size() == end) {
        return {level, depth};
      }
      level = end;
    }
  }

  const PatternOf<Index> pattern_;
  std::vector<Index> degree_;
  std::vector<std::uint8_t> met_;
  std::vector<Index> order_;
  std::vector<Index> trial_;
};

/// Sorts the entries of a row by their new columns. With 32-bit indices, column and place in the
/// row are one number.
template <class Index>
class RowSorter {
 public:
  void sort(std::span<const Index> row, const std::vector<Index>& now) {
    keys_.clear();
    for (std::size_t k = 0; k < row.size(); ++k) {
      const Index column = now[static_cast<std::size_t>(row[k])];
      if constexpr (kPacked) {
        keys_.push_back(static_cast<std::uint64_t>(column) << 32 | k);
      } else {
        keys_.emplace_back(column, k);
      }
    }
    std::sort(keys_.begin(), keys_.end());
  }
  template <class Visit>
  void visit(const Visit& visit) const {
    for (const auto& key : keys_) {
      if constexpr (kPacked) {
        visit(static_cast<Index>(key >> 32), static_cast<std::size_t>(key & 0xffffffff));
      } else {
        visit(key.first, key.second);
      }
    }
  }

 private:
  static constexpr bool kPacked = sizeof(Index) == 4;
  std::vector<std::conditional_t<kPacked, std::uint64_t, std::pair<Index, std::size_t>>> keys_;
};

}  // namespace

template <class Index>
Result<std::vector<Index>> reverse_cuthill_mckee(const PatternOf<Index>& matrix) {
  if (auto checked = check_square(matrix, "reverse Cuthill-McKee"); !checked) {
    return tl::make_unexpected(checked.error());
  }
  std::vector<Index> order;
  if (has_symmetric_pattern(matrix)) {
    order = CuthillMcKee<Index>(matrix).order();
  } else {
    const auto both = symmetrised(matrix);
    if (!both) {
      return tl::make_unexpected(both.error());
    }
    order = CuthillMcKee<Index>(both->pattern()).order();
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
  const PatternOf<Index> pattern = pattern_of(matrix);
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
    RowSorter<Index> sorter;
    for (std::size_t i = part_begin(rows, threads, t); i < part_begin(rows, threads, t + 1); ++i) {
      load_ahead(pattern, order, i);
      if (i + kRowsAhead < rows) {
        const std::size_t soon = pattern.begin(static_cast<std::size_t>(order[i + kRowsAhead]));
        __builtin_prefetch(matrix.value.data() + soon);
        __builtin_prefetch(matrix.value.data() + soon + 64 / sizeof(Value));
      }
      const auto from = static_cast<std::size_t>(order[i]);
      const std::size_t first = pattern.begin(from);
      sorter.sort(pattern.row(from), now);
      auto to = static_cast<std::size_t>(result.row_begin[i]);
      sorter.visit([&](Index column, std::size_t place) {
        result.column[to] = column;
        result.value[to++] = matrix.value[first + place];
      });
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
