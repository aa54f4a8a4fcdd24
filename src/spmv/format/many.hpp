// Several vectors at once: each entry of the matrix is read once for all of them.
#pragma once

#include <cstdint>

#include "spmv/format/product.hpp"
#include "spmv/matrix/csr.hpp"

namespace ridge::spmv {

/// Y = alpha A X + beta Y for `width` vectors (1 and more), stored by rows: element i of vector j
/// at i * width + j. With beta = 0, Y is not read. X and Y must not overlap.
template <class Vector, class Value, class Index>
void multiply_many(const CsrMatrix<Value, Index>& matrix, const Execution& execution,
                   std::int32_t width, Vector alpha, const Vector* x, Vector beta, Vector* y);

}  // namespace ridge::spmv
