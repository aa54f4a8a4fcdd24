// Where outlined bodies hang, by line: pass_test.cpp knows the numbers.
#include <stdio.h>

enum { kN = 64 };
static double a[kN];

__attribute__((noinline)) void sweep(double* x, int steps) {
  for (int step = 0; step < steps; step++) {
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < kN; i++) x[i] = x[i] * 2.0 + 1.0;
    if (x[0] < 0.0) printf("never\n");
  }
}

__attribute__((noinline)) void nested(double* x) {
#pragma omp parallel num_threads(2)
  {
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < kN; i++) x[i] += 1.0;
  }
}

__attribute__((always_inline)) static inline void shared(double* x, double by) {
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < kN; i++) x[i] *= by;
}

__attribute__((noinline)) void first(double* x) { shared(x, 2.0); }
__attribute__((noinline)) void second(double* x) { shared(x, 3.0); }

__attribute__((noinline)) void tasks(double* x) {
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int i = 0; i < kN; i++) {
#pragma omp task
    x[i] -= 1.0;
  }
}

int main(void) {
  sweep(a, 3);
  nested(a);
  first(a);
  second(a);
  tasks(a);
  printf("%g\n", a[0]);
  return 0;
}
