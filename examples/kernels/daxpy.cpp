#include "kernels.hpp"

// Per element: 2 flop (one add, one mul), 16 byte loaded, 8 byte stored.
void kernels::daxpy(long n, double a, const double* __restrict x, double* __restrict y) {
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; ++i) {
    y[i] += a * x[i];
  }
}
