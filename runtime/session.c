/* The process's place in the session: one record in the arena of `ridge run`. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/state.h"

struct ridge_runtime ridge_runtime = {.register_lock = PTHREAD_MUTEX_INITIALIZER,
                                      .next_lock = PTHREAD_MUTEX_INITIALIZER,
                                      .simulate_lock = PTHREAD_MUTEX_INITIALIZER,
                                      .turn_lock = PTHREAD_MUTEX_INITIALIZER};

enum { NOT_STARTED = 0, STARTING = 1, STARTED = 2 };
static _Atomic int start_state;
static _Atomic uint32_t starting_tid;

enum { MAX_ARGUMENT_BYTES = 1 << 20 };

void ridge_complain(const char* before, const char* subject, const char* after) {
  char line[1024];
  uint64_t used = 0;
  const char* parts[] = {"ridge: ", before, subject, after, "\n"};
  for (uint64_t i = 0; i < sizeof(parts) / sizeof(*parts); ++i) {
    for (const char* c = parts[i]; *c != '\0' && used + 2 < sizeof(line); ++c) {
      line[used++] = *c;
    }
  }
  line[used - 1] = '\n';
  const ssize_t written = write(STDERR_FILENO, line, used);
  (void)written;
}

void ridge_set_flag(uint32_t process_flag) {
  __atomic_fetch_or(&ridge_runtime.process->flags, process_flag, __ATOMIC_RELAXED);
}

/* Null, or what is wrong with the file. */
static const char* check_header(int file, uint64_t* arena_bytes) {
  struct stat status;
  struct ridge_arena header;
  if (fstat(file, &status) != 0 || (uint64_t)status.st_size < sizeof(header)) {
    return "is too small to be a session";
  }
  if (pread(file, &header, sizeof(header), 0) != (ssize_t)sizeof(header) ||
      header.magic != RIDGE_ARENA_MAGIC) {
    return "is not a session";
  }
  if (header.abi_version != RIDGE_ABI_VERSION) {
    return "was made by another version of ridge than the runtime in this program";
  }
  if (header.size_bytes < sizeof(header) || header.size_bytes > (uint64_t)status.st_size ||
      (header.mode != RIDGE_MODE_COUNT && header.mode != RIDGE_MODE_TRAFFIC)) {
    return "is a damaged session";
  }
  *arena_bytes = header.size_bytes;
  return NULL;
}

static void attach_session(void) {
  const char* path = secure_getenv("RIDGE_SESSION");
  if (path == NULL || *path == '\0') {
    return;
  }
  const char* problem = NULL;
  const int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) {
    problem = strerrordesc_np(errno);
  } else {
    uint64_t bytes = 0;
    problem = check_header(file, &bytes);
    if (problem == NULL) {
      void* arena = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
      if (arena == MAP_FAILED) {
        problem = strerrordesc_np(errno);
      } else {
        ridge_runtime.arena = arena;
        ridge_runtime.arena_bytes = bytes;
      }
    }
    close(file);
  }
  if (problem != NULL) {
    ridge_complain("this process is not measured: RIDGE_SESSION: ", problem, "");
  }
}

/* argv as the kernel keeps it, straight into the arena. */
static void store_arguments(struct ridge_process_record* process) {
  char buffer[4096];
  const int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return;
  }
  uint64_t total = 0;
  ssize_t got = 0;
  while (total < MAX_ARGUMENT_BYTES && (got = read(file, buffer, sizeof(buffer))) > 0) {
    total += (uint64_t)got;
  }
  uint64_t offset = 0;
  char* copy = ridge_allocate(total + 1, total + 1, 64, &offset);
  uint64_t done = 0;
  while (offset != 0 && done < total &&
         (got = pread(file, copy + done, total - done, (off_t)done)) > 0) {
    done += (uint64_t)got;
  }
  close(file);
  process->arguments = offset;
  process->arguments_bytes = done;
}

/* The rank of this process as launchers of parallel programs tell it, plus one; 0 without one. */
static uint64_t launched_rank(void) {
  static const char* const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
                                      "MV2_COMM_WORLD_RANK", "SLURM_PROCID"};
  const char* tasks = getenv("SLURM_NTASKS");
  for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); ++i) {
    const char* text = getenv(names[i]);
    /* A batch script is process 0 of one. */
    const int is_alone = i == 4 && (tasks == NULL || strcmp(tasks, "1") == 0);
    if (text == NULL || *text < '0' || *text > '9' || is_alone) {
      continue;
    }
    char* end = NULL;
    const unsigned long rank = strtoul(text, &end, 10);
    if (*end == '\0' && rank < UINT32_MAX) {
      return rank + 1;
    }
  }
  return 0;
}

void ridge_make_process(uint32_t flags) {
  struct ridge_runtime* runtime = &ridge_runtime;
  const struct ridge_process_record before =
      runtime->process != NULL ? *runtime->process : runtime->private_process;
  const struct ridge_process_record empty = {0};
  uint64_t offset = 0;
  struct ridge_process_record* process = NULL;
  if (runtime->arena != NULL) {
    process = ridge_allocate(sizeof(*process), sizeof(*process), 64, &offset);
  }
  if (offset == 0) {
    process = &runtime->private_process;
    *process = empty;
    flags |= runtime->arena != NULL ? RIDGE_PROCESS_ARENA_FULL : 0;
  }
  runtime->pid = (uint32_t)getpid();
  runtime->process = process;
  process->pid = runtime->pid;
  process->parent_pid = (uint32_t)getppid();
  process->runtime_abi_version = RIDGE_ABI_VERSION;
  process->region_count = 1;
  process->rank_plus_one = launched_rank();
  if ((flags & RIDGE_PROCESS_FORKED) != 0) {
    process->arguments = before.arguments;
    process->arguments_bytes = before.arguments_bytes;
    process->region_count = before.region_count;
    process->counter_count = before.counter_count;
    flags |= before.flags & (RIDGE_PROCESS_VERSION_MISMATCH | RIDGE_PROCESS_COUNTERS_FULL);
    process->mismatched_abi_version = before.mismatched_abi_version;
  } else if (offset != 0) {
    store_arguments(process);
  }
  __atomic_fetch_or(&process->flags, flags, __ATOMIC_RELAXED);
  if (offset != 0) {
    uint64_t* head = &runtime->arena->processes;
    process->next = __atomic_load_n(head, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(head, &process->next, offset, 0, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED)) {
    }
  }
}

/* Signals stay blocked from before the fork until the locks are free again. */
static struct ridge_guard fork_guard;

static void before_fork(void) {
  struct ridge_guard guard;
  ridge_enter(&guard);
  pthread_mutex_lock(&ridge_runtime.register_lock);
  ridge_stop_simulation();
  ridge_lock_turns(); /* what is traced and not simulated yet stays the parent's */
  ridge_save_thread();
  fork_guard = guard;
}

static void after_fork_in_parent(void) {
  const struct ridge_guard guard = fork_guard;
  ridge_unlock_turns();
  ridge_resume_simulation();
  pthread_mutex_unlock(&ridge_runtime.register_lock);
  ridge_leave(&guard);
}

static void after_fork_in_child(void) {
  const struct ridge_process_record parent = *ridge_runtime.process;
  ridge_drop_traffic();
  ridge_make_process(RIDGE_PROCESS_FORKED);
  ridge_rehome_thread();
  ridge_modules_after_fork();
  ridge_start_traffic();
  ridge_markers_after_fork(&parent);
  after_fork_in_parent();
}

/* Of the process, before a library binds its threads to one each. */
static int has_several_cpus(void) {
  cpu_set_t cpus;
  return sched_getaffinity(0, sizeof(cpus), &cpus) != 0 || CPU_COUNT(&cpus) > 1;
}

int ridge_start(void) {
  if (atomic_load_explicit(&start_state, memory_order_acquire) == STARTED) {
    return 1;
  }
  int expected = NOT_STARTED;
  if (!atomic_compare_exchange_strong(&start_state, &expected, STARTING)) {
    while (atomic_load_explicit(&start_state, memory_order_acquire) != STARTED) {
      if (atomic_load(&starting_tid) == ridge_tid()) {
        return 0; /* something that we call here is instrumented */
      }
      sched_yield();
    }
    return 1;
  }
  struct ridge_guard guard;
  ridge_enter(&guard);
  atomic_store(&starting_tid, ridge_tid());
  attach_session();
  ridge_make_process(0);
  ridge_runtime.waits_awake = has_several_cpus();
  ridge_start_traffic();
  pthread_key_create(&ridge_runtime.key, ridge_thread_ended);
  pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
  atomic_store(&starting_tid, 0);
  atomic_store_explicit(&start_state, STARTED, memory_order_release);
  ridge_leave(&guard);
  return 1;
}

/* Before the constructors of the program, so that a session that cannot be used is said early. */
__attribute__((constructor(101))) static void start_early(void) {
  ridge_start();
}

/* After its destructors. A vfork child that calls exit shares our memory but is not us. */
__attribute__((destructor(101))) static void process_ends(void) {
  struct ridge_guard guard;
  if (!ridge_start() || (uint32_t)getpid() != ridge_runtime.pid) {
    return;
  }
  ridge_enter(&guard);
  ridge_wait_to_simulate();
  ridge_drain_all();
  ridge_set_flag(RIDGE_PROCESS_ENDED);
  pthread_mutex_unlock(&ridge_runtime.simulate_lock);
  ridge_leave(&guard);
}
