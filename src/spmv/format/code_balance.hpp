// Code balance: bytes that y = alpha A x + beta y moves per useful floating-point operation, part
// by part, as a function of how often x is loaded.
//
// M. Kreutzer, G. Hager, G. Wellein, H. Fehske, A. R. Bishop, "A unified sparse matrix data format
// for efficient general sparse matrix-vector multiplication on modern processors with wide SIMD
// units", SIAM J. Sci. Comput. 36(5), C401-C423, 2014, section 2.
//
// Useful operations are two for each entry of the matrix and right-hand side; what padding computes
// counts as none. `alpha` is the traffic of x in elements per entry of the matrix: 1 / N_nzc if
// each element that is used comes once, 1 if each entry loads its own, up to 8 (a line for each).
#pragma once

#include <cstdint>
#include <optional>

#include "core/result.hpp"
#include "spmv/format/product.hpp"

namespace ridge::spmv {

/// [byte per entry of the matrix]
struct CodeBalance {
  double values = 0;     ///< of the entries themselves
  double indices = 0;    ///< columns, offsets, masks
  double pointers = 0;   ///< rows, chunks, blocks
  double copied = 0;     ///< gather-blocked: columns of the copied elements
  double passed_on = 0;  ///< binned: products written, and read again
  double padding = 0;    ///< values and indices that stand for no entry: what beta < 1 costs
  double x = 0;          ///< vector_bytes * alpha for each right-hand side
  double y_read = 0;     ///< before it is written (write-allocate, beta != 0) or summed into
  double y_written = 0;  ///<
  double beta = 1;       ///< useful / stored entries; 1 also where symmetry halves them
  double flops = 2;      ///< useful ones per entry

  [[nodiscard]] double bytes_per_entry() const {
    return values + indices + pointers + copied + passed_on + padding + x + y_read + y_written;
  }
  /// B_C [byte/flop]
  [[nodiscard]] double bytes_per_flop() const { return bytes_per_entry() / flops; }
  /// What beta < 1 costs [byte/flop]: part of bytes_per_flop().
  [[nodiscard]] double padding_per_flop() const { return padding / flops; }
  /// b_S / B_C [flop/s] at a bandwidth of `bytes_per_second`.
  [[nodiscard]] double roof(double bytes_per_second) const {
    return bytes_per_second / bytes_per_flop();
  }
};

/// [byte]
struct ElementSizes {
  double value = 8;
  double index = 4;
  double pointer = 4;
  double vector = 8;
};

/// How a product treats the vectors.
struct VectorUse {
  double element_bytes = 8;
  std::int32_t right_hand_sides = 1;
  /// y is read by the processor before it is written. Off where stores bypass the caches.
  bool write_allocate = true;
  /// beta != 0: y is read, whatever the processor does.
  bool reads_y = false;
};

/// Of CSR, from its sizes alone. With those given, write-allocate and beta = 0 it is
/// (12 + 20 / N_nzr + 8 alpha) / 2 byte/flop. `entries_per_row` is N_nzr, above 0.
[[nodiscard]] CodeBalance csr_code_balance(double entries_per_row, double alpha,
                                           const ElementSizes& sizes = {}, VectorUse use = {});

/// Of any format, from what its arrays hold: each is read once. `rows` is that of y. A matrix
/// without entries has no balance: nothing. A format that sums into y (symmetric) first scales y,
/// then loads and stores it with the alpha of x; what its threads add to rows of one another comes
/// on top and is not counted.
[[nodiscard]] std::optional<CodeBalance> code_balance(const Footprint& matrix, std::int64_t rows,
                                                      double alpha, const VectorUse& use = {});

/// 1 / N_nzc: each column that has entries comes once. `columns_used` and `entries` above 0.
[[nodiscard]] double least_alpha(std::int64_t columns_used, std::size_t entries);

/// alpha that explains `bytes` of measured memory traffic of one product. Error: fewer bytes than
/// matrix and y alone take, so that not all of them came from memory. `base`: the balance at
/// alpha = 0.
[[nodiscard]] Result<double> alpha_from_traffic(double bytes, std::size_t entries,
                                                const CodeBalance& base, const VectorUse& use = {},
                                                bool sums_into_y = false);

/// From time alone: whatever a product of `seconds` moved, it was at most what the memory transfers
/// in that time, so B_C <= b_S t / (2 N_nz) [byte/flop]. No estimate: latency, imbalance and
/// instructions make it larger than B_C.
[[nodiscard]] double most_bytes_per_flop(double bytes_per_second, double seconds,
                                         std::size_t entries, std::int32_t right_hand_sides = 1);

}  // namespace ridge::spmv
