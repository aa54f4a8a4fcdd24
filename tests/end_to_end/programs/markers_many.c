/* 1e6 pairs. Prints nanoseconds for each. */
#define _POSIX_C_SOURCE 199309L
#include <ridge/marker.h>
#include <stdio.h>
#include <time.h>

int main(void) {
  enum { PAIRS = 1000000 };
  struct timespec begin;
  struct timespec end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  for (int i = 0; i < PAIRS; ++i) {
    ridge_marker_start("pair");
    ridge_marker_stop("pair");
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  printf(
      "%.1f\n",
      (1e9 * (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec)) / PAIRS);
  return 0;
}
