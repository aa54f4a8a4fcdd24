/* Forks again and again while threads run; each child has threads of its own. Each of them sums
 * the MEMBERS of an array, in a child a tenth as often. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 3, CHILDREN = 8, PASSES = 600, MEMBERS = 1 << 13 };

static int passes = PASSES;
double numbers[MEMBERS]; /* whose values the compiler does not know */

static void* sum(void* result) {
  for (int pass = 0; pass < passes; ++pass) {
    double all = 0;
    for (int i = 0; i < MEMBERS; ++i) {
      all += numbers[i];
    }
    *(volatile double*)result = all;
  }
  return NULL;
}

static void start(pthread_t* threads, double* results) {
  for (int i = 0; i < THREADS; ++i) {
    pthread_create(&threads[i], NULL, sum, &results[i]);
  }
}

static void finish(const pthread_t* threads) {
  for (int i = 0; i < THREADS; ++i) {
    pthread_join(threads[i], NULL);
  }
}

int main(void) {
  pthread_t threads[THREADS];
  double results[THREADS];
  start(threads, results);
  int failed = 0;
  for (int i = 0; i < CHILDREN; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      passes = PASSES / 10;
      start(threads, results);
      finish(threads);
      exit(0);
    }
    int status = 1;
    failed |= waitpid(child, &status, 0) != child || status != 0;
  }
  finish(threads);
  return failed;
}
