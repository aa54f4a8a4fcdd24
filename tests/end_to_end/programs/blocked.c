/* Products of matrices: plain, with -DBLOCKED in tiles that fit the caches, with -DMORE one more
   sweep of work. The lines of the kernel move with the variant. */
#include <stdlib.h>
#ifdef BLOCKED
enum { TILE = 40 };
#define LEAST(a, b) ((a) < (b) ? (a) : (b))
#endif

__attribute__((noinline)) static void product(int n, const double* restrict a,
                                              const double* restrict b, double* restrict c) {
#ifdef BLOCKED
  for (int jj = 0; jj < n; jj += TILE)
    for (int kk = 0; kk < n; kk += TILE)
      for (int i = 0; i < n; ++i)
        for (int k = kk; k < LEAST(kk + TILE, n); ++k)
          for (int j = jj; j < LEAST(jj + TILE, n); ++j)
            c[i * n + j] += a[i * n + k] * b[k * n + j];
#else
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
#endif
}

__attribute__((noinline)) static void scale(int n, double* restrict c) {
  for (int i = 0; i < n * n; ++i) c[i] *= 0.5;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 240;
  double *a = calloc((size_t)n * n, 8), *b = calloc((size_t)n * n, 8),
         *c = calloc((size_t)n * n, 8);
  for (int i = 0; i < n * n; ++i) {
    a[i] = i % 7;
    b[i] = i % 5;
  }
  product(n, a, b, c);
  scale(n, c);
#ifdef MORE
  scale(n, c);
#endif
  int bad = c[n] < 0;
  free(a);
  free(b);
  free(c);
  return bad;
}
