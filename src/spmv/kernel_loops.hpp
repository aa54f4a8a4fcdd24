// The loops of kernels.hpp. Internal to kernels_*.cpp, each of which compiles them for one
// instruction set (kernel_lanes.hpp).
#pragma once

#include "spmv/kernel_lanes.hpp"

namespace ridge::spmv {
namespace {  // NOLINT(*-anon-namespace*,*-build-namespaces)

using Place = std::int64_t;

// ---- compressed rows ----

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

// ---- SELL-C-sigma ----

/// The sums of a chunk become y of its rows, some of which may not exist.
template <int groups, class Vector, class Index>
[[gnu::always_inline]] inline void finish_chunk(const Operands<Vector>& operands, Place first_row,
                                                Place rows, const Index* row_of,
                                                const Lanes<Vector> (&sums)[groups]) {
  constexpr int kRows = groups * kLanes;
  if (row_of == nullptr && first_row + kRows <= rows) {
    for (int g = 0; g < groups; ++g) {
      finish(operands, operands.y + first_row + g * kLanes, sums[g]);
    }
    return;
  }
  const Place present = rows - first_row < kRows ? rows - first_row : kRows;
  for (Place i = 0; i < present; ++i) {
    const Place row = row_of == nullptr ? first_row + i : Place{row_of[first_row + i]};
    finish_one(operands, operands.y + row, Vector{sums[i / kLanes][i % kLanes]});
  }
}

/// Adds `columns` columns of a chunk to the sums. `Column`: Index, or uint16_t from `x` on.
template <Gather kind, bool far, int groups, class Value, class Vector, class Column>
[[gnu::always_inline]] inline void add_columns(const Value* value, const Column* column,
                                               const Vector* x, Place columns, const Tuning& tuning,
                                               Lanes<Vector> (&sums)[groups]) {
  constexpr int kRows = groups * kLanes;
  const bool near = tuning.stream_ahead != 0;
  for (Place k = 0; k < columns; ++k, value += kRows, column += kRows) {
    if (near) {
      prefetch_stream(value + tuning.stream_ahead, kRows);
      prefetch_stream(column + tuning.stream_ahead, kRows);
    }
    if constexpr (far) {
      for (int i = 0; i < kRows; ++i) {
        prefetch(x + column[i + tuning.x_ahead]);
      }
    }
    for (int g = 0; g < groups; ++g) {
      sums[g] += load_as<Vector>(value + g * kLanes) * elements<kind>(x, column + g * kLanes);
    }
  }
}

template <Gather kind, bool far, int groups, class Value, class Vector, class Index>
void sell_chunks(const SellView<Value, Index>& a, const Operands<Vector>& operands,
                 const Tuning& tuning, Place first, Place last) {
  constexpr int kRows = groups * kLanes;
  for (Place c = first; c < last; ++c) {
    Lanes<Vector> sums[groups] = {};
    const Place begin = a.chunk_begin[c];
    const Place columns = (a.chunk_begin[c + 1] - begin) / kRows;
    if (a.base != nullptr && a.base[c] >= 0) {
      // Columns of the next chunk count from another base: no prefetch of x.
      add_columns<Gather::emulated, false>(a.value + begin, a.short_column + begin,
                                           operands.x + a.base[c], columns, tuning, sums);
    } else {
      add_columns<kind, far>(a.value + begin, a.column + begin, operands.x, columns, tuning, sums);
    }
    finish_chunk(operands, c * kRows, Place{a.rows}, a.row_of, sums);
  }
}

template <class Value, class Vector, class Index>
void sell(const SellView<Value, Index>& a, const Operands<Vector>& operands, const Tuning& tuning,
          Place first, Place last) {
  with_constants(tuning, [&]<Gather kind, bool far>() {
    if (a.chunk_rows == 32) {
      sell_chunks<kind, far, 4>(a, operands, tuning, first, last);
    } else if (a.chunk_rows == 16) {
      sell_chunks<kind, far, 2>(a, operands, tuning, first, last);
    } else {
      sell_chunks<kind, far, 1>(a, operands, tuning, first, last);
    }
  });
}

// ---- pattern-compressed SELL ----

template <class Value, class Vector>
[[gnu::always_inline]] inline void add_diagonal(const Value* value, const Vector* x,
                                                Lanes<Vector> (&sums)[4]) {
  for (int g = 0; g < 4; ++g) {
    sums[g] += load_as<Vector>(value + g * kLanes) * load(x + g * kLanes);
  }
}
template <class Value, class Vector>
[[gnu::always_inline]] inline void add_some(const Value* value, const Vector* x, std::uint32_t mask,
                                            Lanes<Vector> (&sums)[4]) {
  for (int g = 0; g < 4; ++g) {
    sums[g] +=
        load_as<Vector>(value + g * kLanes) * load_some(x + g * kLanes, mask >> (g * kLanes) & 255);
  }
}

template <Gather kind, bool far, class Value, class Vector, class Index>
void pattern_chunks(const PatternView<Value, Index>& a, const Operands<Vector>& operands,
                    const Tuning& tuning, Place first, Place last) {
  constexpr int kRows = 4 * kLanes;
  const bool near = tuning.stream_ahead != 0;
  for (Place c = first; c < last; ++c) {
    const PatternChunk chunk = a.chunk[c];
    const Value* value = a.value + chunk.value;
    const Index* offset = a.offset + chunk.diagonal;
    const std::uint32_t* mask = a.mask + chunk.diagonal;
    const Vector* x = operands.x + c * kRows;
    Lanes<Vector> sums[4] = {};
    int d = 0;
    for (; d < chunk.full; ++d, value += kRows) {
      if (near) {
        prefetch_stream(value + tuning.stream_ahead, kRows);
      }
      add_diagonal(value, x + offset[d], sums);
    }
    for (; d < chunk.full + chunk.partial; ++d, value += kRows) {
      if (near) {
        prefetch_stream(value + tuning.stream_ahead, kRows);
      }
      add_some(value, x + offset[d], mask[d], sums);
    }
    add_columns<kind, far>(value, a.column + chunk.column, operands.x, Place{chunk.gathered},
                           tuning, sums);
    finish_chunk(operands, c * kRows, Place{a.rows}, static_cast<const Index*>(nullptr), sums);
  }
}

// ---- pattern-compressed blocks: 16 rows of blocks side by side ----

inline constexpr int kBlockRows = 2 * kLanes;

/// Every `block`-th of 8 * block elements, from element `t` on.
template <int block, class T>
[[gnu::always_inline]] inline Lanes<T> every(const T* x, int t) {
  return lanes_of(x[t], x[block + t], x[2 * block + t], x[3 * block + t], x[4 * block + t],
                  x[5 * block + t], x[6 * block + t], x[7 * block + t]);
}

/// The same of those rows whose bit is set; others are not read.
template <int block, class T>
[[gnu::always_inline]] inline Lanes<T> every_some(const T* x, int t, std::uint32_t bits) {
  Lanes<T> lanes{};
  for (int i = 0; i < kLanes; ++i) {
    if ((bits >> i & 1) != 0) {
      lanes[i] = x[i * block + t];
    }
  }
  return lanes;
}

#if defined(__AVX512F__)
/// Lane i of the result is element 3 i + t of the 24: two permutations for each t.
[[gnu::always_inline]] inline Lanes<double> third(const __m512d (&x)[3], int t) {
  const __m512i low[3] = {_mm512_setr_epi64(0, 3, 6, 9, 12, 15, 0, 0),
                          _mm512_setr_epi64(1, 4, 7, 10, 13, 0, 0, 0),
                          _mm512_setr_epi64(2, 5, 8, 11, 14, 0, 0, 0)};
  const __m512i high[3] = {_mm512_setr_epi64(0, 1, 2, 3, 4, 5, 10, 13),
                           _mm512_setr_epi64(0, 1, 2, 3, 4, 8, 11, 14),
                           _mm512_setr_epi64(0, 1, 2, 3, 4, 9, 12, 15)};
  return (Lanes<double>)_mm512_permutex2var_pd(_mm512_permutex2var_pd(x[0], low[t], x[1]), high[t],
                                               x[2]);
}
/// Of 24 bits, three for each of the eight that are set.
[[gnu::always_inline]] inline std::uint32_t thrice(std::uint32_t bits) {
  std::uint32_t spread = 0;
  for (int i = 0; i < kLanes; ++i) {
    spread |= (bits >> i & 1) * 7 << 3 * i;
  }
  return spread;
}
#endif

/// Adds one block of each of the 8 rows at group g to the sums; `picked(t)`: their x of column t.
template <int block, class Vector, class Value, class Picked>
[[gnu::always_inline]] inline void add_blocks(const Value* value, int g, const Picked& picked,
                                              Lanes<Vector> (&sums)[block][2]) {
#pragma GCC unroll 8
  for (int t = 0; t < block; ++t) {
    const Lanes<Vector> x = picked(t);
#pragma GCC unroll 8
    for (int s = 0; s < block; ++s) {
      sums[s][g] += load_as<Vector>(value + (t * block + s) * kBlockRows + g * kLanes) * x;
    }
  }
}

template <int block, class Value, class Vector>
[[gnu::always_inline]] inline void add_block_diagonal(const Value* value, const Vector* x,
                                                      std::uint32_t mask,
                                                      Lanes<Vector> (&sums)[block][2]) {
  for (int g = 0; g < 2; ++g) {
    const Vector* from = x + Place{g} * kLanes * block;
    const std::uint32_t bits = mask >> (g * kLanes) & 255;
#if defined(__AVX512F__)
    if constexpr (block == 3 && sizeof(Vector) == 8) {
      const std::uint32_t spread = bits == 255 ? 0xffffff : thrice(bits);
      const __m512d all[3] = {
          _mm512_maskz_loadu_pd(static_cast<__mmask8>(spread), from),
          _mm512_maskz_loadu_pd(static_cast<__mmask8>(spread >> 8), from + 8),
          _mm512_maskz_loadu_pd(static_cast<__mmask8>(spread >> 16), from + 16)};
      add_blocks<block, Vector>(value, g, [&](int t) { return third(all, t); }, sums);
      continue;
    }
#endif
    if (bits == 255) {
      add_blocks<block, Vector>(value, g, [&](int t) { return every<block>(from, t); }, sums);
    } else {
      add_blocks<block, Vector>(
          value, g, [&](int t) { return every_some<block>(from, t, bits); }, sums);
    }
  }
}

template <int block, class Vector>
[[gnu::always_inline]] inline void finish_blocks(const Operands<Vector>& operands, Place first_row,
                                                 Place rows,
                                                 const Lanes<Vector> (&sums)[block][2]) {
  const Place present = rows - first_row < kBlockRows ? rows - first_row : kBlockRows;
  for (Place i = 0; i < present; ++i) {
    for (int s = 0; s < block; ++s) {
      finish_one(operands, operands.y + (first_row + i) * block + s,
                 Vector{sums[s][i / kLanes][i % kLanes]});
    }
  }
}

template <int block, class Value, class Vector, class Index>
void block_chunks(const PatternView<Value, Index>& a, const Operands<Vector>& operands,
                  const Tuning& tuning, Place first, Place last) {
  constexpr int kColumn = block * block * kBlockRows;
  const bool near = tuning.stream_ahead != 0;
  for (Place c = first; c < last; ++c) {
    const PatternChunk chunk = a.chunk[c];
    const Value* value = a.value + chunk.value;
    Lanes<Vector> sums[block][2] = {};
    for (Place d = 0; d < chunk.full + chunk.partial; ++d, value += kColumn) {
      if (near) {
        prefetch_stream(value + tuning.stream_ahead, kColumn);
      }
      const Vector* x = operands.x + (c * kBlockRows + a.offset[chunk.diagonal + d]) * block;
      add_block_diagonal<block>(value, x, a.mask[chunk.diagonal + d], sums);
    }
    const Index* column = a.column + chunk.column;
    for (Place k = 0; k < chunk.gathered; ++k, value += kColumn, column += kBlockRows) {
      if (near) {
        prefetch_stream(value + tuning.stream_ahead, kColumn);
      }
      for (int g = 0; g < 2; ++g) {
        const Index* at = column + g * kLanes;
        add_blocks<block, Vector>(
            value, g,
            [&](int t) {
              const Vector* x = operands.x + t;
              return lanes_of(x[at[0] * block], x[at[1] * block], x[at[2] * block],
                              x[at[3] * block], x[at[4] * block], x[at[5] * block],
                              x[at[6] * block], x[at[7] * block]);
            },
            sums);
      }
    }
    finish_blocks<block>(operands, c * kBlockRows, Place{a.rows}, sums);
  }
}

template <class Value, class Vector, class Index>
void pattern(const PatternView<Value, Index>& a, const Operands<Vector>& operands,
             const Tuning& tuning, Place first, Place last) {
  switch (a.block) {
    case 2:
      return block_chunks<2>(a, operands, tuning, first, last);
    case 3:
      return block_chunks<3>(a, operands, tuning, first, last);
    case 4:
      return block_chunks<4>(a, operands, tuning, first, last);
    case 5:
      return block_chunks<5>(a, operands, tuning, first, last);
    case 6:
      return block_chunks<6>(a, operands, tuning, first, last);
    default:
      break;
  }
  with_constants(tuning, [&]<Gather kind, bool far>() {
    pattern_chunks<kind, far>(a, operands, tuning, first, last);
  });
}

// ---- blocks in compressed rows ----

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

// ---- x copied for each block of rows ----

template <class Value, class Vector, class Index>
void copy_needed(const GatherBlockView<Value, Index>& a, const Vector* x, Place begin, Place end,
                 const Tuning& tuning, Vector* room) {
  for (Place k = begin; k < end; k += kLanes) {
    if (tuning.x_ahead != 0) {
      for (int i = 0; i < kLanes; ++i) {
        prefetch(x + a.needed[k + i + tuning.x_ahead]);
      }
    }
    store(room + (k - begin), pick(x, a.needed + k));
  }
}

template <class Value, class Vector, class Index>
void gather_block(const GatherBlockView<Value, Index>& a, const Operands<Vector>& operands,
                  const Tuning& tuning, Vector* room, Place first, Place last) {
  constexpr int kRows = 4 * kLanes;
  Tuning without_x = tuning;
  without_x.x_ahead = 0;
  for (Place b = first; b < last; ++b) {
    const Place needed = a.needed_begin[b];
    if (needed == a.needed_begin[b + 1]) {
      sell(a.sell, operands, tuning, a.block_begin[b], a.block_begin[b + 1]);
      continue;
    }
    copy_needed(a, operands.x, needed, a.needed_begin[b + 1], tuning, room);
    for (Place c = a.block_begin[b]; c < a.block_begin[b + 1]; ++c) {
      Lanes<Vector> sums[4] = {};
      const Place begin = a.sell.chunk_begin[c];
      add_columns<Gather::emulated, false>(a.sell.value + begin, a.local + begin, room,
                                           (a.sell.chunk_begin[c + 1] - begin) / kRows, without_x,
                                           sums);
      finish_chunk(operands, c * kRows, Place{a.sell.rows}, a.sell.row_of, sums);
    }
  }
}

// ---- the upper triangle of a symmetric matrix ----

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

// ---- reading alone ----

template <int streams, class Vector>
Vector read_streams(const Vector* from, Place count) {
  constexpr int kEach = 8 / streams;
  const Place length = count / streams / (kEach * kLanes) * (kEach * kLanes);
  Lanes<Vector> sums[8] = {};
  for (Place i = 0; i < length; i += Place{kEach} * kLanes) {
    for (int s = 0; s < streams; ++s) {
      for (int k = 0; k < kEach; ++k) {
        sums[s * kEach + k] += load(from + s * length + i + k * kLanes);
      }
    }
  }
  for (int k = 1; k < 8; ++k) {
    sums[0] += sums[k];
  }
  Vector rest = 0;
  for (Place i = streams * length; i < count; ++i) {
    rest += from[i];
  }
  return sum<Vector>(sums[0]) + rest;
}

template <class Vector>
Vector read(const Vector* from, Place count, int streams) {
  return streams == 1   ? read_streams<1>(from, count)
         : streams == 2 ? read_streams<2>(from, count)
                        : read_streams<4>(from, count);
}

template <class Value, class Vector, class Index>
constexpr Kernels<Value, Vector, Index> kTable = {
    csr<Value, Vector, Index>,          sell<Value, Vector, Index>,
    pattern<Value, Vector, Index>,      bcsr<Value, Vector, Index>,
    gather_block<Value, Vector, Index>, symmetric<Value, Vector, Index>,
    csr_many<Value, Vector, Index>,     read<Vector>,
};

}  // namespace
}  // namespace ridge::spmv
