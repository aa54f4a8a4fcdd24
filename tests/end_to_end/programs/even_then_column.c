/* even_then_column ROUNDS: sweeps over a vector, then as many over one column of a power-of-two
 * matrix: all its lines fall into one set of every cache. */
#include <stdio.h>
#include <stdlib.h>

enum { VECTOR = 1 << 19, EDGE = 1024 };

static double vector[VECTOR];
static double matrix[EDGE][EDGE];

__attribute__((noinline)) static void even(void) {
  for (int i = 0; i < VECTOR; ++i) {
    vector[i] = 0.5 * vector[i] + 0.1;
  }
}

__attribute__((noinline)) static void column(int at) {
  for (int row = 0; row < EDGE; ++row) {
    matrix[row][at] = 0.5 * matrix[row][at] + 0.1;
  }
}

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 1;
  for (int round = 0; round < rounds; ++round) {
    even();
  }
  for (int round = 0; round < rounds * (VECTOR / EDGE); ++round) {
    column(round / 1024 % 8);
  }
  printf("%.6f %.6f\n", vector[VECTOR / 2], matrix[EDGE / 2][1]);
  return 0;
}
