// Back from every format to compressed rows.
//
// What comes back is the matrix that was converted, bit for bit. Padding is told from entries by
// its place (it repeats a column of its row) and by `useful`, the number of entries that the format
// was made from; so zeros that were stored as entries stay, with two exceptions, where nothing
// tells them from padding. They are lost (never more than these), and entries() is then less than
// `useful`:
//
//   padded formats   an entry +0 in column 0 (of blocks: a block of +0 in block column 0) that is
//                    alone in its row - in the pattern format, alone among those of its row that
//                    are on no diagonal - if other rows have none there
//   dense blocks     entries +0, if the format also holds zeros that were no entries
#pragma once

#include "core/result.hpp"
#include "spmv/format/bcsr.hpp"
#include "spmv/format/binned.hpp"
#include "spmv/format/gather_blocked.hpp"
#include "spmv/format/pattern_sell.hpp"
#include "spmv/format/sell_c_sigma.hpp"
#include "spmv/matrix/csr.hpp"

namespace ridge::spmv {

/// From 16-bit indices where there are such.
template <class Value, class Index>
[[nodiscard]] CsrMatrix<Value, Index> to_csr(const SellMatrix<Value, Index>& matrix);

template <class Value, class Index>
[[nodiscard]] CsrMatrix<Value, Index> to_csr(const GatherBlockedMatrix<Value, Index>& matrix);

/// Also of dense blocks.
template <class Value, class Index>
[[nodiscard]] CsrMatrix<Value, Index> to_csr(const PatternSellMatrix<Value, Index>& matrix);

template <class Value, class Index>
[[nodiscard]] CsrMatrix<Value, Index> to_csr(const BcsrMatrix<Value, Index>& matrix);

/// No zero is lost.
template <class Value, class Index>
[[nodiscard]] CsrMatrix<Value, Index> to_csr(const BinnedMatrix<Value, Index>& matrix);

/// The symmetric matrix with this upper triangle and diagonal; no zero is lost. Errors (bad_input):
/// not square, an entry below the diagonal, more entries than an index counts.
template <class Value, class Index>
[[nodiscard]] Result<CsrMatrix<Value, Index>> from_upper_triangle(
    const CsrMatrix<Value, Index>& upper);

}  // namespace ridge::spmv
