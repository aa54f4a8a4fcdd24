/* Code that holds LIKWID's macros, compiled with and without LIKWID_PERFMON. Argument: n. */
#include <likwid-marker.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  const long n = argc > 1 ? atol(argv[1]) : 1000;
  double* a = calloc((size_t)n, sizeof(*a));
  double events[4] = {1.0, 1.0, 1.0, 1.0};
  double seconds = 1.0;
  int event_count = 4;
  int calls = 1;
  LIKWID_MARKER_INIT;
#pragma omp parallel
  {
    LIKWID_MARKER_THREADINIT;
    LIKWID_MARKER_REGISTER("triad");
  }
#pragma omp parallel
  {
    LIKWID_MARKER_START("triad");
#pragma omp for schedule(static)
    for (long i = 0; i < n; ++i) {
      a[i] = a[i] + 1.5;
    }
    LIKWID_MARKER_STOP("triad");
  }
  LIKWID_MARKER_SWITCH;
  LIKWID_MARKER_RESET("triad");
  LIKWID_MARKER_GET("triad", &event_count, events, &seconds, &calls);
  LIKWID_MARKER_CLOSE;
  printf("%g %d %g %d\n", a[0], event_count, seconds, calls);
  (void)events;
  free(a);
  return 0;
}
