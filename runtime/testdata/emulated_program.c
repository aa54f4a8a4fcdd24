/* An "instrumented" program with one scenario per name. Exit code 0 means that what it could see
 * from inside was right; what it left in the arena is for runtime_test.cpp to judge. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/testdata/emulated_module.h"

static struct ridge_module module;
static char** arguments;

enum { MAIN = 0, WORKER = 1 };

static struct emulated_frame enter_here(uint32_t region) {
  return emulate_enter(&module, region, (uint64_t)__builtin_frame_address(0));
}

static int check(int good, const char* what) {
  if (!good) {
    fprintf(stderr, "wrong: %s\n", what);
    _exit(99);
  }
  return 0;
}

static void count(uint32_t counter, uint64_t amount) {
  struct emulated_frame frame = enter_here(WORKER);
  emulate_count(&module, frame, counter, amount);
  emulate_leave(frame);
}

static int run_count(struct emulated_frame main_frame) {
  emulate_count(&module, main_frame, 0, 1000);
  count(1, 7);
  return 0;
}

static int run_abort(struct emulated_frame frame) {
  run_count(frame);
  abort();
}
static int run_kill(struct emulated_frame frame) {
  run_count(frame);
  raise(SIGKILL);
  return 1;
}
static int run_leave_early(struct emulated_frame frame) {
  run_count(frame);
  _exit(3);
}

/* The frame was entered before the fork: its code goes on with the same address in both. */
static int run_fork(struct emulated_frame frame) {
  emulate_count(&module, frame, 0, 10);
  const pid_t child = fork();
  emulate_count(&module, frame, 0, child == 0 ? 5 : 7);
  check(frame.thread == ridge_current_thread, "block moved");
  check(frame.thread->depth == 2, "depth after fork");
  check(ridge_frame_region(&frame.thread->frames[1]) == module.region_base + MAIN,
        "stack after fork");
  count(1, child == 0 ? 50 : 70);
  if (child == 0) {
    exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

static void* fork_in_thread(void* unused) {
  (void)unused;
  struct emulated_frame frame = enter_here(WORKER);
  emulate_count(&module, frame, 0, 1);
  if (fork() == 0) {
    emulate_count(&module, frame, 0, 2);
    _exit(0);
  }
  emulate_leave(frame);
  return NULL;
}
static int run_fork_in_thread(struct emulated_frame frame) {
  pthread_t thread;
  emulate_count(&module, frame, 1, 1);
  pthread_create(&thread, NULL, fork_in_thread, NULL);
  pthread_join(thread, NULL);
  wait(NULL);
  return 0;
}

static int run_vfork(struct emulated_frame frame) {
  emulate_count(&module, frame, 0, 1);
  const pid_t child = vfork();
  if (child == 0) {
    execl(arguments[0], arguments[0], "count", (char*)NULL);
    _exit(9);
  }
  int status = 0;
  waitpid(child, &status, 0);
  emulate_count(&module, frame, 0, 1);
  return status;
}

static int run_exec(struct emulated_frame frame) {
  emulate_count(&module, frame, 0, 3);
  execl(arguments[0], arguments[0], "count", (char*)NULL);
  return 9;
}

static pthread_barrier_t barrier;
static void* parallel_worker(void* unused) {
  (void)unused;
  struct emulated_frame frame = enter_here(WORKER);
  pthread_barrier_wait(&barrier);
  for (int i = 0; i < 1000; ++i) {
    emulate_count(&module, frame, 0, 1);
  }
  pthread_barrier_wait(&barrier);
  emulate_leave(frame);
  return NULL;
}
static int run_threads(struct emulated_frame frame) {
  pthread_t threads[64];
  (void)frame;
  pthread_barrier_init(&barrier, NULL, 64);
  for (int i = 0; i < 64; ++i) {
    pthread_create(&threads[i], NULL, parallel_worker, NULL);
  }
  for (int i = 0; i < 64; ++i) {
    pthread_join(threads[i], NULL);
  }
  return 0;
}

static void* short_worker(void* unused) {
  count(0, 1);
  return unused;
}
static int run_reuse(struct emulated_frame frame) {
  (void)frame;
  for (int i = 0; i < 200; ++i) {
    pthread_t thread;
    pthread_create(&thread, NULL, short_worker, NULL);
    pthread_join(thread, NULL);
  }
  return 0;
}

/* Other thread-specific data is destroyed by instrumented code, too. */
static pthread_key_t late_key;
static void late_destructor(void* rounds) {
  count(1, 1);
  if ((uint64_t)rounds > 1) {
    pthread_setspecific(late_key, (void*)((uint64_t)rounds - 1));
  }
}
static void* late_worker(void* unused) {
  pthread_setspecific(late_key, (void*)(uint64_t)3);
  count(0, 1);
  return unused;
}
static int run_late_destructors(struct emulated_frame frame) {
  (void)frame;
  pthread_key_create(&late_key, late_destructor);
  for (int i = 0; i < 5; ++i) {
    pthread_t thread;
    pthread_create(&thread, NULL, late_worker, NULL);
    pthread_join(thread, NULL);
  }
  return 0;
}

/* loads_library.c, or loads_nothing.c in the static program. */
int load_library_three_times(const char* path, void (*count_one)(void));
static void count_one(void) {
  count(0, 1);
}
static int run_dlopen(struct emulated_frame frame) {
  (void)frame;
  return load_library_three_times(arguments[2], count_one);
}

static uint64_t deepest;
static void recurse(int left) {
  struct emulated_frame frame = enter_here(WORKER);
  emulate_count(&module, frame, 0, 1);
  deepest = frame.thread->depth > deepest ? frame.thread->depth : deepest;
  if (left > 1) {
    recurse(left - 1);
  }
  emulate_leave(frame);
}
static int run_recursion(struct emulated_frame frame) {
  recurse(10000);
  check(deepest == RIDGE_FRAME_CAPACITY, "deepest");
  return check(frame.thread->depth == 2, "depth after recursion");
}

static jmp_buf target;
static void jump_from(int left);
static void (*volatile jump_next)(int left) = jump_from;
static void jump_from(int left) {
  char padding[256];
  struct emulated_frame frame = enter_here(WORKER);
  memset(padding, left, sizeof(padding));
  if (left > 0) {
    jump_next(left - 1);
  } else {
    longjmp(target, padding[7] + 1);
  }
  emulate_leave(frame);
}
static int run_longjmp(struct emulated_frame frame) {
  if (setjmp(target) == 0) {
    jump_from(50);
  }
  check(frame.thread->depth == 53, "frames are left over");
  /* The dead frames lie below this function's; an entry at its height finds them out. */
  struct emulated_frame next =
      emulate_enter(&module, WORKER, (uint64_t)__builtin_frame_address(0) - 8);
  check(next.thread->depth == 3, "frames were not popped");
  emulate_leave(next);
  return check(frame.thread->depth == 2, "depth after longjmp");
}

static volatile uint64_t depth_in_handler;
static void on_signal(int signal) {
  (void)signal;
  struct emulated_frame frame = enter_here(WORKER);
  depth_in_handler = frame.thread->depth;
  emulate_count(&module, frame, 1, 1);
  emulate_leave(frame);
}
/* The signal's stack lies below and above the frames of the program: neither pops them. */
static int run_alternate_stack(struct emulated_frame frame) {
  const size_t bytes = 1 << 16;
  void* low =
      mmap((void*)0x10000000, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char* stacks[] = {low, NULL};
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
  sigaction(SIGUSR1, &action, NULL);
  stack_t stack = {.ss_sp = stacks[0], .ss_size = bytes};
  check(sigaltstack(&stack, NULL) == 0, "sigaltstack");
  raise(SIGUSR1);
  check(depth_in_handler == 3, "depth in the handler");
  /* As if the handler's stack were higher. */
  const uint64_t above = (uint64_t)__builtin_frame_address(0) + ((uint64_t)1 << 41);
  struct emulated_frame high = emulate_enter(&module, WORKER, above);
  check(high.thread->depth == 3, "a higher stack popped frames");
  emulate_leave(high);
  return check(frame.thread->depth == 2, "depth after the signal");
}

static void* worker_with_dead_frames(void* unused) {
  struct emulated_frame frame = enter_here(WORKER);
  const uint64_t here = (uint64_t)__builtin_frame_address(0);
  emulate_enter(&module, WORKER, here - 1000);
  emulate_enter(&module, WORKER, here - 2000);
  emulate_enter(&module, WORKER, here - 500);
  check(frame.thread->depth == 3, "frames of a thread were not popped");
  emulate_leave(frame);
  return unused;
}
static int run_thread_repair(struct emulated_frame frame) {
  (void)frame;
  pthread_t thread;
  pthread_create(&thread, NULL, worker_with_dead_frames, NULL);
  pthread_join(thread, NULL);
  return 0;
}

static int run_mismatch(struct emulated_frame frame) {
  static struct ridge_module other;
  emulate_module(&other, "other_version.c", 2, 4, NULL);
  other.abi_version = RIDGE_ABI_VERSION + 41;
  struct emulated_frame inner = emulate_enter(&other, 1, (uint64_t)__builtin_frame_address(0) - 8);
  for (uint32_t i = 0; i < 4; ++i) {
    emulate_count(&other, inner, i, 12345);
  }
  emulate_leave(inner);
  return run_count(frame);
}

static int run_damaged_descriptor(struct emulated_frame frame) {
  static struct ridge_module other;
  emulate_module(&other, "damaged.c", 2, 4, NULL);
  ((struct ridge_descriptor_header*)other.descriptor)->term_count = 1000000;
  struct emulated_frame inner = emulate_enter(&other, 1, (uint64_t)__builtin_frame_address(0) - 8);
  emulate_count(&other, inner, 3, 12345);
  emulate_leave(inner);
  return run_count(frame);
}

static int run_too_many_counters(struct emulated_frame frame) {
  static struct ridge_module large[3];
  for (int i = 0; i < 3; ++i) {
    char name[] = "large0.c";
    name[5] = (char)('0' + i);
    emulate_module(&large[i], name, 1, 400000, NULL);
    struct emulated_frame inner =
        emulate_enter(&large[i], 0, (uint64_t)__builtin_frame_address(0) - 8);
    emulate_count(&large[i], inner, 0, 1);
    emulate_count(&large[i], inner, 399999, 1);
    emulate_leave(inner);
  }
  return run_count(frame);
}

static double array[3][1 << 15] __attribute__((aligned(64)));
static void stream(struct emulated_frame frame, uint64_t elements) {
  for (uint64_t i = 0; i < elements; ++i) {
    emulate_access(&module, frame, WORKER, (uint64_t)&array[0][i], 8, 0);
    emulate_access(&module, frame, WORKER, (uint64_t)&array[1][i], 8, 0);
    emulate_access(&module, frame, WORKER, (uint64_t)&array[2][i], 8, RIDGE_TRACE_WRITE);
  }
}
static int run_traffic(struct emulated_frame frame) {
  /* Pages that nobody has written lie on no memory node. */
  for (int i = 0; i < 1 << 15; ++i) {
    array[0][i] = array[1][i] = array[2][i] = i;
  }
  stream(frame, 1 << 15);
  return 0;
}
static int run_traffic_killed(struct emulated_frame frame) {
  stream(frame, 1 << 15);
  raise(SIGKILL);
  return 0;
}
static int run_traffic_forked(struct emulated_frame frame) {
  stream(frame, 100);
  const pid_t child = fork();
  stream(frame, child == 0 ? 200 : 50);
  if (child != 0) {
    waitpid(child, NULL, 0);
  }
  return 0;
}
static void* traffic_worker(void* unused) {
  struct emulated_frame frame = enter_here(WORKER);
  stream(frame, 1 << 12);
  emulate_leave(frame);
  return unused;
}
static int run_traffic_threads(struct emulated_frame frame) {
  pthread_t threads[8];
  (void)frame;
  for (int i = 0; i < 8; ++i) {
    pthread_create(&threads[i], NULL, traffic_worker, NULL);
  }
  for (int i = 0; i < 8; ++i) {
    pthread_join(threads[i], NULL);
  }
  return 0;
}
static int run_traffic_bulk(struct emulated_frame frame) {
  const uint64_t meta = (module.region_base + WORKER) << RIDGE_TRACE_REGION_SHIFT;
  const uint64_t lanes[4] = {(uint64_t)&array[1][0], (uint64_t)&array[1][512],
                             (uint64_t)&array[1][1024], (uint64_t)&array[1][2048]};
  ridge_trace_range(frame.thread, (uint64_t)&array[0][0], sizeof(array[0]), meta | 3);
  ridge_trace_range(frame.thread, (uint64_t)1 << 40, (uint64_t)20 << 20, meta);
  ridge_trace_lanes(frame.thread, lanes, 4, 0xb, meta | 8);
  return 0;
}

/* Nothing of the runtime shows: no descriptor stays open, errno stays, no line is printed. */
static int run_hygiene(struct emulated_frame frame) {
  errno = 77;
  count(0, 1);
  check(errno == 77, "errno");
  for (int file = 3; file < 64; ++file) {
    check(fcntl(file, F_GETFD) < 0, "an open file");
  }
  sigset_t blocked;
  sigprocmask(SIG_SETMASK, NULL, &blocked);
  check(!sigismember(&blocked, SIGUSR1), "blocked signals");
  return run_count(frame);
}

static int run_all_kinds(struct emulated_frame frame) {
  run_reuse(frame);
  run_threads(frame);
  return run_dlopen(frame) + run_fork(frame);
}

struct scenario {
  const char* name;
  int (*run)(struct emulated_frame frame);
};
static const struct scenario scenarios[] = {
    {"count", run_count},
    {"abort", run_abort},
    {"kill", run_kill},
    {"leave_early", run_leave_early},
    {"fork", run_fork},
    {"fork_in_thread", run_fork_in_thread},
    {"vfork", run_vfork},
    {"exec", run_exec},
    {"threads", run_threads},
    {"reuse", run_reuse},
    {"late_destructors", run_late_destructors},
    {"dlopen", run_dlopen},
    {"recursion", run_recursion},
    {"longjmp", run_longjmp},
    {"alternate_stack", run_alternate_stack},
    {"thread_repair", run_thread_repair},
    {"mismatch", run_mismatch},
    {"damaged_descriptor", run_damaged_descriptor},
    {"too_many_counters", run_too_many_counters},
    {"traffic", run_traffic},
    {"traffic_killed", run_traffic_killed},
    {"traffic_forked", run_traffic_forked},
    {"traffic_threads", run_traffic_threads},
    {"traffic_bulk", run_traffic_bulk},
    {"hygiene", run_hygiene},
    {"all_kinds", run_all_kinds},
};

__attribute__((constructor)) static void construct(void) {
  emulate_module(&module, "emulated_program.c", 3, 2, "pthread_create");
  ridge_register_module(&module);
}

/* What the arena has not handed out yet lies beyond the end of the file from now on. */
static void cut_arena(const char* session, const char* bytes) {
  const int file = open(session, O_RDWR);
  check(ftruncate(file, atol(bytes)) == 0, "ftruncate");
  close(file);
}

int main(int argc, char** argv) {
  arguments = argv;
  if (argc == 5) {
    cut_arena(argv[3], argv[4]);
  }
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
