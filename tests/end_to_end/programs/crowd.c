/* crowd THREADS ENTRIES: each thread enters an instrumented function with a loop ENTRIES times, all
 * at once. Prints how often the threads gave up the CPU of their own accord meanwhile: a lock that
 * they share would make them wait for each other. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { LOOP = 7, MOST_THREADS = 256 };

struct worker {
  long entries;
  double sum;
  long waits;
};

static pthread_barrier_t start;

__attribute__((noinline)) static double add_up(double sum, volatile const double* step) {
  for (int i = 0; i < LOOP; ++i) {
    sum += *step;
  }
  return sum;
}

static void* work(void* data) {
  struct worker* worker = data;
  struct rusage before;
  struct rusage after;
  const volatile double step = 1.0;
  double sum = add_up(0.0, &step); /* the thread is known and its memory there */
  pthread_barrier_wait(&start);
  getrusage(RUSAGE_THREAD, &before);
  for (long i = 1; i < worker->entries; ++i) {
    sum = add_up(sum, &step);
  }
  getrusage(RUSAGE_THREAD, &after);
  worker->sum = sum;
  worker->waits = after.ru_nvcsw - before.ru_nvcsw;
  return NULL;
}

int main(int argc, char** argv) {
  const long threads = argc > 1 ? atol(argv[1]) : 64;
  const long entries = argc > 2 ? atol(argv[2]) : 10000;
  static struct worker workers[MOST_THREADS];
  static pthread_t ids[MOST_THREADS];
  if (threads < 1 || threads > MOST_THREADS) {
    return 2;
  }
  pthread_barrier_init(&start, NULL, (unsigned)threads);
  for (long i = 0; i < threads; ++i) {
    workers[i].entries = entries;
    if (pthread_create(&ids[i], NULL, work, &workers[i]) != 0) {
      return 1;
    }
  }
  long waits = 0;
  double sum = 0.0;
  for (long i = 0; i < threads; ++i) {
    pthread_join(ids[i], NULL);
    waits += workers[i].waits;
    sum += workers[i].sum;
  }
  printf("%ld %.0f\n", waits, sum);
  return 0;
}
