/* lines WHAT: loops whose use of cache lines is known.
 *   stride     one double of each line of 4 MiB
 *   cycle      ten times over 512 KiB
 *   packed     two threads count in neighbouring words of one line
 *   padded     ... in lines of their own
 *   one        ... in the same word */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  LINE_DOUBLES = 8,
  STRIDE_DOUBLES = 1 << 19,
  CYCLE_DOUBLES = 1 << 16,
  TURNS = 100,
  COUNTS = 1000
};

static double data[STRIDE_DOUBLES] __attribute__((aligned(64)));

static double stride(void) {
  double sum = 0.0;
  for (long i = 0; i < STRIDE_DOUBLES; i += LINE_DOUBLES) {
    sum += data[i];
  }
  return sum;
}

static double cycle(void) {
  double sum = 0.0;
  for (int round = 0; round < 10; ++round) {
    for (long i = 0; i < CYCLE_DOUBLES; ++i) {
      sum += data[i];
    }
  }
  return sum;
}

static pthread_barrier_t both;

/* Not inlined: both threads are in one region. */
__attribute__((noinline)) static void count(volatile double* counter) {
  for (long i = 0; i < COUNTS; ++i) {
    *counter += 1.0;
  }
}

/* In turns, so that the threads meet however they are scheduled. */
static void* take_turns(void* counter) {
  for (int turn = 0; turn < TURNS; ++turn) {
    pthread_barrier_wait(&both);
    count(counter);
  }
  return NULL;
}

static void count_in_two(double* first, double* second) {
  pthread_t other;
  pthread_barrier_init(&both, NULL, 2);
  if (pthread_create(&other, NULL, take_turns, second) != 0) {
    exit(1);
  }
  take_turns(first);
  pthread_join(other, NULL);
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "stride") == 0) {
    printf("%g\n", stride());
  } else if (strcmp(what, "cycle") == 0) {
    printf("%g\n", cycle());
  } else if (strcmp(what, "packed") == 0) {
    count_in_two(&data[0], &data[1]);
  } else if (strcmp(what, "padded") == 0) {
    count_in_two(&data[0], &data[LINE_DOUBLES]);
  } else if (strcmp(what, "one") == 0) {
    count_in_two(&data[0], &data[0]);
  } else {
    return 2;
  }
  return 0;
}
