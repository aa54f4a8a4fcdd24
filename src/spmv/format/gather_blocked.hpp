// Gather-blocked SELL: each block of rows first copies the elements of x that it needs, each once,
// to a place that stays in the second-level cache, and finds them there by 16-bit indices. Wins
// where a block of rows uses few different columns often, as in KKT systems.
#pragma once

#include <cstdint>

#include "spmv/format/sell_c_sigma.hpp"

namespace ridge::spmv {

template <class Value, class Index>
struct GatherBlockedMatrix {
  SellMatrix<Value, Index> sell;     ///< chunks of 32 rows
  Array<std::int64_t> block_begin;   ///< in chunks; blocks + 1
  Array<std::int64_t> needed_begin;  ///< blocks + 1
  Array<Index> needed;               ///< and kMaxAhead more
  Array<std::uint16_t> local;
  std::size_t widest = 0;  ///< elements that the block with most copies

  [[nodiscard]] std::int64_t blocks() const {
    return static_cast<std::int64_t>(block_begin.size()) - 1;
  }
  [[nodiscard]] GatherBlockView<Value, Index> view() const {
    return {sell.view(), block_begin.data(), needed_begin.data(), needed.data(), local.data()};
  }
};

/// A block takes chunks until it would need more than `most_needed` elements (at most 2^16) or has
/// `most_rows` rows. A chunk that needs more than that alone is not copied for.
template <class Value, class Index>
[[nodiscard]] GatherBlockedMatrix<Value, Index> to_gather_blocked(SellMatrix<Value, Index> sell,
                                                                  std::size_t most_needed = 65536,
                                                                  std::int64_t most_rows = 1 << 17);

}  // namespace ridge::spmv
