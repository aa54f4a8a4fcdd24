/* clean_threads ROUNDS: in each round four threads sum their part of an array and add it to a total
 * under a lock. No race, no error of memory, no undefined behaviour; 4 * (2 * PART + 1) flop a
 * round. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, PART = 1000 };

static double* values;
static double total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* add_part(void* data) {
  const double* part = data;
  double sum = 0.0;
  for (int i = 0; i < PART; ++i) {
    sum += 0.5 * part[i];
  }
  pthread_mutex_lock(&lock);
  total += sum;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(int argc, char** argv) {
  const long rounds = argc > 1 ? atol(argv[1]) : 1;
  values = malloc(THREADS * PART * sizeof *values);
  for (long i = 0; i < THREADS * PART; ++i) {
    values[i] = 2.0;
  }
  for (long round = 0; round < rounds; ++round) {
    pthread_t threads[THREADS];
    for (int t = 0; t < THREADS; ++t) {
      if (pthread_create(&threads[t], NULL, add_part, values + t * PART) != 0) {
        return 1;
      }
    }
    for (int t = 0; t < THREADS; ++t) {
      pthread_join(threads[t], NULL);
    }
  }
  printf("%.1f\n", total);
  free(values);
  return 0;
}
