/* Loops that `ridge model` reads: sizes are parameters, or macros. */
#ifndef WIDTH
#define WIDTH 100
#endif

void jacobi(double* restrict b, const double* restrict a, long M, long N) {
  for (long j = 1; j < M - 1; j++)
    for (long i = 1; i < N - 1; i++)
      b[j * N + i] =
          0.25 * (a[j * N + i - 1] + a[j * N + i + 1] + a[(j - 1) * N + i] + a[(j + 1) * N + i]);
}

double sum_of_rows(const double a[][WIDTH], long N) {
  double sum = 0.0;
  for (long j = 0; j < N; j++)
    for (long i = 0; i < WIDTH; i++) sum += a[j][i];
  return sum;
}

void gather(double* y, const double* x, const int* index, long N) {
  for (long i = 0; i < N; i++) y[i] = x[index[i]];
}

double no_loop(double x) {
  return x + 1.0;
}
