/* What each line does has a closed form: code_lines_test.py finds it by the words behind it. */
#include "code_lines.h"

#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static void sweep(double* restrict out, const double* restrict a,
                                            const double* restrict b, long n, long repeats) {
  for (long r = 0; r < repeats; ++r) {
    for (long i = 0; i < n; ++i) {
      double v = a[i] * 0.5; /* mul and load */
      v = v * b[i];          /* mul and another load */
      v = v + 1.0;           /* add */
      v = twice(v);
      out[i] = v; /* store */
    }
    __asm__ volatile("" ::"r"(out) : "memory");
  }
}

int main(int argc, char** argv) {
  const long n = argc > 1 ? atol(argv[1]) : 2000;
  const long repeats = argc > 2 ? atol(argv[2]) : 1000;
  double* data = calloc((size_t)(3 * n), sizeof(double));
  sweep(data, data + n, data + 2 * n, n, repeats);
  printf("%g\n", data[n / 2]);
  free(data);
  return 0;
}
