// Pattern-compressed SELL of entries and of dense blocks. Internal to kernels_*.cpp
// (kernel_lanes.hpp).
#pragma once

#include "spmv/kernel/kernel_sell.hpp"

namespace ridge::spmv {
namespace {  // NOLINT(*-anon-namespace*,*-build-namespaces)

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

/// Descriptions of chunks come by a stream too slow for the processor to run ahead of.
inline constexpr Place kChunksAhead = 32;

template <Gather kind, bool far, class Value, class Vector, class Index>
void pattern_chunks(const PatternView<Value, Index>& a, const Operands<Vector>& operands,
                    const Tuning& tuning, Place first, Place last) {
  constexpr int kRows = 4 * kLanes;
  if (first == last) {
    return;
  }
  const Place ahead = tuning.stream_ahead;
  // Chunks follow one another: where a value is does not wait for the chunk's own line to come.
  const Value* value = a.value + a.chunk[first].value;
  const Index* column = a.column + a.chunk[first].column;
  for (Place c = first; c < last; ++c) {
    prefetch(a.chunk + c + kChunksAhead);
    const PatternChunk chunk = a.chunk[c];
    const PatternShape shape = a.shape[chunk.shape];
    const Index* offset = a.offset + shape.diagonal;
    const std::uint32_t* mask = a.mask + shape.diagonal;
    const Vector* x = operands.x + c * kRows;
    Lanes<Vector> sums[4] = {};
    // Masks cost as many instructions as the rest: a loop for chunks that do without.
    if (shape.full != 0) {
      for (int d = 0; d < shape.diagonals; ++d, value += kRows) {
        if (ahead != 0) {
          prefetch_stream(value + ahead, kRows);
        }
        add_diagonal(value, x + offset[d], sums);
      }
    } else {
      for (int d = 0; d < shape.diagonals; ++d, value += kRows) {
        if (ahead != 0) {
          prefetch_stream(value + ahead, kRows);
        }
        // With masks all are alike: a branch would be one more that is foretold wrongly.
        if (!kHasMasks && mask[d] == ~std::uint32_t{0}) {
          add_diagonal(value, x + offset[d], sums);
        } else {
          add_some(value, x + offset[d], mask[d], sums);
        }
      }
    }
    add_columns<kind, far>(value, column, operands.x, Place{chunk.gathered}, tuning, sums);
    value += Place{chunk.gathered} * kRows;
    column += Place{chunk.gathered} * kRows;
    finish_chunk(operands, tuning.stream_y, c * kRows, Place{a.rows},
                 static_cast<const Index*>(nullptr), sums);
  }
  if (tuning.stream_y) {
    end_of_streams();
  }
}

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
  // Through memory, as in finish_chunk().
  alignas(64) Vector results[block][kBlockRows];
#pragma GCC unroll 8
  for (int t = 0; t < block; ++t) {
    store(results[t], sums[t][0]);
    store(results[t] + kLanes, sums[t][1]);
  }
  const Place present = rows - first_row < kBlockRows ? rows - first_row : kBlockRows;
  for (Place i = 0; i < present; ++i) {
    for (int t = 0; t < block; ++t) {
      finish_one(operands, operands.y + (first_row + i) * block + t, results[t][i]);
    }
  }
}

template <int block, class Value, class Vector, class Index>
void block_chunks(const PatternView<Value, Index>& a, const Operands<Vector>& operands,
                  const Tuning& tuning, Place first, Place last) {
  constexpr int kColumn = block * block * kBlockRows;
  const Place ahead = tuning.stream_ahead;
  for (Place c = first; c < last; ++c) {
    const PatternChunk chunk = a.chunk[c];
    const PatternShape shape = a.shape[chunk.shape];
    const Value* value = a.value + chunk.value;
    Lanes<Vector> sums[block][2] = {};
    for (Place d = 0; d < shape.diagonals; ++d, value += kColumn) {
      if (ahead != 0) {
        prefetch_stream(value + ahead, kColumn);
      }
      const Vector* x = operands.x + (c * kBlockRows + a.offset[shape.diagonal + d]) * block;
      add_block_diagonal<block>(value, x, a.mask[shape.diagonal + d], sums);
    }
    const Index* column = a.column + chunk.column;
    for (Place k = 0; k < chunk.gathered; ++k, value += kColumn, column += kBlockRows) {
      if (ahead != 0) {
        prefetch_stream(value + ahead, kColumn);
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

}  // namespace
}  // namespace ridge::spmv
