/* uneven_below LEVEL EVEN UNEVEN FIRST HOTS: walks over lines of which each set of the first level
 * of machine_small.json gets equally many, so that all of them miss there.
 *
 * Lines fall into 64 columns by number mod 64. In EVEN walks all columns do the same below the
 * first level too. In the UNEVEN ones that follow, HOTS columns from FIRST on differ from the
 * others: L3     their lines meet in one set of the second level and miss it; the others hit there
 *   DRAM   ... of the last level; the others miss the second level and hit the last one
 *   dirty  only their lines are written, so that only they come back from the first level */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 64, ROWS = 24, LINE_DOUBLES = 8, ROW_LINES_MOST = 1024 };

static double data[ROWS * ROW_LINES_MOST * LINE_DOUBLES] __attribute__((aligned(1 << 20)));

__attribute__((noinline)) static double walk(const long* row_lines) {
  double sum = 0.0;
  for (long i = 0; i < ROWS * COLUMNS; ++i) {
    const long column = i % COLUMNS;
    sum += 0.5 * data[(i / COLUMNS * row_lines[column] + column) * LINE_DOUBLES];
  }
  return sum;
}

__attribute__((noinline)) static double walk_and_write(long row_lines, unsigned long long written) {
  double sum = 0.0;
  for (long i = 0; i < ROWS * COLUMNS; ++i) {
    const long column = i % COLUMNS;
    double* line = &data[(i / COLUMNS * row_lines + column) * LINE_DOUBLES];
    sum += 0.5 * *line;
    if ((written >> column & 1) != 0) {
      *line = sum;
    }
  }
  return sum;
}

int main(int argc, char** argv) {
  if (argc != 6) {
    return 2;
  }
  const int at_memory = strcmp(argv[1], "DRAM") == 0;
  const int dirty = strcmp(argv[1], "dirty") == 0;
  const int even = atoi(argv[2]);
  const int uneven = atoi(argv[3]);
  const int first = atoi(argv[4]);
  const int hots = atoi(argv[5]);
  long row_lines[COLUMNS];
  for (int column = 0; column < COLUMNS; ++column) {
    row_lines[column] = at_memory ? 256 : 64;
  }
  double sum = 0.0;
  for (int round = 0; round < even; ++round) {
    sum += dirty ? walk_and_write(64, 0) : walk(row_lines);
  }
  unsigned long long written = 0;
  for (int column = first; column < first + hots; ++column) {
    row_lines[column] = at_memory ? 1024 : 256;
    written |= 1ULL << column;
  }
  for (int round = 0; round < uneven; ++round) {
    sum += dirty ? walk_and_write(64, written) : walk(row_lines);
  }
  printf("%.6f\n", sum);
  return 0;
}
