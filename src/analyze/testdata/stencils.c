/* Kernels whose layer conditions are known in closed form. */
void copy(long N, double* restrict a, const double* restrict b) {
  for (long i = 0; i < N; ++i) a[i] = b[i];
}

void daxpy(long N, double s, double* restrict a, const double* restrict b) {
  for (long i = 0; i < N; ++i) a[i] = a[i] + s * b[i];
}

void triad(long N, double s, double* restrict a, const double* restrict b, const double* restrict c) {
  for (long i = 0; i < N; ++i) a[i] = b[i] + s * c[i];
}

double scalar_product(long N, const double* a, const double* b) {
  double s = 0.0;
  for (long i = 0; i < N; ++i) s += a[i] * b[i];
  return s;
}

void update(long N, double s, double* a) {
  for (long i = 0; i < N; ++i) a[i] = s * a[i];
}

void three_points(long N, double s, double b[restrict N], const double a[restrict N]) {
  for (long i = 1; i < N - 1; ++i) b[i] = s * (a[i - 1] - 2.0 * a[i] + a[i + 1]);
}

void five_points(long M, long N, double s, double b[restrict M][N], const double a[restrict M][N]) {
  for (long j = 1; j < M - 1; ++j)
    for (long i = 1; i < N - 1; ++i) b[j][i] = (a[j][i - 1] + a[j][i + 1] + a[j - 1][i] + a[j + 1][i]) * s;
}

void seven_points(long M, long N, double s, double b[restrict M][N][N], const double a[restrict M][N][N]) {
  for (long k = 1; k < M - 1; ++k)
    for (long j = 1; j < N - 1; ++j)
      for (long i = 1; i < N - 1; ++i)
        b[k][j][i] = (a[k - 1][j][i] + a[k + 1][j][i] + a[k][j - 1][i] + a[k][j + 1][i] + a[k][j][i - 1] + a[k][j][i + 1]) * s;
}

void long_range(long M, long N, const double c[restrict 5], double U[restrict M][N][N], const double V[restrict M][N][N],
                const double ROC[restrict M][N][N]) {
  for (long k = 4; k < M - 4; k++)
    for (long j = 4; j < N - 4; j++)
      for (long i = 4; i < N - 4; i++) {
        const double lap = c[0] * V[k][j][i] + c[1] * (V[k][j][i + 1] + V[k][j][i - 1]) + c[1] * (V[k][j + 1][i] + V[k][j - 1][i]) +
                           c[1] * (V[k + 1][j][i] + V[k - 1][j][i]) + c[2] * (V[k][j][i + 2] + V[k][j][i - 2]) +
                           c[2] * (V[k][j + 2][i] + V[k][j - 2][i]) + c[2] * (V[k + 2][j][i] + V[k - 2][j][i]) +
                           c[3] * (V[k][j][i + 3] + V[k][j][i - 3]) + c[3] * (V[k][j + 3][i] + V[k][j - 3][i]) +
                           c[3] * (V[k + 3][j][i] + V[k - 3][j][i]) + c[4] * (V[k][j][i + 4] + V[k][j][i - 4]) +
                           c[4] * (V[k][j + 4][i] + V[k][j - 4][i]) + c[4] * (V[k + 4][j][i] + V[k - 4][j][i]);
        U[k][j][i] = 2.0 * V[k][j][i] - U[k][j][i] + ROC[k][j][i] * lap;
      }
}
