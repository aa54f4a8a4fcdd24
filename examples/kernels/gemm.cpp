#include "kernels.hpp"

namespace {

long lesser(long a, long b) {
  return a < b ? a : b;
}

}  // namespace

// 2 n^3 flop, 16 n^3 byte loaded, 8 n^2 byte stored.
void kernels::gemm_naive(long n, const double* __restrict a, const double* __restrict b,
                         double* __restrict c) {
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; ++i) {
    for (long j = 0; j < n; ++j) {
      double sum = 0.0;
      for (long k = 0; k < n; ++k) {
        sum += a[i * n + k] * b[k * n + j];
      }
      c[i * n + j] = sum;
    }
  }
}

// 2 n^3 flop; 16 n^3 + 8 n^2 ceil(n / kGemmBlock) byte loaded (b and c in the innermost loop, a
// once for each block of columns), 8 n^3 byte stored.
void kernels::gemm_blocked(long n, const double* __restrict a, const double* __restrict b,
                           double* __restrict c) {
#pragma omp parallel for schedule(static)
  for (long row_block = 0; row_block < n; row_block += kGemmBlock) {
    const long row_end = lesser(row_block + kGemmBlock, n);
    for (long k_block = 0; k_block < n; k_block += kGemmBlock) {
      const long k_end = lesser(k_block + kGemmBlock, n);
      for (long column_block = 0; column_block < n; column_block += kGemmBlock) {
        const long column_end = lesser(column_block + kGemmBlock, n);
        for (long i = row_block; i < row_end; ++i) {
          for (long k = k_block; k < k_end; ++k) {
            const double factor = a[i * n + k];
            for (long j = column_block; j < column_end; ++j) {
              c[i * n + j] += factor * b[k * n + j];
            }
          }
        }
      }
    }
  }
}
