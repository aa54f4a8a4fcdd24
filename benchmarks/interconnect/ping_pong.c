/* A ping-pong between two ranks, as one writes it by hand: what `ridge bench --mpi` is held
 * against.
 *
 *   mpirun -n 2 ping_pong        one line for each size: bytes, seconds of each sample */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMost = 4 << 20, kSamples = 40 };

static double sample(int rank, char* out, char* in, int bytes, int repeats) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int i = 0; i < repeats; i++) {
    if (rank == 0) {
      MPI_Send(out, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
      MPI_Recv(in, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(in, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(out, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    }
  }
  return (MPI_Wtime() - begin) / 2 / repeats;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char* out = malloc(kMost);
  char* in = malloc(kMost);
  if (out == NULL || in == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  memset(out, 1, kMost);
  memset(in, 1, kMost);
  for (int bytes = 8; bytes <= kMost; bytes = bytes == 8 ? 64 : 4 * bytes) {
    const int repeats = bytes < 100000 ? 500 : 10;
    sample(rank, out, in, bytes, 2);
    if (rank == 0) printf("%d", bytes);
    for (int i = 0; i < kSamples; i++) {
      const double seconds = sample(rank, out, in, bytes, repeats);
      if (rank == 0) printf(" %.9g", seconds);
    }
    if (rank == 0) printf("\n");
  }
  MPI_Finalize();
  return 0;
}
