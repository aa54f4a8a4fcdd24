/* One rank of a parallel program without MPI: `sweep` does (rank + 1) times as many operations as
 * that of rank 0, `shift` as much on each, `alone` runs on rank 0 only.
 *
 *     ranks N [kill RANK]       N turns; that rank ends itself by SIGKILL after half of its work
 *     ranks N fill RANK FILE    that rank fills the file system of FILE when its work is done */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIZE = 4096 };
static double a[SIZE];
static double b[SIZE];
static long from[SIZE];
static long to[SIZE];

__attribute__((noinline)) static void sweep(long turns) {
  for (long turn = 0; turn < turns; ++turn) {
    for (int i = 0; i < SIZE; ++i) {
      a[i] = a[i] + 0.5 * b[i]; /* 2 flops */
    }
  }
}

/* Neither flops nor calls: what only its bytes tell of. */
__attribute__((noinline)) static void shift(long turns) {
  for (long turn = 0; turn < turns; ++turn) {
    for (int i = 0; i < SIZE; ++i) {
      to[i] = from[i] ^ turn;
    }
  }
}

__attribute__((noinline)) static double alone(void) {
  double sum = 0.0;
  for (int i = 0; i < SIZE; ++i) {
    sum += a[i]; /* 1 flop */
  }
  return sum;
}

static void fill(const char* name) {
  static char block[4096];
  const int file = open(name, O_WRONLY | O_CREAT, 0600);
  for (size_t bytes = sizeof(block); bytes > 0; bytes /= 2) {
    while (write(file, block, bytes) > 0) {
    }
  }
  close(file);
}

int main(int argc, char** argv) {
  const char* variable = getenv("OMPI_COMM_WORLD_RANK");
  const long rank = variable == NULL ? 0 : atol(variable);
  const long turns = argc > 1 ? atol(argv[1]) : 1;
  for (int i = 0; i < SIZE; ++i) {
    b[i] = 0.25;
    from[i] = argc * i; /* else the compiler knows that it is 0 */
  }
  sweep(turns * (rank + 1));
  shift(turns);
  if (argc > 3 && strcmp(argv[2], "kill") == 0 && atol(argv[3]) == rank) {
    raise(SIGKILL);
  }
  if (argc > 4 && strcmp(argv[2], "fill") == 0 && atol(argv[3]) == rank) {
    fill(argv[4]);
  }
  if (rank == 0) {
    printf("%g %ld\n", alone(), to[1]);
  }
  return 0;
}
