// Nine small kernels whose work and data are known in closed form (closed_forms.md). Each stands in
// its own file and is called only through this header, so no compiler sees through a call.
// Matrices and grids are row-major; `n` is the edge, unless said otherwise.
#pragma once

#include <cstdint>

namespace kernels {

/// a[i] = b[i] + s * c[i]
void triad(long n, double* __restrict a, const double* __restrict b, const double* __restrict c,
           double s);

/// y[i] += a * x[i]
void daxpy(long n, double a, const double* __restrict x, double* __restrict y);

/// sum of x[i] * y[i]
double dot(long n, const double* __restrict x, const double* __restrict y);

/// One 5-point Jacobi sweep over the interior of an n x n grid.
void jacobi2d(long n, const double* __restrict from, double* __restrict to);

/// One 7-point sweep over the interior of an n x n x n grid.
void stencil7(long n, double centre, double neighbour, const double* __restrict from,
              double* __restrict to);

/// c = a * b, three plain loops with the sum in a register.
void gemm_naive(long n, const double* __restrict a, const double* __restrict b,
                double* __restrict c);

/// c += a * b in blocks of kGemmBlock.
void gemm_blocked(long n, const double* __restrict a, const double* __restrict b,
                  double* __restrict c);
inline constexpr long kGemmBlock = 48;

/// y = A x, A in compressed sparse rows.
void spmv(long rows, const std::int32_t* __restrict row_start,
          const std::int32_t* __restrict column, const double* __restrict value,
          const double* __restrict x, double* __restrict y);

/// Forward transform of n = 2^stages complex numbers (re, im), radix 2, self-sorting (Stockham).
/// `twiddle` holds exp(-2 pi i k / n) for k < n / 2; `out` and `scratch` hold n numbers each.
void fft(long stages, const double* __restrict in, const double* __restrict twiddle, double* out,
         double* scratch);

}  // namespace kernels
