/* An "instrumented" program with markers, one scenario per name. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/testdata/emulated_module.h"

void ridge_marker_begin(const char* name);
void ridge_marker_end(const char* name);

enum { CHILDREN = 30 };

static struct ridge_module module;
static struct ridge_module later;

static struct emulated_frame enter_here(void) {
  return emulate_enter(&module, 0, (uint64_t)__builtin_frame_address(0));
}

static void count(uint64_t amount) {
  struct emulated_frame frame = enter_here();
  emulate_count(&module, frame, 1, amount);
  emulate_leave(frame);
}

static void run_phases(void) {
  count(5);
  ridge_marker_begin("first");
  count(7);
  ridge_marker_begin("second");
  count(11);
  ridge_marker_end("first");
  count(13);
  ridge_marker_end("second");
  ridge_marker_begin("first");
  ridge_marker_begin("first");
  count(17);
  ridge_marker_end("first");
  ridge_marker_end("first");
  ridge_marker_end("first");
  ridge_marker_begin("open");
  count(19);
}

/* More counters than there was room for when the marker started. */
static void run_late_counters(void) {
  ridge_marker_begin("first");
  count(5);
  emulate_module(&later, "later.c", 1, 1000, NULL);
  struct emulated_frame frame = emulate_enter(&later, 0, (uint64_t)__builtin_frame_address(0));
  emulate_count(&later, frame, 999, 23);
  emulate_leave(frame);
  ridge_marker_end("first");
}

static void* of_thread(void* amount) {
  ridge_marker_begin("thread");
  count((uint64_t)amount);
  ridge_marker_end("thread");
  ridge_marker_begin("ends with it");
  count((uint64_t)amount);
  return NULL;
}

static void in_threads(void) {
  pthread_t threads[2];
  for (uint64_t i = 0; i < 2; ++i) {
    pthread_create(&threads[i], NULL, of_thread, (void*)(i + 1));
  }
  for (int i = 0; i < 2; ++i) {
    pthread_join(threads[i], NULL);
  }
}

static void run_threads(void) {
  in_threads();
  ridge_marker_begin("around");
  ridge_marker_begin("thread");
  in_threads();
  ridge_marker_end("thread");
  ridge_marker_end("around");
}

/* The main thread and another one take part in the same marker; `step` says whose turn it is. */
static _Atomic int step;

static void wait_for(int wanted) {
  while (atomic_load(&step) != wanted) {
    sched_yield();
  }
}

static void* that_starts_first(void* unused) {
  (void)unused;
  count(100);
  ridge_marker_begin("second in");
  count(3);
  atomic_store(&step, 1);
  wait_for(2);
  count(7);
  ridge_marker_end("second in");
  atomic_store(&step, 3);
  return NULL;
}

static void* that_stops_last(void* unused) {
  (void)unused;
  ridge_marker_begin("first in");
  count(3);
  atomic_store(&step, 5);
  wait_for(6);
  count(7);
  ridge_marker_end("first in");
  count(100);
  return NULL;
}

static void run_part(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, that_starts_first, NULL);
  wait_for(1);
  ridge_marker_begin("second in");
  count(5);
  atomic_store(&step, 2);
  wait_for(3);
  count(11);
  ridge_marker_end("second in");
  pthread_join(thread, NULL);
  ridge_marker_begin("first in");
  count(5);
  pthread_create(&thread, NULL, that_stops_last, NULL);
  wait_for(5);
  count(11);
  ridge_marker_end("first in");
  atomic_store(&step, 6);
  pthread_join(thread, NULL);
}

enum { VISITORS = 3, VISITS = 20000 };

static void visit(void) {
  for (int i = 0; i < VISITS; ++i) {
    ridge_marker_begin("all in");
    count(1);
    ridge_marker_end("all in");
  }
}

static void* of_visitor(void* rounds) {
  if (rounds != NULL) { /* threads come while others are in the marker */
    pthread_t next;
    pthread_create(&next, NULL, of_visitor, (void*)((uint64_t)rounds - 1));
    visit();
    pthread_join(next, NULL);
  }
  return NULL;
}

static void run_all_at_once(void) {
  pthread_t first;
  pthread_create(&first, NULL, of_visitor, (void*)(uint64_t)VISITORS);
  visit();
  pthread_join(first, NULL);
}

/* The parent goes on at once: what it does may not reach the child. */
static void run_fork(void) {
  for (int i = 0; i < CHILDREN; ++i) {
    ridge_marker_begin("first");
    count(5);
    if (fork() == 0) {
      count(7);
      ridge_marker_end("first");
      ridge_marker_begin("second");
      count(11);
      ridge_marker_end("second");
      exit(0);
    }
    count(13);
    ridge_marker_end("first");
    wait(NULL);
  }
}

static void touch(uint64_t first_line, uint64_t lines) {
  struct emulated_frame frame = enter_here();
  for (uint64_t i = 0; i < lines; ++i) {
    emulate_access(&module, frame, 0, (first_line + i) * 64, 8, 0);
  }
  emulate_leave(frame);
}

static void run_traffic(void) {
  touch(1 << 20, 100);
  ridge_marker_begin("first");
  touch(2 << 20, 300);
  ridge_marker_begin("second");
  touch(3 << 20, 5000); /* more than a buffer */
  ridge_marker_end("first");
  touch(4 << 20, 7);
  ridge_marker_end("second");
  touch(5 << 20, 900);
  ridge_marker_begin("open");
  touch(6 << 20, 11);
}

static void run_full(void) {
  char name[] = "marker 0000";
  for (int i = 0; i < 2 * RIDGE_MARKERS_MAX; ++i) {
    for (int digit = 0, rest = i; digit < 4; ++digit, rest /= 10) {
      name[10 - digit] = (char)('0' + rest % 10);
    }
    ridge_marker_begin(name);
    if (i >= RIDGE_OPEN_MARKERS_MAX + 8) {
      ridge_marker_end(name);
    }
  }
  ridge_marker_begin(NULL);
  ridge_marker_end(NULL);
}

__attribute__((constructor)) static void construct(void) {
  emulate_module(&module, "emulated_markers.c", 1, 2, NULL);
  ridge_register_module(&module);
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*run)(void);
  } scenarios[] = {{"phases", run_phases},   {"late_counters", run_late_counters},
                   {"threads", run_threads}, {"fork", run_fork},
                   {"traffic", run_traffic}, {"full", run_full},
                   {"part", run_part},       {"all_at_once", run_all_at_once}};
  struct emulated_frame frame = enter_here();
  for (size_t i = 0; argc > 1 && i < sizeof(scenarios) / sizeof(*scenarios); ++i) {
    if (strcmp(scenarios[i].name, argv[1]) == 0) {
      scenarios[i].run();
      emulate_leave(frame);
      return 0;
    }
  }
  return 98;
}
