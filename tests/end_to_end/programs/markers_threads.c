/* Markers around a parallel region, within one, and in threads of one's own. Argument: n, divisible
 * by 4. */
#include <pthread.h>
#include <ridge/marker.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static long n;
static double* a;

__attribute__((noinline)) static void add(long begin, long end) {
  for (long i = begin; i < end; ++i) {
    a[i] = a[i] + 1.5;
  }
}

static void* of_thread(void* number) {
  const long quarter = n / 4;
  const long at = (long)number;
  ridge_marker_start("thread");
  add(at * quarter, (at + 1) * quarter);
  ridge_marker_stop("thread");
  add(at * quarter, (at + 1) * quarter);
  if (at == 3) {
    ridge_marker_start("left open by a thread");
    add(at * quarter, (at + 1) * quarter);
  }
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t threads[4];
  n = argc > 1 ? atol(argv[1]) : 1000;
  a = calloc((size_t)n, sizeof(*a));
  ridge_marker_start("around");
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; ++i) {
    a[i] = a[i] * 0.5;
  }
  ridge_marker_stop("around");
#pragma omp parallel num_threads(2)
  {
    ridge_marker_start("within");
#pragma omp for schedule(static)
    for (long i = 0; i < n; ++i) {
      a[i] = a[i] * 0.25;
    }
    ridge_marker_stop("within");
#pragma omp for schedule(static)
    for (long i = 0; i < n; ++i) {
      a[i] = a[i] * 0.125;
    }
  }
  for (long i = 0; i < 4; ++i) {
    pthread_create(&threads[i], NULL, of_thread, (void*)i);
  }
  for (int i = 0; i < 4; ++i) {
    pthread_join(threads[i], NULL);
  }
  ridge_marker_start("thread"); /* the same name around threads that start it: counts once */
  for (long i = 0; i < 2; ++i) {
    pthread_create(&threads[i], NULL, of_thread, (void*)i);
  }
  for (int i = 0; i < 2; ++i) {
    pthread_join(threads[i], NULL);
  }
  ridge_marker_stop("thread");
  printf("%g\n", a[0]);
  free(a);
  return 0;
}
