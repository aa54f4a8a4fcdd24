// Compressed rows, dense blocks in them, and the upper triangle of a symmetric matrix. Internal to
// kernels_*.cpp (kernel_lanes.hpp).
#pragma once

#include "spmv/kernel/kernel_lanes.hpp"

namespace ridge::spmv {
namespace {  // NOLINT(*-anon-namespace*,*-build-namespaces)

template <bool far, class Value, class Vector, class Index>
[[gnu::always_inline]] inline Vector row_by_ones(const CsrView<Value, Index>& a, const Vector* x,
                                                 Place k, Place end, const Tuning& tuning) {
  Vector sums[4] = {0, 0, 0, 0};
  for (; k + 4 <= end; k += 4) {
    for (int i = 0; i < 4; ++i) {
      if constexpr (far) {
        prefetch(x + a.column[k + i + tuning.x_ahead]);
      }
      sums[i] += static_cast<Vector>(a.value[k + i]) * x[a.column[k + i]];
    }
  }
  for (; k < end; ++k) {
    sums[0] += static_cast<Vector>(a.value[k]) * x[a.column[k]];
  }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

template <Gather kind, bool far, class Value, class Vector, class Index>
[[gnu::always_inline]] inline Vector row_by_lanes(const CsrView<Value, Index>& a, const Vector* x,
                                                  Place k, Place end, const Tuning& tuning) {
  Lanes<Vector> first{};
  Lanes<Vector> second{};
  const bool any = k + kLanes <= end;
  const auto step = [&](Lanes<Vector>& sums) {
    if constexpr (far) {
      for (int i = 0; i < kLanes; ++i) {
        prefetch(x + a.column[k + i + tuning.x_ahead]);
      }
    }
    sums += load_as<Vector>(a.value + k) * elements<kind>(x, a.column + k);
    k += kLanes;
  };
  while (k + 2 * kLanes <= end) {
    step(first);
    step(second);
  }
  if (k + kLanes <= end) {
    step(first);
  }
  Vector rest[2] = {0, 0};
  for (; k + 2 <= end; k += 2) {
    rest[0] += static_cast<Vector>(a.value[k]) * x[a.column[k]];
    rest[1] += static_cast<Vector>(a.value[k + 1]) * x[a.column[k + 1]];
  }
  if (k < end) {
    rest[0] += static_cast<Vector>(a.value[k]) * x[a.column[k]];
  }
  return (rest[0] + rest[1]) + (any ? sum<Vector>(first + second) : Vector{0});
}

template <Gather kind, bool far, class Value, class Vector, class Index>
[[gnu::always_inline]] inline Vector row(const CsrView<Value, Index>& a, const Vector* x, Place k,
                                         Place end, const Tuning& tuning) {
  if constexpr (kind == Gather::scalar) {
    return row_by_ones<far>(a, x, k, end, tuning);
  } else {
    return row_by_lanes<kind, far>(a, x, k, end, tuning);
  }
}

template <Gather kind, bool far, class Value, class Vector, class Index>
void csr_rows(const CsrView<Value, Index>& a, const Operands<Vector>& operands,
              const Tuning& tuning, Place first, Place last) {
  for (Place i = first; i < last; ++i) {
    const Place begin = a.row_begin[i];
    const Place end = a.row_begin[i + 1];
    if (tuning.stream_ahead != 0) {
      prefetch(a.value + begin + tuning.stream_ahead);
      prefetch(a.column + begin + tuning.stream_ahead);
    }
    const Vector result = far && end + tuning.x_ahead <= a.entries
                              ? row<kind, far>(a, operands.x, begin, end, tuning)
                              : row<kind, false>(a, operands.x, begin, end, tuning);
    finish_one(operands, operands.y + i, result);
  }
}

/// Calls `loop` with the kind of gather and whether x is prefetched as constants.
template <class Loop>
[[gnu::always_inline]] inline void with_constants(const Tuning& tuning, const Loop& loop) {
  const bool far = tuning.x_ahead != 0;
  switch (tuning.gather) {
    case Gather::scalar:
      return far ? loop.template operator()<Gather::scalar, true>()
                 : loop.template operator()<Gather::scalar, false>();
    case Gather::emulated:
      return far ? loop.template operator()<Gather::emulated, true>()
                 : loop.template operator()<Gather::emulated, false>();
    case Gather::hardware:
      if constexpr (!kHasGather) {
        break;
      }
      return far ? loop.template operator()<Gather::hardware, true>()
                 : loop.template operator()<Gather::hardware, false>();
  }
  loop.template operator()<Gather::emulated, false>();
}

template <class Value, class Vector, class Index>
void csr(const CsrView<Value, Index>& a, const Operands<Vector>& operands, const Tuning& tuning,
         Place first, Place last) {
  with_constants(tuning, [&]<Gather kind, bool far>() {
    csr_rows<kind, far>(a, operands, tuning, first, last);
  });
}

/// Of the row, `parts` vectors of `width` elements from vector `from` on.
template <int width, class Value, class Vector, class Index>
[[gnu::always_inline]] inline void many_of_row(const CsrView<Value, Index>& a,
                                               const Operands<Vector>& operands, Place stride,
                                               Place from, Place i) {
  Vector sums[width] = {};
  for (Place k = a.row_begin[i]; k < a.row_begin[i + 1]; ++k) {
    const auto value = static_cast<Vector>(a.value[k]);
    const Vector* x = operands.x + a.column[k] * stride + from;
    for (int j = 0; j < width; ++j) {
      sums[j] += value * x[j];
    }
  }
  for (int j = 0; j < width; ++j) {
    finish_one(operands, operands.y + i * stride + from + j, sums[j]);
  }
}

template <class Value, class Vector, class Index>
void csr_many(const CsrView<Value, Index>& a, const Operands<Vector>& operands, std::int32_t width,
              Place first, Place last) {
  for (Place i = first; i < last; ++i) {
    Place from = 0;
    for (; from + 16 <= width; from += 16) {
      many_of_row<16>(a, operands, width, from, i);
    }
    for (; from + 8 <= width; from += 8) {
      many_of_row<8>(a, operands, width, from, i);
    }
    for (; from + 4 <= width; from += 4) {
      many_of_row<4>(a, operands, width, from, i);
    }
    for (; from + 2 <= width; from += 2) {
      many_of_row<2>(a, operands, width, from, i);
    }
    for (; from < width; ++from) {
      many_of_row<1>(a, operands, width, from, i);
    }
  }
}

template <int block, class Value, class Vector, class Index>
void bcsr_rows(const BcsrView<Value, Index>& a, const Operands<Vector>& operands, Place first,
               Place last) {
  for (Place i = first; i < last; ++i) {
    Vector sums[block] = {};
    for (Place k = a.row_begin[i]; k < a.row_begin[i + 1]; ++k) {
      const Value* value = a.value + k * block * block;
      const Vector* x = operands.x + Place{a.column[k]} * block;
#pragma GCC unroll 8
      for (int s = 0; s < block; ++s) {
#pragma GCC unroll 8
        for (int t = 0; t < block; ++t) {
          sums[s] += static_cast<Vector>(value[s * block + t]) * x[t];
        }
      }
    }
    for (int s = 0; s < block; ++s) {
      finish_one(operands, operands.y + i * block + s, sums[s]);
    }
  }
}

template <class Value, class Vector, class Index>
void bcsr(const BcsrView<Value, Index>& a, const Operands<Vector>& operands, const Tuning& /*none*/,
          Place first, Place last) {
  switch (a.block) {
    case 2:
      return bcsr_rows<2>(a, operands, first, last);
    case 3:
      return bcsr_rows<3>(a, operands, first, last);
    case 4:
      return bcsr_rows<4>(a, operands, first, last);
    case 5:
      return bcsr_rows<5>(a, operands, first, last);
    case 6:
      return bcsr_rows<6>(a, operands, first, last);
    default:
      return bcsr_rows<1>(a, operands, first, last);
  }
}

template <class Value, class Vector, class Index>
void symmetric(const SymmetricView<Value, Index>& a, const Operands<Vector>& operands,
               Vector* below, Place first, Place last) {
  for (Place i = first; i < last; ++i) {
    const Vector own = operands.alpha * operands.x[i];
    Vector result = 0;
    for (Place k = a.row_begin[i]; k < a.row_begin[i + 1]; ++k) {
      const Place j = a.column[k];
      const auto value = static_cast<Vector>(a.value[k]);
      result += value * operands.x[j];
      if (j != i) {
        Vector* y = j < last ? operands.y : below;
        y[j] += value * own;
      }
    }
    operands.y[i] += operands.alpha * result;
  }
}

}  // namespace
}  // namespace ridge::spmv
