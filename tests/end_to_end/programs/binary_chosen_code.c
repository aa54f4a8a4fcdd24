/* Chooses its code by the processor, in two ways: another function, and another version of one.
 * What is computed is the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDE __attribute__((noinline, target("avx512f,prefer-vector-width=512")))
#define NARROW __attribute__((noinline))

WIDE static void scale_wide(double* y, const double* x, int n) {
  for (int i = 0; i < n; ++i) {
    y[i] = y[i] * 0.5 + x[i];
  }
}

NARROW static void scale_narrow(double* y, const double* x, int n) {
  for (int i = 0; i < n; ++i) {
    y[i] = y[i] * 0.5 + x[i];
  }
}

NARROW static void scale(double* y, const double* x, int n, int repetitions) {
  for (int k = 0; k < repetitions; ++k) {
    (__builtin_cpu_supports("avx512f") ? scale_wide : scale_narrow)(y, x, n);
  }
}

__attribute__((noinline, target_clones("avx512f", "default"))) void sum(double* y, const double* x,
                                                                        int n) {
  for (int i = 0; i < n; ++i) {
    y[i] += x[i];
  }
}

NARROW static void sums(double* y, const double* x, int n, int repetitions) {
  for (int k = 0; k < repetitions; ++k) {
    sum(y, x, n);
  }
}

int main(int count, char** words) {
  const int n = count > 2 ? atoi(words[2]) : 2000;
  const int repetitions = count > 3 ? atoi(words[3]) : 1000;
  double* x = malloc((size_t)n * sizeof *x);
  double* y = calloc((size_t)n, sizeof *y);
  for (int i = 0; i < n; ++i) {
    x[i] = i;
  }
  if (count > 1 && strcmp(words[1], "versions") == 0) {
    sums(y, x, n, repetitions);
  } else {
    scale(y, x, n, repetitions);
  }
  printf("%g\n", y[n / 2]);
  free(x);
  free(y);
  return 0;
}
