/* Work, messages and reductions whose number is known. */
#include <mpi.h>

enum { kTurns = 50, kLength = 4000 };
static double x[kLength], y[kLength];

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < kLength; i++) x[i] = 1.0;
  double sum = 0.0, all = 0.0;
  for (int turn = 0; turn < kTurns; turn++) {
    for (int i = 0; i < kLength; i++) y[i] = 1.5 * x[i];
    if (rank == 0) MPI_Send(y, kLength, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(x, kLength, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return all != 0.0;
}
