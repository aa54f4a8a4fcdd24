// Threads that wait for one known reason, which the first argument names:
//     waits uneven|alone|serial|locked REPEATS

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kN = 4000 };
static double values[kN];
static double sums[kN];

/// Thread 0 has the short rows.
static void uneven(void) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < kN; ++i) {
    double sum = 0.0;
    for (int j = 0; j <= i; ++j) {
      sum += values[j] * values[i];
    }
    sums[i] += sum;
  }
}

static double all_pairs(void) {
  double sum = 0.0;
  for (int i = 0; i < kN; ++i) {
    for (int j = 0; j < kN; ++j) {
      sum += values[j] * values[i];
    }
  }
  return sum;
}

static void alone(void) {
#pragma omp parallel
#pragma omp single
  sums[0] += all_pairs();
}

static void serial(void) {
  sums[0] += all_pairs();
#pragma omp parallel for schedule(static)
  for (int i = 0; i < kN; ++i) {
    double sum = 0.0;
    for (int j = 0; j < kN / 4; ++j) {
      sum += values[j] * values[i];
    }
    sums[i] += sum;
  }
}

static void locked(void) {
#pragma omp parallel
#pragma omp critical
  sums[0] += all_pairs();
}

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "uneven";
  const int repeats = argc > 2 ? atoi(argv[2]) : 1;
  for (int i = 0; i < kN; ++i) {
    values[i] = 1.0 / (1.0 + i);
  }
  for (int r = 0; r < repeats; ++r) {
    if (strcmp(how, "uneven") == 0) uneven();
    if (strcmp(how, "alone") == 0) alone();
    if (strcmp(how, "serial") == 0) serial();
    if (strcmp(how, "locked") == 0) locked();
  }
  printf("%g\n", sums[0] + sums[kN - 1]);
  return 0;
}
