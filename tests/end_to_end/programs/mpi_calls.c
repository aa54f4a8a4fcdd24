/* Calls of MPI in known numbers and sizes, by two ranks; what to do is the first argument. */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TURNS = 10, LATE_MICROSECONDS = 200000 };

static int rank;
static double data[4000];
static double other[4000];

__attribute__((noinline)) void ping(void) {
  for (int i = 0; i < TURNS; ++i) {
    if (rank == 0) {
      MPI_Send(data, 100, MPI_DOUBLE, 1, 3, MPI_COMM_WORLD);
    } else {
      MPI_Recv(data, 1000, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
}

__attribute__((noinline)) void collect(void) {
  for (int i = 0; i < TURNS; ++i) {
    int counts[2] = {1 + rank, 3};
    int places[2] = {0, 10};
    int expected[2] = {rank == 0 ? 1 : 3, rank == 0 ? 2 : 3};
    MPI_Bcast(data, 7, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, data, 5, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Alltoallv(data, counts, places, MPI_DOUBLE, other, expected, places, MPI_DOUBLE,
                  MPI_COMM_WORLD);
    MPI_Alltoall(data, 4, MPI_INT, other, 4, MPI_INT, MPI_COMM_WORLD);
    int one[2] = {1, 1};
    int bytes[2] = {0, 64};
    MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE}; /* what each rank gets */
    MPI_Datatype own[2] = {types[rank], types[rank]};
    MPI_Alltoallw(data, one, bytes, types, other, one, bytes, own, MPI_COMM_WORLD);
    MPI_Gather(data, 6, MPI_CHAR, other, 6, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Scatter(data, 2, MPI_DOUBLE, other, 2, MPI_DOUBLE, 1, MPI_COMM_WORLD);
    MPI_Allgather(data, 3, MPI_SHORT, other, 3, MPI_SHORT, MPI_COMM_WORLD);
    MPI_Reduce_scatter_block(data, other, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
}

__attribute__((noinline)) void exchange(void) {
  MPI_Request requests[2];
  for (int i = 0; i < TURNS; ++i) {
    MPI_Irecv(other, 9, MPI_DOUBLE, 1 - rank, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(data, 9, MPI_DOUBLE, 1 - rank, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    MPI_Sendrecv(data, 11, MPI_INT, 1 - rank, 2, other, 11, MPI_INT, 1 - rank, 2, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }
}

static void calls(void) {
  ping();
  collect();
  exchange();
}

static void late_sender(void) {
  if (rank == 1) {
    usleep(LATE_MICROSECONDS);
    MPI_Send(data, 4000, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
  } else {
    MPI_Status status;
    MPI_Recv(data, 4000, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    printf("from %d, tag %d\n", status.MPI_SOURCE, status.MPI_TAG);
  }
}

static void late_rank(void) {
  if (rank == 1) {
    usleep(LATE_MICROSECONDS);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    usleep(LATE_MICROSECONDS);
  }
  MPI_Allreduce(data, other, 100, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void* talk(void* argument) {
  const int tag = *(const int*)argument;
  double own[8] = {tag};
  for (int i = 0; i < TURNS; ++i) {
    if (rank == 0) {
      MPI_Send(own, 8, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD);
    } else {
      MPI_Recv(own, 8, MPI_DOUBLE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (own[0] != tag) {
        MPI_Abort(MPI_COMM_WORLD, 3);
      }
    }
  }
  return NULL;
}

static void threads(void) {
  enum { THREADS = 3 };
  pthread_t all[THREADS];
  int tags[THREADS];
  for (int i = 0; i < THREADS; ++i) {
    tags[i] = i + 1;
    pthread_create(&all[i], NULL, talk, &tags[i]);
  }
  for (int i = 0; i < THREADS; ++i) {
    pthread_join(all[i], NULL);
  }
}

int main(int count, char** words) {
  const char* what = count > 1 ? words[1] : "calls";
  int level = 0;
  const int many = strcmp(what, "threads") == 0;
  MPI_Init_thread(&count, &words, many ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 4000; ++i) {
    data[i] = i + rank;
  }
  if (strcmp(what, "calls") == 0) {
    calls();
  } else if (strcmp(what, "late_sender") == 0) {
    late_sender();
  } else if (strcmp(what, "late_rank") == 0) {
    late_rank();
  } else if (many && level == MPI_THREAD_MULTIPLE) {
    threads();
  } else if (strcmp(what, "abort") == 0 || strcmp(what, "kill") == 0) {
    ping();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0 && strcmp(what, "kill") == 0) {
      raise(SIGKILL);
    } else if (rank == 0) {
      MPI_Abort(MPI_COMM_WORLD, 7);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  printf("rank %d: %g %g\n", rank, data[3], other[1]);
  MPI_Finalize();
  return 0;
}
