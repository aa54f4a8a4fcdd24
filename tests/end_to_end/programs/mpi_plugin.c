/* What mpi_absent.c opens. */
#include <mpi.h>
#include <stddef.h>

int solve(void) {
  MPI_Init(NULL, NULL);
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Finalize();
}
