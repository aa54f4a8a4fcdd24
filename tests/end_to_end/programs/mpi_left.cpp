// An error handler that leaves a call of MPI by longjmp or by an exception; what follows stands
// deeper on the stack than the call that was left.
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <mpi.h>

namespace {

std::jmp_buf back;
bool throws = false;

void handle(MPI_Comm*, int* code, ...) {
  if (throws) {
    throw *code;
  }
  std::longjmp(back, 1);
}

[[gnu::noinline]] void sum_below(int frames) {
  volatile char room[512];
  room[0] = static_cast<char>(frames);
  if (frames > 0) {
    sum_below(frames - 1);
  } else {
    double own = 1.0;
    double sum = 0.0;
    for (int i = 0; i < 5; ++i) {
      MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    std::printf("sum %g\n", sum);
  }
  room[1] = room[0];
}

void send_to_nobody() {
  int number = 0;
  MPI_Send(&number, 1, MPI_INT, 99, 0, MPI_COMM_WORLD);
}

}  // namespace

int main(int count, char** words) {
  MPI_Init(&count, &words);
  throws = std::strcmp(words[1], "throw") == 0;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(handle, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  if (rank == 0 && throws) {
    try {
      send_to_nobody();
    } catch (int) {
      std::puts("caught");
    }
  } else if (rank == 0 && setjmp(back) == 0) {
    send_to_nobody();
  }
  sum_below(10);
  MPI_Finalize();
}
