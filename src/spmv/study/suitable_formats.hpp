// Which formats are worth timing for a matrix that nobody named formats for.
#pragma once

#include <vector>

#include "spmv/format/product.hpp"
#include "spmv/matrix/csr.hpp"

namespace ridge::spmv {

/// CSR, SELL with and without sorting, pattern, gather-blocked; binned where rows reach far, blocks
/// and the upper triangle if the matrix has them.
template <class Index>
[[nodiscard]] std::vector<Format> suitable_formats(const CsrMatrix<double, Index>& matrix);

}  // namespace ridge::spmv
