// How much of x a product loads into a cache of given size: alpha predicted from the matrix.
//
// An exact simulation of a fully associative cache with least-recently-used replacement. Accesses
// to x follow the entries in the order of the format; values, indices, pointers and y pass through
// the same cache as one stream that is never used again and take its place from x. A line of x is
// still there if the different lines of x and of the stream that came since fit the cache.
//
// Large matrices: spatially hashed sampling of lines. C. A. Waldspurger, N. Park, A. Garthwaite,
// I. Ahmad, "Efficient MRC construction with SHARDS", USENIX FAST 2015.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spmv/format/product.hpp"
#include "spmv/format/sell_c_sigma.hpp"
#include "spmv/matrix/pattern_view.hpp"

namespace ridge::spmv {

struct TrafficOptions {
  double stream_per_entry = 12;  ///< values and indices [byte]
  double stream_per_row = 12;    ///< pointers and y [byte]
  double element_bytes = 8;      ///< of x: size of an element times right-hand sides
  /// Vectors that each access touches: 2 where y is summed into along with x (symmetric).
  std::int32_t vectors = 1;
  double line_bytes = 64;
  /// 0: entries come row by row (CSR), else chunk by chunk of so many rows and in a chunk the first
  /// of each row, then the second (SELL).
  std::int32_t chunk_rows = 0;
  /// The entries are cut into so many ranges of rows of equal work (threads), each with a cache of
  /// its own; what they load is added up.
  std::int32_t parts = 1;
  /// Counts the second of two products, so that what stayed from the first costs nothing. Cold:
  /// each line that is used costs at least one load.
  bool warm = false;
  /// Share of the lines of x that are simulated, 0 < sample <= 1; 1 is exact. 0: exact up to 64 Mi
  /// entries, above that as few as keep the error of alpha near a percent, where that is faster.
  double sample = 1;
};

/// Streams of a format that reads its arrays once; `rows` of y with elements of `vector_bytes`.
/// For each stored entry if `stored`, else for each entry of the matrix.
[[nodiscard]] TrafficOptions streams_of(const Footprint& matrix, std::int64_t rows,
                                        double vector_bytes = 8, bool stored = false);

struct XTraffic {
  double cache_bytes = 0;
  double x_bytes = 0;  ///< loaded into this cache by one product, of one vector
  double alpha = 0;    ///< x_bytes / (element_bytes * entries of the matrix)
  double sample = 1;   ///< share of the lines that was simulated
};

/// For each cache size [byte] one result, in their order; several sizes use several threads. A
/// matrix without entries loads nothing: alpha 0.
template <class Index>
[[nodiscard]] std::vector<XTraffic> predict_x_traffic(const PatternOf<Index>& matrix,
                                                      std::span<const double> cache_bytes,
                                                      const TrafficOptions& options = {});

/// In the order in which the chunks of `matrix` lie, padding included; chunk_rows is not looked at.
/// stream_per_entry is for each stored entry here.
template <class Value, class Index>
[[nodiscard]] std::vector<XTraffic> predict_x_traffic(const SellMatrix<Value, Index>& matrix,
                                                      std::span<const double> cache_bytes,
                                                      const TrafficOptions& options = {});

/// Columns that have entries.
template <class Index>
[[nodiscard]] std::int64_t columns_used(const PatternOf<Index>& matrix);

}  // namespace ridge::spmv
