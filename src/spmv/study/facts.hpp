// What can be said of a matrix without multiplying by it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "spmv/matrix/pattern_view.hpp"

namespace ridge::spmv {

/// Entries per row; of a matrix without rows, all zero.
struct RowLengths {
  std::int64_t least = 0;
  std::int64_t most = 0;
  double mean = 0;
  double variation = 0;                 ///< standard deviation / mean; 0 without entries
  std::int64_t empty = 0;               ///< rows
  std::vector<std::int64_t> histogram;  ///< [0] empty rows, [b] rows of 2^(b-1) to 2^b - 1 entries
};

/// Entries of the thread that has most over the mean of all threads: 1 is even.
struct Imbalance {
  std::int32_t threads = 1;
  double by_rows = 1;     ///< each thread the same number of rows
  double by_entries = 1;  ///< Work::shared_out: whole rows, equal entries
};

struct FactOptions {
  double l1_bytes = 32 * 1024;
  double l2_bytes = 1024 * 1024;
  double element_bytes = 8;  ///< of x
  double line_bytes = 64;
  std::vector<std::int32_t> threads = {1};
  std::int64_t block_rows = 1 << 13;  ///< rows of a block for unique_share
};

struct SparsityFacts {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::size_t entries = 0;
  std::size_t explicit_zeros = 0;
  std::int64_t columns_used = 0;  ///< that have entries
  RowLengths row_lengths;

  /// Distance of entries from the diagonal, |row - column| [elements].
  std::int64_t bandwidth = 0;
  double mean_distance = 0;
  /// Sum over rows of the distance from the leftmost entry to the diagonal, where it lies left.
  std::int64_t profile = 0;
  double within_line = 0;  ///< share of entries whose distance is less than a line of x
  double within_l1 = 0;    ///< less than half the cache of x to either side
  double within_l2 = 0;

  bool symmetric_pattern = false;
  bool symmetric_values = false;
  std::int32_t block = 1;  ///< size of dense blocks, 1: none
  double block_fill = 1;   ///< entries / values that such blocks would store

  /// Share of the entries that need no index in pattern-compressed SELL, from at most 4096 chunks.
  double without_index = 0;
  /// Different columns per entry in blocks of FactOptions::block_rows rows, from at most 64 blocks:
  /// low where copying x per block pays.
  double unique_share = 0;
  std::vector<Imbalance> imbalance;  ///< in the order of FactOptions::threads
};

template <class Value, class Index>
[[nodiscard]] SparsityFacts facts_of(const CsrMatrix<Value, Index>& matrix,
                                     const FactOptions& options = {});

}  // namespace ridge::spmv
