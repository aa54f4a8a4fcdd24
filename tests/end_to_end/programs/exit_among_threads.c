/* Sums the MEMBERS of an array PASSES times, then exits while threads are at it for ever. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { THREADS = 3, PASSES = 100, MEMBERS = 1 << 13 };

static atomic_int running;
double numbers[MEMBERS]; /* whose values the compiler does not know */

static void* sum_for_ever(void* result) {
  ++running;
  for (;;) {
    double all = 0;
    for (int i = 0; i < MEMBERS; ++i) {
      all += numbers[i];
    }
    *(volatile double*)result = all;
  }
}

__attribute__((noinline)) static void sum_and_leave(double* result) {
  for (int pass = 0; pass < PASSES; ++pass) {
    double all = 0;
    for (int i = 0; i < MEMBERS; ++i) {
      all += numbers[i];
    }
    *(volatile double*)result = all;
  }
}

int main(void) {
  pthread_t threads[THREADS];
  double results[THREADS + 1];
  for (int i = 0; i < THREADS; ++i) {
    pthread_create(&threads[i], NULL, sum_for_ever, &results[i]);
  }
  while (running < THREADS) {
  }
  sum_and_leave(&results[THREADS]);
  exit(7);
}
