/* Phases with work that is known in closed form, under markers that lie inside each other, overlap
 * and come in loops. Argument: n. Exits with 0. */
#include <ridge/marker.h>
#include <stdio.h>
#include <stdlib.h>

/* n flop */
__attribute__((noinline)) static void add(double* a, long n) {
  for (long i = 0; i < n; ++i) {
    a[i] = a[i] + 1.5;
  }
}

/* 2 n flop */
__attribute__((noinline)) static void add_and_multiply(double* a, long n) {
  for (long i = 0; i < n; ++i) {
    a[i] = (a[i] + 1.5) * 0.5;
  }
}

int main(int argc, char** argv) {
  const long n = argc > 1 ? atol(argv[1]) : 1000;
  double* a = calloc((size_t)n, sizeof(*a));
  add(a, n); /* outside */
  ridge_marker_start("outer");
  for (int step = 0; step < 10; ++step) {
    add(a, n);
    ridge_marker_start("inner");
    add_and_multiply(a, n);
    ridge_marker_stop("inner");
    RIDGE_MARKER_START("loop here"); /* in the function that starts it, in a loop around it */
    for (long i = 0; i < n; ++i) {
      a[i] = a[i] * 0.75 + 0.25 * a[i] * a[i];
    }
    RIDGE_MARKER_STOP("loop here");
  }
  ridge_marker_stop("outer");

  ridge_marker_start("overlapping first");
  add(a, n);
  ridge_marker_start("overlapping second");
  add(a, n);
  ridge_marker_stop("overlapping first");
  add_and_multiply(a, n);
  ridge_marker_stop("overlapping second");

  ridge_marker_start("again"); /* in itself: its work counts once */
  ridge_marker_start("again");
  add(a, n);
  ridge_marker_stop("again");
  add(a, n);
  ridge_marker_stop("again");
  add(a, n);

  ridge_marker_start("nothing");
  ridge_marker_stop("nothing");
  printf("%g\n", a[0]);
  free(a);
  return 0;
}
