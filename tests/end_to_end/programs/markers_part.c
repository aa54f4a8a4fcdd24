/* The first thread and another one take part in the same marker. Argument: n. */
#include <pthread.h>
#include <ridge/marker.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static long n;
static double* a;
static double* b;
static atomic_int step;

__attribute__((noinline)) static void add(double* to, int times) {
  for (int k = 0; k < times; ++k) {
    for (long i = 0; i < n; ++i) {
      to[i] = to[i] + 1.5;
    }
  }
}

static void wait_for(int wanted) {
  while (atomic_load(&step) < wanted) {
  }
}

static void* of_thread(void* unused) {
  (void)unused;
  ridge_marker_start("second in");
  add(b, 2);
  atomic_store(&step, 1);
  wait_for(2);
  add(b, 1);
  ridge_marker_stop("second in");
  atomic_store(&step, 3);

  wait_for(4);
  ridge_marker_start("first in");
  add(b, 2);
  atomic_store(&step, 5);
  wait_for(6);
  add(b, 1);
  ridge_marker_stop("first in");
  atomic_store(&step, 7);

  ridge_marker_start("as it comes");
  add(b, 4);
  ridge_marker_stop("as it comes");
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t thread;
  n = argc > 1 ? atol(argv[1]) : 1000;
  a = calloc((size_t)n, sizeof(*a));
  b = calloc((size_t)n, sizeof(*b));
  pthread_create(&thread, NULL, of_thread, NULL);

  wait_for(1);
  ridge_marker_start("second in");
  add(a, 1);
  atomic_store(&step, 2);
  wait_for(3);
  add(a, 1);
  ridge_marker_stop("second in");

  ridge_marker_start("first in");
  add(a, 1);
  atomic_store(&step, 4);
  wait_for(5);
  add(a, 1);
  ridge_marker_stop("first in");
  atomic_store(&step, 6);
  wait_for(7);

  ridge_marker_start("as it comes");
  add(a, 4);
  ridge_marker_stop("as it comes");
  pthread_join(thread, NULL);
  printf("%g %g\n", a[0], b[0]);
  free(a);
  free(b);
  return 0;
}
