#include "kernels.hpp"

// Per nonzero: 2 flop (one add, one mul), 20 byte loaded (value, column, x). Per row: 8 byte loaded
// (its two bounds), 8 byte stored.
void kernels::spmv(long rows, const std::int32_t* __restrict row_start,
                   const std::int32_t* __restrict column, const double* __restrict value,
                   const double* __restrict x, double* __restrict y) {
#pragma omp parallel for schedule(static)
  for (long row = 0; row < rows; ++row) {
    const long begin = row_start[row];
    const long end = row_start[row + 1];
    double sum = 0.0;
    for (long k = begin; k < end; ++k) {
      sum += value[k] * x[column[k]];
    }
    y[row] = sum;
  }
}
