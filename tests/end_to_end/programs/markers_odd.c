/* Markers as they should not be used. Argument: n. */
#include <ridge/marker.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) static void add(double* a, long n) {
  for (long i = 0; i < n; ++i) {
    a[i] = a[i] + 1.5;
  }
}

int main(int argc, char** argv) {
  const long n = argc > 1 ? atol(argv[1]) : 1000;
  double* a = calloc((size_t)n, sizeof(*a));
  char name[2000];
  ridge_marker_stop("never started");
  ridge_marker_start("stopped twice");
  add(a, n);
  ridge_marker_stop("stopped twice");
  ridge_marker_stop("stopped twice");
  ridge_marker_start("");
  ridge_marker_stop("");
  ridge_marker_start(NULL);
  ridge_marker_stop(NULL);
  memset(name, 'x', sizeof(name));
  name[sizeof(name) - 1] = '\0';
  ridge_marker_start(name);
  ridge_marker_stop(name);
  for (int i = 0; i < 100; ++i) { /* more inside each other than there is room for */
    snprintf(name, sizeof(name), "deep %d", i);
    ridge_marker_start(name);
  }
  add(a, n);
  for (int i = 99; i >= 0; --i) {
    snprintf(name, sizeof(name), "deep %d", i);
    ridge_marker_stop(name);
  }
  for (int i = 0; i < 2000; ++i) { /* more names than there is room for */
    snprintf(name, sizeof(name), "name %d", i);
    ridge_marker_start(name);
    ridge_marker_stop(name);
  }
  ridge_marker_start("never stopped");
  add(a, n);
  printf("%g\n", a[0]);
  free(a);
  return 0;
}
