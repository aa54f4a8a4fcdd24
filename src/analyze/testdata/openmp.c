/* Loops whose iterations threads share. */
void axpy(double* y, const double* x, double a, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) y[i] += a * x[i];
}
void stencil(double* restrict b, const double* restrict a, long n, long m) {
#pragma omp parallel for schedule(static)
  for (long j = 1; j < m - 1; j++)
    for (long i = 1; i < n - 1; i++) b[j * n + i] = a[j * n + i - 1] + a[j * n + i + 1];
}
void collapsed(double* b, const double* a, int n, int m) {
#pragma omp parallel for collapse(2)
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++) b[j * n + i] = a[i * m + j];
}
double dotp(const double* x, const double* y, int n) {
  double s = 0;
#pragma omp parallel for simd reduction(+ : s)
  for (int i = 0; i < n; i++) s += x[i] * y[i];
  return s;
}
void simd_only(double* y, const double* x, int n) {
#pragma omp simd
  for (int i = 2; i < n; i += 2) y[i] = x[i];
}
void region(double* y, const double* x, int n, int steps) {
#pragma omp parallel
  for (int t = 0; t < steps; t++) {
#pragma omp for
    for (int i = 0; i < n; i++) y[i] += x[i];
  }
}
void dynamic(double* y, int n) {
#pragma omp parallel for schedule(dynamic, 16)
  for (int i = 0; i < n; i++) y[i] = 0;
}
void chunks(double* y, int n) {
#pragma omp parallel for schedule(static, 64)
  for (int i = 0; i < n; i++) y[i] = 0;
}
void runtime_schedule(double* y, int n) {
#pragma omp parallel for schedule(runtime)
  for (int i = n - 1; i >= 0; i--) y[i] = 0;
}
void collapsed3(double* b, int n, int m, int l) {
#pragma omp parallel for collapse(3)
  for (int k = 1; k < l; k++)
    for (int j = 0; j < m; j++)
      for (int i = 0; i < n; i++) b[(k * m + j) * n + i] += 1;
}
void with_if(double* y, int n) {
#pragma omp parallel for if (n > 100) num_threads(4)
  for (int i = 0; i < n; i++) y[i] = 0;
}
void criticals(double* y, int n, double* s) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
#pragma omp atomic
    *s += y[i];
#pragma omp critical
    y[0] += 1;
  }
}
