// y = alpha A^T x + beta y from compressed rows of A, without transposing A first.
//
// What it costs: matrix and x are read once, as in y = A x, but each entry adds to an element of y,
// so that y is read and written as often as CSR reads x. On several threads each adds to room of
// its own for the columns that its rows span, which is filled with zeros first and read once at the
// end: room_bytes(), three times. Where the rows of a thread span few columns (bands, stencils,
// meshes in a good order), that is about the size of y; where they span all, it is y times the
// threads. transpose(A) instead costs the memory of A and tens of products.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "spmv/kernel/schedule.hpp"
#include "spmv/matrix/csr.hpp"

namespace ridge::spmv {

/// For the same numbers as Product. Refers to `matrix`, which has to outlive it. Threads have as
/// many entries each; the result depends on their number by rounding alone, and is the same each
/// time. One caller at a time.
template <class Vector, class Value, class Index>
class TransposedProduct {
 public:
  explicit TransposedProduct(const CsrMatrix<Value, Index>& matrix, int threads = 1);

  /// x: as many elements as A has rows, y: as many as it has columns; they must not overlap. With
  /// beta = 0, y is not read.
  void multiply(Vector alpha, const Vector* x, Vector beta, Vector* y) const;

  /// Of the threads' own sums [byte]; 0 on one thread.
  [[nodiscard]] std::size_t room_bytes() const;

 private:
  /// What one thread's rows add to: columns first, first + 1 ...
  struct Room {
    std::int64_t first = 0;
    Array<Vector> sum;
  };

  void add_rows(std::int64_t first, std::int64_t last, Vector alpha, const Vector* x, Vector* y,
                std::int64_t offset) const;
  void sum_up(std::int64_t first, std::int64_t last, Vector alpha, Vector beta, Vector* y) const;

  const CsrMatrix<Value, Index>* matrix_;
  Work rows_;
  Work columns_;
  mutable std::vector<Room> rooms_;
};

}  // namespace ridge::spmv
