// A x, A^2 x, ... A^k x with the matrix read about once: groups of rows small enough to stay in a
// cache are multiplied for all powers before the next ones come, in a wave front.
//
// C. L. Alappat, G. Hager, O. Schenk, G. Wellein, "Level-based blocking for sparse matrices:
// sparse matrix-power-vector multiplication", IEEE TPDS 34(2), 2023.
#pragma once

#include <cstdint>
#include <vector>

#include "core/result.hpp"
#include "spmv/format/product.hpp"
#include "spmv/format/sell_c_sigma.hpp"

namespace ridge::spmv {

/// Groups of chunks, and how many groups ahead a row may have columns.
struct PowerPlan {
  std::vector<std::int64_t> group_begin = {0};  ///< in chunks
  std::int64_t reach = 1;                       ///< groups: row in group g, columns up to g + reach

  [[nodiscard]] std::int64_t groups() const {
    return static_cast<std::int64_t>(group_begin.size()) - 1;
  }
  /// Entries between the first and the last power's groups at one time, for k powers: what has to
  /// fit a cache for the matrix to be read once.
  [[nodiscard]] double entries_at_once(std::int64_t stored, std::int32_t powers) const;
};

/// Errors: the matrix is not square, or its rows are not in order (sigma > 1).
template <class Value, class Index>
[[nodiscard]] Result<PowerPlan> plan_powers(const SellMatrix<Value, Index>& matrix,
                                            std::int64_t entries_per_group = 100000);

/// y[q] = A^(q + 1) x for all y.size() powers; all arrays are apart.
template <class Vector, class Value, class Index>
void multiply_powers(const SellMatrix<Value, Index>& matrix, const PowerPlan& plan,
                     const Execution& execution, const Vector* x, const std::vector<Vector*>& y);

}  // namespace ridge::spmv
