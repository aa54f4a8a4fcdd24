// Loops whose cycles are known in closed form.
#include <stddef.h>

void daxpy(double* restrict y, const double* restrict x, double a, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    y[i] += a * x[i];
  }
}

double sum(const double* x, size_t n) {
  double s = 0.0;
  for (size_t i = 0; i < n; ++i) {
    s += x[i];
  }
  return s;
}

double no_loop(double a, double b) { return a * b + 1.0; }
