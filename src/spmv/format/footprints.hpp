// What the arrays of each format hold. Internal to product.cpp.
#pragma once

#include <cstdint>

#include "spmv/format/bcsr.hpp"
#include "spmv/format/binned.hpp"
#include "spmv/format/gather_blocked.hpp"
#include "spmv/format/pattern_sell.hpp"
#include "spmv/format/product.hpp"
#include "spmv/format/sell_c_sigma.hpp"

namespace ridge::spmv {

template <class T>
[[nodiscard]] double bytes_of(const Array<T>& array) {
  return static_cast<double>(array.size() * sizeof(T));
}
/// Without the elements that are there for prefetches only.
template <class T>
[[nodiscard]] double bytes_without_ahead(const Array<T>& array) {
  return bytes_of(array) - static_cast<double>(kMaxAhead * sizeof(T));
}

template <class Value, class Index>
[[nodiscard]] Footprint footprint_of(const SellMatrix<Value, Index>& a) {
  Footprint footprint;
  footprint.useful = a.useful;
  footprint.stored = static_cast<std::size_t>(a.stored());
  footprint.value_bytes = bytes_of(a.value);
  footprint.pointer_bytes = bytes_of(a.chunk_begin) + bytes_of(a.row_of) + bytes_of(a.base);
  footprint.index_bytes = bytes_without_ahead(a.column);
  for (std::size_t c = 0; c < a.base.size(); ++c) {
    if (a.base[c] >= 0) {
      const auto width = static_cast<double>(a.chunk_begin[c + 1] - a.chunk_begin[c]);
      footprint.index_bytes -= width * (sizeof(Index) - sizeof(std::uint16_t));
    }
  }
  return footprint;
}

template <class Value, class Index>
[[nodiscard]] Footprint footprint_of(const PatternSellMatrix<Value, Index>& a) {
  Footprint footprint;
  footprint.useful = a.useful;
  footprint.stored = a.stored();
  footprint.value_bytes = bytes_of(a.value);
  footprint.index_bytes = bytes_of(a.offset) + bytes_of(a.mask) + bytes_without_ahead(a.column);
  footprint.pointer_bytes = bytes_of(a.chunk) + bytes_of(a.shape);
  footprint.without_index = a.without_index;
  return footprint;
}

template <class Value, class Index>
[[nodiscard]] Footprint footprint_of(const BcsrMatrix<Value, Index>& a) {
  Footprint footprint;
  footprint.useful = a.useful;
  footprint.stored = a.stored();
  footprint.value_bytes = bytes_of(a.value);
  footprint.index_bytes = bytes_of(a.column);
  footprint.pointer_bytes = bytes_of(a.row_begin);
  return footprint;
}

template <class Value, class Index>
[[nodiscard]] Footprint footprint_of(const GatherBlockedMatrix<Value, Index>& a) {
  Footprint footprint = footprint_of(a.sell);
  footprint.index_bytes = 0;
  for (std::int64_t b = 0; b < a.blocks(); ++b) {
    const auto at = static_cast<std::size_t>(b);
    const auto width =
        static_cast<double>(a.sell.chunk_begin[static_cast<std::size_t>(a.block_begin[at + 1])] -
                            a.sell.chunk_begin[static_cast<std::size_t>(a.block_begin[at])]);
    const bool copied = a.needed_begin[at] != a.needed_begin[at + 1];
    footprint.index_bytes += width * (copied ? sizeof(std::uint16_t) : sizeof(Index));
  }
  footprint.copied_bytes = bytes_without_ahead(a.needed);
  footprint.pointer_bytes += bytes_of(a.block_begin) + bytes_of(a.needed_begin);
  return footprint;
}

template <class Vector, class Value, class Index>
[[nodiscard]] Footprint footprint_of(const BinnedMatrix<Value, Index>& a) {
  Footprint footprint;
  footprint.useful = a.useful;
  footprint.stored = a.stored();
  footprint.value_bytes = bytes_of(a.value);
  footprint.index_bytes = bytes_of(a.column) + bytes_of(a.row);
  footprint.pointer_bytes =
      bytes_of(a.piece_begin) + bytes_of(a.product_begin) + bytes_of(a.bin_begin);
  footprint.passed_on_bytes = 2.0 * sizeof(Vector) * static_cast<double>(a.stored());
  return footprint;
}

template <class Value, class Index>
[[nodiscard]] Footprint footprint_of(const CsrMatrix<Value, Index>& a, std::size_t useful) {
  Footprint footprint;
  footprint.useful = useful;
  footprint.stored = a.entries();
  footprint.value_bytes = bytes_of(a.value);
  footprint.index_bytes = bytes_of(a.column);
  footprint.pointer_bytes = bytes_of(a.row_begin);
  return footprint;
}

}  // namespace ridge::spmv
