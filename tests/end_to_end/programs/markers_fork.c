/* A child goes on in the markers of its parent. Argument: n. */
#include <ridge/marker.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) static void add(double* a, long n) {
  for (long i = 0; i < n; ++i) {
    a[i] = a[i] + 1.5;
  }
}

int main(int argc, char** argv) {
  const long n = argc > 1 ? atol(argv[1]) : 1000;
  double* a = calloc((size_t)n, sizeof(*a));
  ridge_marker_start("both");
  add(a, n);
  const pid_t child = fork();
  if (child == 0) {
    add(a, n);
    add(a, n);
    ridge_marker_stop("both");
    ridge_marker_start("child");
    add(a, n);
    ridge_marker_stop("child");
    exit(0);
  }
  add(a, n);
  ridge_marker_stop("both");
  add(a, n);
  waitpid(child, NULL, 0);
  printf("%g\n", a[0]);
  return 0;
}
