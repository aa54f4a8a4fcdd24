/* What must travel between two ranks, in closed forms; and bytes of types of 2 GiB and more, and of
 * a message that is no whole number of its type. */
#include <mpi.h>
#include <stdlib.h>

enum { TURNS = 10, HALO = 1000, MESSAGE = 5 };

static int rank;
static double data[4 * HALO];
static double other[4 * HALO];

/* At each end of the line of ranks there is no neighbour; in the other direction each rank is its
 * own. */
static void exchange(void) {
  const int lower = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  const int upper = rank < 1 ? rank + 1 : MPI_PROC_NULL;
  for (int i = 0; i < TURNS; ++i) {
    MPI_Sendrecv(data, HALO, MPI_DOUBLE, lower, 0, other, HALO, MPI_DOUBLE, upper, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(data, HALO, MPI_DOUBLE, rank, 1, rank, 1, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
    MPI_Request request;
    MPI_Isend(data, HALO, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

static void collect(void) {
  const int counts[2] = {1 + rank, 3};
  const int places[2] = {0, 10};
  const int expected[2] = {rank == 0 ? 1 : 3, rank == 0 ? 2 : 3};
  const int one[2] = {1, 1};
  const int bytes[2] = {0, 64};
  const MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE}; /* what each rank gets */
  const MPI_Datatype own[2] = {types[rank], types[rank]};
  for (int i = 0; i < TURNS; ++i) {
    MPI_Allreduce(data, other, HALO, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF);
    MPI_Bcast(data, 7, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Reduce(data, other, 3, MPI_DOUBLE, MPI_SUM, 1, MPI_COMM_WORLD);
    MPI_Gather(data, 6, MPI_CHAR, other, 6, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Allgather(data, 3, MPI_SHORT, other, 3, MPI_SHORT, MPI_COMM_WORLD);
    MPI_Alltoall(data, 4, MPI_INT, other, 4, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoallv(data, counts, places, MPI_DOUBLE, other, expected, places, MPI_DOUBLE,
                  MPI_COMM_WORLD);
    MPI_Alltoallw(data, one, bytes, types, other, one, bytes, own, MPI_COMM_WORLD);
  }
}

/* Of the messages that each rank puts and gets one goes to itself. */
static void put(void) {
  MPI_Win window;
  MPI_Win_create(other, sizeof(other), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  for (int peer = 0; peer < 2; ++peer) {
    MPI_Put(data, 11, MPI_DOUBLE, peer, rank * 20, 11, MPI_DOUBLE, window);
    MPI_Accumulate(data, 2, MPI_DOUBLE, peer, 100, 2, MPI_DOUBLE, MPI_SUM, window);
    MPI_Get(data + HALO + peer * 20, 13, MPI_DOUBLE, peer, 200, 13, MPI_DOUBLE, window);
  }
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
}

static void write_file(const char* name) {
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  MPI_File_write_at(file, (MPI_Offset)rank * 800, data, 100, MPI_DOUBLE, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
}

/* 6 GiB, which an int does not hold, of which nothing is moved; and half a pair. */
static void sizes(void) {
  MPI_Datatype large;
  MPI_Type_contiguous(3 * (1 << 28), MPI_DOUBLE, &large);
  MPI_Type_commit(&large);
  MPI_Ssend(data, 1, large, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  MPI_Type_free(&large);
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  for (int i = 0; i < 2; ++i) {
    if (rank == 0) {
      MPI_Send(data, MESSAGE + i, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
      MPI_Recv(other, 100, pair, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  MPI_Type_free(&pair);
}

int main(int count, char** words) {
  MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  exchange();
  collect();
  put();
  write_file(words[1]);
  sizes();
  MPI_Finalize();
  return 0;
}
