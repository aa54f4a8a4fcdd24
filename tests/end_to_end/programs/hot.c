/* hot TURNS: one loop takes nearly all of the time, some 0.1 ms a turn. */
#include <stdio.h>
#include <stdlib.h>

#include "work.h"

int main(int argc, char** argv) {
  const long turns = argc > 1 ? atol(argv[1]) : 2000;
  for (long turn = 0; turn < turns; ++turn) {
    if (work(100000) < 0.0) puts("never");
  }
  return 0;
}
