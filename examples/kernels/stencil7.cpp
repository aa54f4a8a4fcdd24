#include "kernels.hpp"

// Per interior point, (n - 2)^3 of them: 8 flop (6 add, 2 mul), 56 byte loaded, 8 byte stored.
void kernels::stencil7(long n, double centre, double neighbour, const double* __restrict from,
                       double* __restrict to) {
#pragma omp parallel for schedule(static)
  for (long k = 1; k < n - 1; ++k) {
    for (long j = 1; j < n - 1; ++j) {
      for (long i = 1; i < n - 1; ++i) {
        const long at = (k * n + j) * n + i;
        to[at] =
            centre * from[at] + neighbour * (from[at - 1] + from[at + 1] + from[at - n] +
                                             from[at + n] + from[at - n * n] + from[at + n * n]);
      }
    }
  }
}
