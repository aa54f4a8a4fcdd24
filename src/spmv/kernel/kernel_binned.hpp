// Binned products: what belongs to a strip of columns is multiplied, then each bin of rows sums its
// own. Internal to kernels_*.cpp (kernel_lanes.hpp).
#pragma once

#include "spmv/kernel/kernel_lanes.hpp"

namespace ridge::spmv {
namespace {  // NOLINT(*-anon-namespace*,*-build-namespaces)

// How far streams are fetched ahead, into the second-level cache: the first is for x and y.
inline constexpr Place kStreamsAhead = 2048;

template <class T>
[[gnu::always_inline]] inline void prefetch_second(const T* place) {
  __builtin_prefetch(place, 0, 2);
}

/// The products of the pieces first to last - 1 go where their bins will look for them. Past the
/// caches: nobody reads them before all strips are done.
template <class Value, class Vector, class Index>
void multiply_strips(const BinnedView<Value, Index>& a, const Operands<Vector>& operands,
                     Vector* products, Place first, Place last) {
  for (Place piece = first; piece < last; ++piece) {
    const Vector* x = operands.x + (piece / a.bins << a.strip_bits);
    Vector* to = products + a.product_begin[piece];
    const Place end = a.piece_begin[piece + 1];
    for (Place k = a.piece_begin[piece]; k < end; k += kLanes, to += kLanes) {
      prefetch_second(a.value + k + kStreamsAhead);
      prefetch_second(a.column + k + kStreamsAhead);
      const Lanes<Vector> elements = pick(x, a.column + k);
      store_past_caches(to, Lanes<Vector>(load_as<Vector>(a.value + k) * elements));
    }
  }
  end_of_streams();
}

/// y of the rows of the bins first to last - 1.
template <class Value, class Vector, class Index>
void sum_bins(const BinnedView<Value, Index>& a, const Operands<Vector>& operands,
              const Vector* products, Place first, Place last) {
  for (Place bin = first; bin < last; ++bin) {
    const Place first_row = bin << a.bin_bits;
    const Place next_row = (bin + 1) << a.bin_bits;
    const Place rows = (next_row < a.rows ? next_row : Place{a.rows}) - first_row;
    Vector* y = operands.y + first_row;
    for (Place i = 0; i < rows; ++i) {
      y[i] = operands.beta != 0 ? operands.beta * y[i] : Vector{0};
    }
    const Place end = a.bin_begin[bin + 1];
    for (Place k = a.bin_begin[bin]; k < end; k += kLanes) {
      prefetch_second(products + k + kStreamsAhead);
      prefetch_second(a.row + k + kStreamsAhead);
      for (int i = 0; i < kLanes; ++i) {
        y[a.row[k + i]] += operands.alpha * products[k + i];
      }
    }
  }
}

}  // namespace
}  // namespace ridge::spmv
