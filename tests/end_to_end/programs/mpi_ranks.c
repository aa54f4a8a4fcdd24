/* Ranks of MPI: `sweep` does (rank + 1) times as many operations as that of rank 0.
 *
 *     mpi_ranks TURNS [exit|abort|kill]      rank 1 ends early: exit(3) without MPI_Finalize,
 *                                            MPI_Abort(4), or SIGKILL */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 4096 };
static double a[SIZE];
static double b[SIZE];

__attribute__((noinline)) static void sweep(long turns) {
  for (long turn = 0; turn < turns; ++turn) {
    for (int i = 0; i < SIZE; ++i) {
      a[i] = a[i] + 0.5 * b[i]; /* 2 flops */
    }
  }
}

static void end_early(const char* how) {
  if (strcmp(how, "exit") == 0) {
    exit(3);
  } else if (strcmp(how, "abort") == 0) {
    MPI_Abort(MPI_COMM_WORLD, 4);
  } else {
    raise(SIGKILL);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const long turns = argc > 1 ? atol(argv[1]) : 1;
  for (int i = 0; i < SIZE; ++i) {
    b[i] = 0.25;
  }
  sweep(turns * (rank + 1));
  if (argc > 2 && rank == 1) {
    end_early(argv[2]);
  }
  double sum = 0.0;
  MPI_Allreduce(&a[0], &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("%g\n", sum);
  }
  MPI_Finalize();
  return 0;
}
