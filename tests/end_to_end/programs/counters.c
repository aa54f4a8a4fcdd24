/* counters WHAT: OpenMP loops whose threads write lines of others, or only those that others have
 * left. packed   each thread counts what it meets in a counter of its own, all of them in one line
 *   padded   ... in lines of their own
 *   handed   both threads write a vector by halves, then one of them all of it, and so on */
#include <omp.h>
#include <stdio.h>
#include <string.h>

enum { PIECE = 1300, PIECES = 200, VALUES = 1 << 17, HANDED = 4, THREADS = 2, LINE_LONGS = 8 };

static long values[THREADS * PIECE];
static volatile long counters[THREADS * LINE_LONGS] __attribute__((aligned(64)));
static double vector[VALUES] __attribute__((aligned(64)));

__attribute__((noinline)) static void count_fourths(const long* piece, volatile long* counter) {
  for (long i = 0; i < PIECE; ++i) {
    if (piece[i] % 4 == 0) {
      ++*counter;
    }
  }
}

__attribute__((noinline)) static void update(double* from, double* to) {
  for (double* value = from; value != to; ++value) {
    *value = 0.5 * *value + 1.0;
  }
}

/* A piece is about a turn of the simulated cores; the barriers make the threads meet however they
 * are scheduled. */
static void count_in_threads(long distance) {
#pragma omp parallel num_threads(THREADS)
  {
    const long thread = omp_get_thread_num();
    for (int piece = 0; piece < PIECES; ++piece) {
      count_fourths(&values[thread * PIECE], &counters[thread * distance]);
#pragma omp barrier
    }
  }
}

static void hand_on(void) {
  for (int round = 0; round < HANDED; ++round) {
#pragma omp parallel num_threads(THREADS)
    {
      double* half = vector + omp_get_thread_num() * (VALUES / THREADS);
      update(half, half + VALUES / THREADS);
    }
    update(vector, vector + VALUES);
  }
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  for (long i = 0; i < THREADS * PIECE; ++i) {
    values[i] = i;
  }
  if (strcmp(what, "handed") == 0) {
    hand_on();
  } else {
    count_in_threads(strcmp(what, "packed") == 0 ? 1 : LINE_LONGS);
  }
  printf("%ld %g\n", counters[0], vector[1]);
  return 0;
}
