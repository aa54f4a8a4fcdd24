/* Kernels with closed forms. Sizes are odd so that every vectorised loop leaves a remainder. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { kN = 1003, kRows = 37, kColumns = 53, kCube = 19, kMatrix = 23, kFft = 256 };

static double a[4096], b[4096], c[4096];
static double cube_in[kCube][kCube][kCube], cube_out[kCube][kCube][kCube];
static double grid_in[kRows][kColumns], grid_out[kRows][kColumns];
static int row_start[kRows + 1], column[kRows * 7];

__attribute__((noinline)) void triad(double* restrict x, const double* restrict y,
                                     const double* restrict z, double s, int n) {
  for (int i = 0; i < n; i++) x[i] = y[i] + s * z[i];
}

__attribute__((noinline)) void daxpy(double* restrict y, const double* restrict x, double s,
                                     int n) {
  for (int i = 0; i < n; i++) y[i] += s * x[i];
}

__attribute__((noinline)) double dot(const double* x, const double* y, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] * y[i];
  return s;
}

__attribute__((noinline)) void jacobi(double (*restrict out)[kColumns],
                                      double (*restrict in)[kColumns], int rows, int columns) {
  for (int i = 1; i < rows - 1; i++)
    for (int j = 1; j < columns - 1; j++)
      out[i][j] = 0.25 * (in[i - 1][j] + in[i + 1][j] + in[i][j - 1] + in[i][j + 1]);
}

__attribute__((noinline)) void seven_point(double (*restrict out)[kCube][kCube],
                                           double (*restrict in)[kCube][kCube], double p, double q,
                                           int n) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      for (int k = 1; k < n - 1; k++)
        out[i][j][k] = p * in[i][j][k] + q * (in[i - 1][j][k] + in[i + 1][j][k] + in[i][j - 1][k] +
                                              in[i][j + 1][k] + in[i][j][k - 1] + in[i][j][k + 1]);
}

__attribute__((noinline)) void gemm(double* restrict z, const double* restrict x,
                                    const double* restrict y, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double s = 0;
      for (int k = 0; k < n; k++) s += x[i * n + k] * y[k * n + j];
      z[i * n + j] = s;
    }
}

__attribute__((noinline)) void spmv(int rows, const int* start, const int* columns,
                                    const double* restrict values, const double* restrict x,
                                    double* restrict y) {
  for (int i = 0; i < rows; i++) {
    double s = 0;
    for (int k = start[i]; k < start[i + 1]; k++) s += values[k] * x[columns[k]];
    y[i] = s;
  }
}

/* Bit reversal left out: n / 2 * log2 n butterflies of 10 flop. */
__attribute__((noinline)) void fft(double* restrict re, double* restrict im,
                                   const double* restrict twiddle, int n) {
  for (int half = 1; half < n; half *= 2)
    for (int start = 0; start < n; start += 2 * half)
      for (int k = 0; k < half; k++) {
        double wr = twiddle[2 * k * (n / (2 * half))], wi = twiddle[2 * k * (n / (2 * half)) + 1];
        int i = start + k, j = i + half;
        double tr = wr * re[j] - wi * im[j], ti = wr * im[j] + wi * re[j];
        re[j] = re[i] - tr;
        im[j] = im[i] - ti;
        re[i] = re[i] + tr;
        im[i] = im[i] + ti;
      }
}

__attribute__((noinline)) void scale_float(float* x, float s, int n) {
  for (int i = 0; i < n; i++) x[i] = x[i] / s + sqrtf(x[i]);
}

__attribute__((noinline)) int find_first(const double* x, int n, double wanted) {
  for (int i = 0; i < n; i++)
    if (x[i] * 2.0 == wanted) return i;
  return -1;
}

__attribute__((noinline)) void masked_update(double* restrict x, const double* restrict y,
                                             const int* restrict flags, int n) {
  for (int i = 0; i < n; i++)
    if (flags[i] % 3 == 0) x[i] = y[i];
}

__attribute__((noinline)) void parallel_scale(double* x, double s, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) x[i] = x[i] * s;
}

__attribute__((noinline)) double parallel_sum(const double* x, int n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s) num_threads(2)
  for (int i = 0; i < n; i++) s += x[i];
  return s;
}

int main(void) {
  static float f[1024];
  for (int i = 0; i < 4096; i++) a[i] = i % 13, b[i] = i % 7, c[i] = i % 5;
  for (int i = 0; i < 1024; i++) f[i] = (float)(i % 9);
  for (int i = 0; i <= kRows; i++) row_start[i] = i * 7;
  for (int i = 0; i < kRows * 7; i++) column[i] = i * 37 % kN;
  triad(a, b, c, 3.0, kN);
  daxpy(a, b, 2.0, kN);
  double s = dot(a, b, kN);
  jacobi(grid_out, grid_in, kRows, kColumns);
  seven_point(cube_out, cube_in, 0.5, 0.1, kCube);
  gemm(c, a, b, kMatrix);
  spmv(kRows, row_start, column, b, a, c);
  fft(a, b, c, kFft);
  scale_float(f, 2.0f, kN);
  s += find_first(b, kN, 12.0);
  masked_update(a, b, column, kRows * 7);
  parallel_scale(b, 2.0, kN);
  s += parallel_sum(b, kN);
  printf("%.6g %.6g %.6g\n", s, c[5], (double)f[7]);
  return 0;
}
