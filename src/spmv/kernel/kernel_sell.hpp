// SELL-C-sigma, and the same with x copied for each block of rows. Internal to kernels_*.cpp
// (kernel_lanes.hpp).
#pragma once

#include "spmv/kernel/kernel_rows.hpp"

namespace ridge::spmv {
namespace {  // NOLINT(*-anon-namespace*,*-build-namespaces)

/// The sums of a chunk become y of its rows, some of which may not exist.
template <int groups, class Vector, class Index>
[[gnu::always_inline]] inline void finish_chunk(const Operands<Vector>& operands, bool stream_y,
                                                Place first_row, Place rows, const Index* row_of,
                                                const Lanes<Vector> (&sums)[groups]) {
  constexpr int kRows = groups * kLanes;
  if (row_of == nullptr && first_row + kRows <= rows) {
    if (stream_y) {
      for (int g = 0; g < groups; ++g) {
        finish_past_caches(operands, operands.y + first_row + g * kLanes, sums[g]);
      }
      return;
    }
    for (int g = 0; g < groups; ++g) {
      finish(operands, operands.y + first_row + g * kLanes, sums[g]);
    }
    return;
  }
  // Through memory: sums with an index that varies would never stay in registers.
  alignas(64) Vector results[kRows];
  for (int g = 0; g < groups; ++g) {
    store(results + g * kLanes, sums[g]);
  }
  const Place present = rows - first_row < kRows ? rows - first_row : kRows;
  for (Place i = 0; i < present; ++i) {
    const Place row = row_of == nullptr ? first_row + i : Place{row_of[first_row + i]};
    finish_one(operands, operands.y + row, results[i]);
  }
}

/// Adds `columns` columns of a chunk to the sums. `Column`: Index, or uint16_t from `x` on.
template <Gather kind, bool far, int groups, class Value, class Vector, class Column>
[[gnu::always_inline]] inline void add_columns(const Value* value, const Column* column,
                                               const Vector* x, Place columns, const Tuning& tuning,
                                               Lanes<Vector> (&sums)[groups]) {
  constexpr int kRows = groups * kLanes;
  const Place ahead = tuning.stream_ahead;
  for (Place k = 0; k < columns; ++k, value += kRows, column += kRows) {
    if (ahead != 0) {
      prefetch_stream(value + ahead, kRows);
      prefetch_stream(column + ahead, kRows);
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
    finish_chunk(operands, tuning.stream_y, c * kRows, Place{a.rows}, a.row_of, sums);
  }
  if (tuning.stream_y) {
    end_of_streams();
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
      finish_chunk(operands, tuning.stream_y, c * kRows, Place{a.sell.rows}, a.sell.row_of, sums);
    }
  }
  if (tuning.stream_y) {
    end_of_streams();
  }
}

}  // namespace
}  // namespace ridge::spmv
