/* An "instrumented" program of several threads, one scenario per name: for order_test.cpp. */
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runtime/testdata/emulated_module.h"

static struct ridge_module module;
enum { MAIN = 0, WORKER = 1 };

static struct emulated_frame enter_here(uint32_t region) {
  return emulate_enter(&module, region, (uint64_t)__builtin_frame_address(0));
}

static void check(int good, const char* what) {
  if (!good) {
    fprintf(stderr, "wrong: %s\n", what);
    _exit(99);
  }
}

static double array[3][1 << 15] __attribute__((aligned(64)));
static void stream(struct emulated_frame frame, uint64_t elements) {
  for (uint64_t i = 0; i < elements; ++i) {
    emulate_access(&module, frame, WORKER, (uint64_t)&array[0][i], 8, 0);
    emulate_access(&module, frame, WORKER, (uint64_t)&array[1][i], 8, 0);
    emulate_access(&module, frame, WORKER, (uint64_t)&array[2][i], 8, RIDGE_TRACE_WRITE);
  }
}
static void* traffic_worker(void* unused) {
  struct emulated_frame frame = enter_here(WORKER);
  stream(frame, 1 << 12);
  emulate_leave(frame);
  return unused;
}

/* Both threads read and write both halves of the arrays, in phases, with pauses that no two runs have
 * alike. */
static pthread_barrier_t phase_barrier;
static void pause_at_random(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  usleep((useconds_t)(now.tv_nsec / 1000 % 1500));
}
static void* phase_worker(void* first) {
  struct emulated_frame frame = enter_here(WORKER);
  const uint64_t half = (uint64_t)1 << 14;
  for (uint64_t phase = 0; phase < 6; ++phase) {
    const uint64_t from = ((uint64_t)first + phase) % 2 * half;
    for (uint64_t i = from; i < from + half; ++i) {
      emulate_access(&module, frame, WORKER, (uint64_t)&array[0][i], 8, 0);
      emulate_access(&module, frame, WORKER, (uint64_t)&array[1][i], 8, RIDGE_TRACE_WRITE);
      emulate_access(&module, frame, WORKER, (uint64_t)&array[2][(i * 7) % (2 * half)], 8, 0);
      if (i % 5000 == 0) {
        pause_at_random();
      }
    }
    pthread_barrier_wait(&phase_barrier);
  }
  emulate_leave(frame);
  return NULL;
}
static int run_traffic_phases(struct emulated_frame frame) {
  pthread_t threads[2];
  (void)frame;
  pthread_barrier_init(&phase_barrier, NULL, 2);
  for (uint64_t i = 0; i < 2; ++i) {
    pthread_create(&threads[i], NULL, phase_worker, (void*)i);
    pause_at_random();
  }
  for (int i = 0; i < 2; ++i) {
    pthread_join(threads[i], NULL);
  }
  return 0;
}

/* The other thread has traced something and then does not come, in one way or another, while the
 * first one fills its window many times; afterwards it goes on. */
static int pipe_ends[2];
static _Atomic int go_on;
static void* reading_worker(void* unused) {
  struct emulated_frame frame = enter_here(WORKER);
  char byte = 0;
  stream(frame, 10);
  check(read(pipe_ends[0], &byte, 1) == 1, "read");
  stream(frame, 10);
  emulate_leave(frame);
  return unused;
}
static void* spinning_worker(void* unused) {
  struct emulated_frame frame = enter_here(WORKER);
  stream(frame, 10);
  while (!go_on) {
  }
  stream(frame, 10);
  emulate_leave(frame);
  return unused;
}
static void* leaving_worker(void* unused) {
  struct emulated_frame frame = enter_here(WORKER);
  stream(frame, 20);
  emulate_leave(frame);
  return unused;
}
static int stream_beside(struct emulated_frame frame, void* (*worker)(void*)) {
  pthread_t thread;
  check(pipe(pipe_ends) == 0, "pipe");
  pthread_create(&thread, NULL, worker, NULL);
  for (int i = 0; i < 4; ++i) {
    stream(frame, 1 << 14);
  }
  check(write(pipe_ends[1], "x", 1) == 1, "write");
  go_on = 1;
  pthread_join(thread, NULL);
  return 0;
}
static int run_traffic_beside_reader(struct emulated_frame frame) {
  return stream_beside(frame, reading_worker);
}
static int run_traffic_beside_spinner(struct emulated_frame frame) {
  return stream_beside(frame, spinning_worker);
}
static int run_traffic_beside_leaver(struct emulated_frame frame) {
  return stream_beside(frame, leaving_worker);
}

/* A lock in code that nobody instruments, held while the window fills. */
static pthread_mutex_t stream_lock = PTHREAD_MUTEX_INITIALIZER;
static void* locking_worker(void* unused) {
  struct emulated_frame frame = enter_here(WORKER);
  for (int i = 0; i < 4; ++i) {
    pthread_mutex_lock(&stream_lock);
    stream(frame, 1 << 13);
    pthread_mutex_unlock(&stream_lock);
  }
  emulate_leave(frame);
  return unused;
}
static int run_traffic_locks(struct emulated_frame frame) {
  pthread_t threads[3];
  (void)frame;
  for (int i = 0; i < 3; ++i) {
    pthread_create(&threads[i], NULL, locking_worker, NULL);
  }
  for (int i = 0; i < 3; ++i) {
    pthread_join(threads[i], NULL);
  }
  return 0;
}

/* While another thread has batches that wait for it. */
static int run_traffic_fork_beside(struct emulated_frame frame) {
  pthread_t thread;
  pthread_create(&thread, NULL, traffic_worker, NULL);
  stream(frame, 100);
  const pid_t child = fork();
  if (child == 0) {
    stream(frame, 1 << 12);
    exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  pthread_join(thread, NULL);
  stream(frame, 50);
  return status;
}

struct scenario {
  const char* name;
  int (*run)(struct emulated_frame frame);
};
static const struct scenario scenarios[] = {
    {"phases", run_traffic_phases},
    {"beside_reader", run_traffic_beside_reader},
    {"beside_spinner", run_traffic_beside_spinner},
    {"beside_leaver", run_traffic_beside_leaver},
    {"locks", run_traffic_locks},
    {"fork_beside", run_traffic_fork_beside},
};

__attribute__((constructor)) static void construct(void) {
  emulate_module(&module, "emulated_program.c", 3, 2, "pthread_create");
  ridge_register_module(&module);
}

int main(int argc, char** argv) {
  for (size_t i = 0; argc > 1 && i < sizeof(scenarios) / sizeof(*scenarios); ++i) {
    if (strcmp(scenarios[i].name, argv[1]) == 0) {
      struct emulated_frame frame = enter_here(MAIN);
      const int code = scenarios[i].run(frame);
      emulate_leave(frame);
      return code;
    }
  }
  return 98;
}
