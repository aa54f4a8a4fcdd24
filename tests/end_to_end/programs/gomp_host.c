/* Instrumented code before and after a call into a library with libgomp. */
#include <stdio.h>
#include <stdlib.h>

double gomp_sum(long n, const double* values);

enum { N = 200000 };

int main(void) {
  double* values = malloc(N * sizeof(double));
  if (values == NULL) {
    return 1;
  }
  for (long i = 0; i < N; ++i) {
    values[i] = 0.5 * (double)i;
  }
  const double sum = gomp_sum(N, values);
  double own = 0.0;
  for (long i = 0; i < N; ++i) {
    own += values[i];
  }
  printf("%.1f\n", sum - own);
  free(values);
  return sum == own ? 0 : 1;
}
