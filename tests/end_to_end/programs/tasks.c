/* OpenMP tasks: which thread runs which one is up to the runtime. Each adds up 2^16 products. */
#include <stdio.h>

enum { TASKS = 32, LENGTH = 1 << 16 };

double values[LENGTH];

static double work(double factor) {
  double sum = 0.0;
  for (long i = 0; i < LENGTH; ++i) {
    sum += values[i] * factor;
  }
  return sum;
}

int main(void) {
  double total = 0.0;
#pragma omp parallel
#pragma omp single
  for (int t = 0; t < TASKS; ++t) {
#pragma omp task
    {
      const double sum = work(t);
#pragma omp atomic
      total += sum;
    }
  }
  printf("total %g\n", total);
  return 0;
}
