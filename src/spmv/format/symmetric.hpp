// The upper triangle of a symmetric matrix: half of the entries, each used twice.
#pragma once

#include "spmv/matrix/csr.hpp"
#include "spmv/matrix/pattern_view.hpp"

namespace ridge::spmv {

/// Square, and each entry has an equal one across the diagonal.
template <class Value, class Index>
[[nodiscard]] bool is_symmetric(const CsrMatrix<Value, Index>& matrix);

/// Square, and each entry has one across the diagonal, whatever its value.
template <class Value, class Index>
[[nodiscard]] bool has_symmetric_pattern(const CsrMatrix<Value, Index>& matrix);

template <class Index>
[[nodiscard]] bool has_symmetric_pattern(const PatternOf<Index>& matrix);

/// The entries on and above the diagonal.
template <class Value, class Index>
[[nodiscard]] CsrMatrix<Value, Index> upper_triangle(const CsrMatrix<Value, Index>& matrix);

}  // namespace ridge::spmv
