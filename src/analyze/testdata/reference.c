/* The kernels of the model reference (testdata/model_reference.tsv) that stencils.c does not have. */
void vector_triad(long N, double* restrict a, const double* restrict b, const double* restrict c, const double* restrict d) {
  for (long i = 0; i < N; ++i) a[i] = b[i] + c[i] * d[i];
}

/* Down the columns: the matrix is walked across its rows. */
void matvec_by_columns(long N, long M, const double a[restrict N][M], const double* restrict b, double* restrict c) {
  for (long j = 0; j < M; ++j)
    for (long i = 0; i < N; ++i) c[i] += a[i][j] * b[i];
}

void matvec(long N, long M, double* restrict y, const double A[restrict N][M], const double* restrict x) {
  for (long i = 0; i < N; ++i)
    for (long j = 0; j < M; ++j) y[i] += A[i][j] * x[j];
}

void matmul(long N, double C[restrict N][N], const double A[restrict N][N], const double B[restrict N][N]) {
  for (long i = 0; i < N; ++i)
    for (long j = 0; j < N; ++j)
      for (long k = 0; k < N; ++k) C[i][j] += A[i][k] * B[k][j];
}

void matmul_ikj(long N, double C[restrict N][N], const double A[restrict N][N], const double B[restrict N][N]) {
  for (long i = 0; i < N; ++i)
    for (long k = 0; k < N; ++k)
      for (long j = 0; j < N; ++j) C[i][j] += A[i][k] * B[k][j];
}

/* The inner loop goes down. */
void five_points_by_columns(long M, long N, double s, double b[restrict M][N], const double a[restrict M][N]) {
  for (long i = 1; i < N - 1; ++i)
    for (long j = 1; j < M - 1; ++j) b[j][i] = (a[j][i - 1] + a[j][i + 1] + a[j - 1][i] + a[j + 1][i]) * s;
}

void every_second(long N, double* restrict a, const double* restrict b) {
  for (long i = 0; i < N; ++i) a[i] = b[2 * i];
}

void every_sixteenth(long N, double* restrict a, const double* restrict b) {
  for (long i = 0; i < N; ++i) a[i] = b[16 * i];
}

void downwards_copy(long N, double* restrict a, const double* restrict b) {
  for (long i = N - 1; i >= 0; --i) a[i] = b[i];
}

void mixed(long N, double* restrict a, const float* restrict b, const short* restrict c) {
  for (long i = 0; i < N; ++i) a[i] = b[i] + c[i];
}

void fill(long N, double* a) {
  for (long i = 0; i < N; ++i) a[i] = 1.0;
}

void lower_triangle(long N, double a[restrict N][N], const double* restrict b) {
  for (long i = 0; i < N; ++i)
    for (long j = 0; j <= i; ++j) a[i][j] += b[j];
}

void gather(long N, double* restrict a, const double* restrict b, const int* restrict index) {
  for (long i = 0; i < N; ++i) a[i] = b[index[i]];
}
