#include "kernels.hpp"

// Per element: 2 flop (one add, one mul), 16 byte loaded, 8 byte stored.
void kernels::triad(long n, double* __restrict a, const double* __restrict b,
                    const double* __restrict c, double s) {
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; ++i) {
    a[i] = b[i] + s * c[i];
  }
}
