#include "instrument/calls/call_table.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "instrument/calls/caller_module.h"

enum { PAGE = 4096, MADV_POPULATE_WRITE_ = 23 };

struct process_state {
  struct ridge_calls* memory; /* null: not looked for yet */
  struct ridge_call_process* record;
  uint64_t size;
  int is_silent; /* nobody wants to know, or there is no memory */
  uint64_t (*region)(void);
};
static struct process_state state;
static char attach_lock;

/* Where the outermost call of this thread stands on its stack. One that an exception or longjmp
 * left is told here (left_calls.c); one left by other ways is found by where the next one stands.
 */
static __thread struct {
  struct ridge_call_table* table;
  uint32_t used;
  int is_lost;          /* there was no memory for a table */
  const void* call_at;  /* null: in no call */
  const void* enter_at; /* null: no wrapper of another language is around */
  const void* enter_caller;
} thread;

uint64_t ridge_call_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

static void* at(uint64_t offset) {
  return (char*)state.memory + offset;
}

/* A full memory must be an error and no SIGBUS. */
static int populate(char* start, uint64_t bytes) {
  char* first = (char*)((uintptr_t)start / PAGE * PAGE);
  const uint64_t length = (uint64_t)(start + bytes - first);
  if (madvise(first, length, MADV_POPULATE_WRITE_) == 0) {
    return 1;
  }
  if (errno != EINVAL) {
    return 0;
  }
  for (uint64_t i = 0; i < length; i += PAGE) { /* Linux before 5.14 */
    __atomic_fetch_or(first + i, 0, __ATOMIC_RELAXED);
  }
  return 1;
}

/* Offset of a piece of zeros, or 0. */
static uint64_t take(uint64_t bytes) {
  const uint64_t rounded = (bytes + 63) / 64 * 64;
  uint64_t used = __atomic_load_n(&state.memory->used_bytes, __ATOMIC_RELAXED);
  do {
    if (used > state.size || rounded > state.size - used) {
      return 0;
    }
  } while (!__atomic_compare_exchange_n(&state.memory->used_bytes, &used, used + rounded, 0,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return populate(at(used), rounded) ? used : 0;
}

static void push(uint64_t* list, uint64_t offset, uint64_t* next) {
  uint64_t newest = __atomic_load_n(list, __ATOMIC_RELAXED);
  do {
    *next = newest;
  } while (
      !__atomic_compare_exchange_n(list, &newest, offset, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

static struct ridge_calls* map_memory(void) {
  const char* path = getenv("RIDGE_CALLS");
  const int file = path != NULL ? open(path, O_RDWR | O_CLOEXEC) : -1;
  struct stat status;
  struct ridge_calls* memory = NULL;
  if (file >= 0 && fstat(file, &status) == 0 && status.st_size > (off_t)sizeof(*memory)) {
    state.size = (uint64_t)status.st_size;
    void* mapped =
        mmap(NULL, state.size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
    memory = mapped == MAP_FAILED ? NULL : mapped;
  }
  if (file >= 0) {
    close(file);
  }
  if (memory != NULL &&
      (memory->magic != RIDGE_CALLS_MAGIC || memory->version != RIDGE_CALLS_VERSION)) {
    munmap(memory, state.size);
    memory = NULL;
  }
  return memory;
}

/* The parent's record is not ours, and its other threads are not here. */
static void after_fork_in_child(void) {
  state.record = NULL;
  attach_lock = 0;
  thread.table = NULL;
  thread.used = 0;
  thread.is_lost = 0;
}

static void attach_locked(void) {
  if (state.memory == NULL) {
    state.memory = map_memory();
    if (state.memory == NULL) {
      __atomic_store_n(&state.is_silent, 1, __ATOMIC_RELEASE);
      return;
    }
    pthread_atfork(NULL, NULL, after_fork_in_child);
    void* found = dlsym(RTLD_DEFAULT, "ridge_calling_region");
    memcpy(&state.region, &found, sizeof(found)); /* ISO C has no cast for it */
  }
  const uint64_t offset = take(sizeof(struct ridge_call_process));
  if (offset == 0) {
    __atomic_store_n(&state.is_silent, 1, __ATOMIC_RELEASE);
    return;
  }
  struct ridge_call_process* record = at(offset);
  record->pid = (uint32_t)getpid();
  record->parent_pid = (uint32_t)getppid();
  record->layer = ridge_call_layer;
  push(&state.memory->processes, offset, &record->next);
  __atomic_store_n(&state.record, record, __ATOMIC_RELEASE);
}

static void lock(void) {
  while (__atomic_test_and_set(&attach_lock, __ATOMIC_ACQUIRE)) {
    sched_yield();
  }
}

static void unlock(void) {
  __atomic_clear(&attach_lock, __ATOMIC_RELEASE);
}

static int attach(void) {
  const int old_errno = errno;
  lock();
  if (state.record == NULL && !state.is_silent) {
    attach_locked();
  }
  unlock();
  dlerror(); /* a failed look-up of ours is no news for the program */
  errno = old_errno;
  return state.record != NULL;
}

static int is_wanted(void) {
  return __atomic_load_n(&state.record, __ATOMIC_ACQUIRE) != NULL ||
         (!__atomic_load_n(&state.is_silent, __ATOMIC_ACQUIRE) && attach());
}

/* Stacks grow down: what is not above us was left without returning. */
static int is_alive(const void* outer, const void* inner) {
  return outer != NULL && (uintptr_t)outer > (uintptr_t)inner;
}

int ridge_call_begin(struct ridge_call* call, const void* caller) {
  if (is_alive(thread.call_at, call) || !is_wanted()) {
    return 0;
  }
  thread.call_at = call;
  call->caller = is_alive(thread.enter_at, call) ? thread.enter_caller : caller;
  call->begin = ridge_call_now();
  return 1;
}

int ridge_call_enter(const void* caller) {
  const void* here = __builtin_frame_address(0);
  if (is_alive(thread.call_at, here) || is_alive(thread.enter_at, here)) {
    return 0;
  }
  /* The frame of the wrapper, our caller's, ends at our return address. */
  thread.enter_at = here;
  thread.enter_caller = caller;
  return 1;
}

void ridge_call_left(const void* stack) {
  if ((uintptr_t)thread.call_at < (uintptr_t)stack) {
    thread.call_at = NULL;
  }
  if ((uintptr_t)thread.enter_at < (uintptr_t)stack) {
    thread.enter_at = NULL;
  }
}

void ridge_call_leave(int is_outermost) {
  if (is_outermost) {
    thread.enter_at = NULL;
  }
}

/* ---- tables ---- */

static struct ridge_call_entry* entries_of(struct ridge_call_table* table) {
  return (struct ridge_call_entry*)(table + 1);
}

static void lose(void) {
  __atomic_fetch_add(&state.record->lost, 1, __ATOMIC_RELAXED);
}

static struct ridge_call_table* new_table(void) {
  const int old_errno = errno;
  uint32_t capacity = thread.table == NULL ? RIDGE_CALL_ENTRIES_LEAST : 2 * thread.table->capacity;
  capacity = capacity > RIDGE_CALL_ENTRIES_MOST ? RIDGE_CALL_ENTRIES_MOST : capacity;
  const uint64_t offset =
      take(sizeof(struct ridge_call_table) + capacity * sizeof(struct ridge_call_entry));
  struct ridge_call_table* table = NULL;
  if (offset == 0) {
    thread.is_lost = 1;
  } else {
    table = at(offset);
    table->tid = (uint32_t)syscall(SYS_gettid);
    table->capacity = capacity;
    push(&state.record->tables, offset, &table->next);
    thread.table = table;
    thread.used = 0;
  }
  errno = old_errno;
  return table;
}

static uint64_t module_of(const struct ridge_caller_module* found) {
  const uint64_t bytes = strlen(found->path);
  for (uint64_t i = state.record->modules; i != 0;) {
    const struct ridge_call_module* module = at(i);
    if (module->path_bytes == bytes && memcmp(module + 1, found->path, bytes) == 0) {
      return i;
    }
    i = module->next;
  }
  const uint64_t offset = take(sizeof(struct ridge_call_module) + bytes + 1);
  if (offset != 0) {
    struct ridge_call_module* module = at(offset);
    module->path_bytes = bytes;
    memcpy(module + 1, found->path, bytes);
    push(&state.record->modules, offset, &module->next);
  }
  return offset;
}

static void set_module(struct ridge_call_entry* entry, const void* caller) {
  const int old_errno = errno;
  struct ridge_caller_module found;
  if (ridge_find_caller_module(caller, &found)) {
    entry->file_offset = found.file_offset;
    lock();
    entry->module = module_of(&found);
    unlock();
  }
  errno = old_errno;
}

static uint64_t hash_of(uint64_t caller, uint32_t region,
                        const struct ridge_call_figures* figures) {
  uint64_t hash = caller + ((uint64_t)region << 20) + figures->function;
  for (int i = 0; i < RIDGE_CALL_SIZES; ++i) {
    hash = hash * UINT64_C(0x9e3779b97f4a7c15) + figures->sizes[i];
  }
  return hash * UINT64_C(0x9e3779b97f4a7c15) >> 32;
}

static int is_entry(const struct ridge_call_entry* entry, uint64_t caller, uint32_t region,
                    const struct ridge_call_figures* figures) {
  return entry->caller == caller && entry->region == region &&
         entry->function == figures->function &&
         memcmp(entry->sizes, figures->sizes, sizeof(entry->sizes)) == 0;
}

static struct ridge_call_entry* entry_of(const void* caller, uint32_t region,
                                         const struct ridge_call_figures* figures) {
  if ((thread.table == NULL || thread.used > thread.table->capacity / 4 * 3) &&
      (thread.is_lost || new_table() == NULL)) {
    return NULL;
  }
  const uint64_t mask = thread.table->capacity - 1;
  struct ridge_call_entry* entries = entries_of(thread.table);
  for (uint64_t slot = hash_of((uint64_t)caller, region, figures);; ++slot) {
    struct ridge_call_entry* entry = &entries[slot & mask];
    if (entry->calls != 0 && is_entry(entry, (uint64_t)caller, region, figures)) {
      return entry;
    }
    if (entry->calls == 0) {
      ++thread.used;
      entry->caller = (uint64_t)caller;
      entry->region = region;
      entry->function = figures->function;
      memcpy(entry->sizes, figures->sizes, sizeof(entry->sizes));
      strncpy(entry->name, figures->name, RIDGE_CALL_NAME_BYTES - 1);
      set_module(entry, caller);
      return entry;
    }
  }
}

void ridge_call_end(const struct ridge_call* call, const struct ridge_call_figures* figures) {
  const uint64_t nanoseconds = ridge_call_now() - call->begin;
  thread.call_at = NULL;
  if (!is_wanted()) { /* it came back in a forked child without memory */
    return;
  }
  const uint32_t region = state.region != NULL ? (uint32_t)state.region() : 0;
  struct ridge_call_entry* entry = entry_of(call->caller, region, figures);
  if (entry == NULL) {
    lose();
    return;
  }
  entry->flags |= figures->flags;
  entry->bytes += figures->bytes;
  entry->messages += figures->messages;
  entry->moved_bytes += figures->moved_bytes;
  entry->nanoseconds += nanoseconds;
  entry->waiting_nanoseconds +=
      figures->waiting_nanoseconds < nanoseconds ? figures->waiting_nanoseconds : nanoseconds;
  __atomic_store_n(&entry->calls, entry->calls + 1, __ATOMIC_RELEASE);
}

int ridge_call_has_some_ranks(void) {
  return state.memory != NULL && (state.memory->flags & RIDGE_CALLS_OF_SOME_RANKS) != 0;
}

void ridge_call_set_rank(uint32_t rank, uint32_t ranks) {
  struct ridge_call_process* record = __atomic_load_n(&state.record, __ATOMIC_ACQUIRE);
  if (record != NULL) {
    record->rank = rank;
    __atomic_store_n(&record->ranks, ranks, __ATOMIC_RELEASE);
  }
}
