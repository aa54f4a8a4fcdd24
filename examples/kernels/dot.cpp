#include "kernels.hpp"

// Per element: 2 flop (one add, one mul), 16 byte loaded. With OpenMP one more add per thread.
double kernels::dot(long n, const double* __restrict x, const double* __restrict y) {
  double sum = 0.0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (long i = 0; i < n; ++i) {
    sum += x[i] * y[i];
  }
  return sum;
}
