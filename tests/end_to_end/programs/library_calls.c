/* Calls of BLAS, LAPACK and FFTW in known numbers and sizes. Prototypes are ours: the headers of
 * CBLAS differ. */
#include <fftw3.h>
#include <stddef.h>
#include <stdio.h>

enum { N = 64, LEFT = 141, RIGHT = 142, COLUMNS = 102, NONE = 111, UPPER = 121, NON_UNIT = 131 };

void cblas_dgemm(int, int, int, int, int, int, double, const double*, int, const double*, int,
                 double, double*, int);
void cblas_dtrsm(int, int, int, int, int, int, int, double, const double*, int, double*, int);
void cblas_zgemv(int, int, int, int, const void*, const void*, int, const void*, int, const void*,
                 void*, int);
double cblas_ddot(int, const double*, int, const double*, int);
float cblas_snrm2(int, const float*, int);
size_t cblas_idamax(int, const double*, int);
void dgemm_(const char*, const char*, const int*, const int*, const int*, const double*,
            const double*, const int*, const double*, const int*, const double*, double*,
            const int*, size_t, size_t);
void dgetrf_(const int*, const int*, double*, const int*, int*, int*);
void dpotrf_(const char*, const int*, double*, const int*, int*, size_t);
void dgeqrf_(const int*, const int*, double*, const int*, double*, double*, const int*, int*);

static double a[N * N], b[N * N], c[N * N], work[N * N], tau[N];
static float f[N];

__attribute__((noinline)) void multiply(void) {
  const int n = N;
  const double one = 1.0;
  for (int i = 0; i < 12; ++i) {
    cblas_dgemm(COLUMNS, NONE, NONE, 60, 50, 40, 0.5, a, N, b, N, 0.25, c, N);
  }
  dgemm_("N", "T", &n, &n, &n, &one, a, &n, b, &n, &one, c, &n, 1, 1);
  cblas_dtrsm(COLUMNS, RIGHT, UPPER, NONE, NON_UNIT, 20, 30, 1.5, a, N, c, N);
  const double factor[2] = {1.0, 0.5};
  const double nothing[2] = {0.0, 0.0};
  cblas_zgemv(COLUMNS, NONE, 20, 10, factor, a, 20, b, 1, nothing, work, 1);
  printf("%.12g %.12g %.12g\n", c[5], c[N * 49 + 3], work[7]);
  printf("%.12g %.7g %zu\n", cblas_ddot(N, a, 1, b, 1), (double)cblas_snrm2(N, f, 1),
         cblas_idamax(N, a, 1));
}

__attribute__((noinline)) void factorise(void) {
  static int pivots[N];
  const int n = N;
  const int rows = 48;
  int room = -1;
  int info = 0;
  dgeqrf_(&n, &rows, b, &n, tau, work, &room, &info); /* asks how much room it needs */
  room = N * N;
  dgeqrf_(&n, &rows, b, &n, tau, work, &room, &info);
  printf("%d %.12g\n", info, b[0]);
  for (int i = 0; i < N * N; ++i) {
    work[i] = i % (N + 1) == 0 ? N : 1.0;
  }
  dpotrf_("L", &n, work, &n, &info, 1);
  printf("%d %.12g\n", info, work[N + 1]);
  dgetrf_(&n, &n, a, &n, pivots, &info);
  printf("%d %.12g\n", info, a[N + 1]);
}

/* FFTW's older interface for Fortran, which Quantum ESPRESSO calls: all by reference. */
void dfftw_plan_dft_1d_(fftw_plan* plan, const int* n, fftw_complex* in, fftw_complex* out,
                        const int* sign, const int* flags);
void dfftw_execute_dft_(const fftw_plan* plan, fftw_complex* in, fftw_complex* out);
void dfftw_destroy_plan_(fftw_plan* plan);

void transform_as_fortran_does(fftw_complex* data) {
  const int size = 256;
  const int sign = FFTW_FORWARD;
  const int flags = FFTW_ESTIMATE;
  fftw_plan plan = NULL;
  dfftw_plan_dft_1d_(&plan, &size, data, data, &sign, &flags);
  dfftw_execute_dft_(&plan, data, data);
  dfftw_execute_dft_(&plan, data, data);
  printf("%.10g\n", data[7][0]);
  dfftw_destroy_plan_(&plan);
}

__attribute__((noinline)) void transform(void) {
  fftw_complex* data = fftw_malloc(sizeof(fftw_complex) * 4096);
  for (int i = 0; i < 4096; ++i) {
    data[i][0] = i % 7;
    data[i][1] = 0.0;
  }
  fftw_plan line = fftw_plan_dft_1d(1024, data, data, FFTW_FORWARD, FFTW_ESTIMATE);
  for (int i = 0; i < 3; ++i) {
    fftw_execute(line);
  }
  printf("%.10g\n", data[3][0]);
  fftw_destroy_plan(line);
  fftw_plan plane = fftw_plan_dft_r2c_2d(32, 16, (double*)data, data, FFTW_ESTIMATE);
  fftw_execute(plane);
  fftw_destroy_plan(plane);
  const int size = 128;
  fftw_plan many = fftw_plan_many_dft(1, &size, 5, data, NULL, 1, size, data, NULL, 1, size,
                                      FFTW_BACKWARD, FFTW_ESTIMATE);
  fftw_execute_dft(many, data, data);
  printf("%.10g\n", data[5][0]);
  fftw_destroy_plan(many);
  transform_as_fortran_does(data);
  fftw_free(data);
}

int main(void) {
  for (int i = 0; i < N * N; ++i) {
    a[i] = (i % (N + 1) == 0 ? N : 0.0) + (double)(i * 7 % 11);
    b[i] = (double)(i * 3 % 13) + (i % (N + 1) == 0 ? N : 0.0);
    f[i % N] = (float)(i % N);
  }
  multiply();
  factorise();
  transform();
  return 0;
}
