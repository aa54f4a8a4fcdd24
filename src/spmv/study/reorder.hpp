// Orders of rows and columns that bring together the elements of x that are used together.
//
// An order lists the old numbers in their new sequence: order[new] = old.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/result.hpp"
#include "spmv/matrix/pattern_view.hpp"

namespace ridge::spmv {

/// Reverse Cuthill-McKee, component by component, each from a vertex far out; on the pattern of
/// A + A^T, which is formed if that of A is not symmetric. Error: not square, or A + A^T has more
/// entries than `Index` counts.
///
/// E. Cuthill, J. McKee, "Reducing the bandwidth of sparse symmetric matrices", ACM 1969. A.
/// George, J. W. H. Liu, "An implementation of a pseudoperipheral node finder", ACM TOMS 5(3),
/// 1979.
template <class Index>
[[nodiscard]] Result<std::vector<Index>> reverse_cuthill_mckee(const PatternOf<Index>& matrix);

enum class Hubs {
  sorted,   ///< all by degree, largest first, equal ones in their order
  grouped,  ///< those above the mean degree first; both groups keep their order
};

/// By how often a column is used: hubs share lines of x and stay in the cache.
///
/// Y. Zhang, V. Kiriansky, C. Mendis, S. Amarasinghe, M. Zaharia, "Making caches work for graph
/// analytics", IEEE Big Data 2017 (frequency-based clustering). Error: not square.
template <class Index>
[[nodiscard]] Result<std::vector<Index>> hub_order(const PatternOf<Index>& matrix, Hubs hubs);

/// P A P^T: row and column `new` are those that were order[new]. Error: not square, `order` no
/// permutation of its rows.
template <class Value, class Index>
[[nodiscard]] Result<CsrMatrix<Value, Index>> permuted(const CsrMatrix<Value, Index>& matrix,
                                                       std::span<const Index> order);

/// to[new] = from[order[new]]
template <class Vector, class Index>
void permute(std::span<const Index> order, const Vector* from, Vector* to) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    to[i] = from[static_cast<std::size_t>(order[i])];
  }
}
/// The other way round: to[order[new]] = from[new]
template <class Vector, class Index>
void permute_back(std::span<const Index> order, const Vector* from, Vector* to) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    to[static_cast<std::size_t>(order[i])] = from[i];
  }
}

/// Whether `order` has each of 0 .. size - 1 once.
template <class Index>
[[nodiscard]] bool is_permutation_of(std::span<const Index> order, Index size);

/// Largest |row - column| of an entry; 0 without entries.
template <class Index>
[[nodiscard]] std::int64_t bandwidth(const PatternOf<Index>& matrix);

}  // namespace ridge::spmv
