/* hot SECONDS: one loop takes nearly all of the time, and says how long it ran. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "work.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? atof(argv[1]) : 0.3;
  const double start = now();
  double sum = 0.0;
  while (now() - start < seconds) sum += work(100000);
  printf("%.1f\n", sum);
  return 0;
}
