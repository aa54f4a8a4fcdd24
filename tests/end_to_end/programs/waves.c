/* Threads that are started and joined again and again; each does work(100). Prints how many pages
 * more than after the fifth wave the process holds at the end.
 *
 *     waves THREADS WAVES */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "work.h"

enum { MOST_THREADS = 64, SETTLED = 5 };

static void* run(void* sum) {
  *(double*)sum = work(100);
  return NULL;
}

static long resident_pages(void) {
  long size = 0;
  long resident = 0;
  FILE* file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%ld %ld", &size, &resident) != 2) exit(3);
  fclose(file);
  return resident;
}

int main(int argc, char** argv) {
  const int threads = argc > 1 ? atoi(argv[1]) : MOST_THREADS;
  const int waves = argc > 2 ? atoi(argv[2]) : 50;
  static double sums[MOST_THREADS];
  static pthread_t ids[MOST_THREADS];
  long settled = 0;
  if (threads > MOST_THREADS) return 2;
  for (int wave = 1; wave <= waves; ++wave) {
    for (int i = 0; i < threads; ++i) {
      if (pthread_create(&ids[i], NULL, run, &sums[i]) != 0) return 1;
    }
    for (int i = 0; i < threads; ++i) pthread_join(ids[i], NULL);
    if (wave == SETTLED) settled = resident_pages();
  }
  printf("%ld\n", resident_pages() - settled);
  return 0;
}
