/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * See threads.h. */
#include "instrument/valgrind_tool/threads.h"

#include <pub_tool_libcproc.h>
#include <pub_tool_threadstate.h>

#include "instrument/valgrind_tool/code.h"
#include "instrument/valgrind_tool/memory.h"
#include "instrument/valgrind_tool/stacks.h"
#include "instrument/valgrind_tool/trace.h"

enum { FIRST_CAPACITY = 1024 };

struct ridge_threads ridge_threads;
ULong* ridge_counts;
static UInt table_capacity;
static struct ridge_guest_thread** by_tid; /* VG_N_THREADS */
static struct ridge_guest_thread* running;

struct ridge_guest_thread* ridge_running(void) {
  return running;
}

static void make_room(struct ridge_guest_thread* thread) {
  UInt capacity = thread->capacity == 0 ? FIRST_CAPACITY : thread->capacity;
  while (capacity < ridge_code.slot_count) {
    capacity *= 2;
  }
  if (capacity == thread->capacity) {
    return;
  }
  thread->counts = VG_(realloc)("ridge.counts", thread->counts, capacity * sizeof(ULong));
  VG_(memset)(thread->counts + thread->capacity, 0, (capacity - thread->capacity) * sizeof(ULong));
  thread->capacity = capacity;
}

void ridge_make_counters(void) {
  if (running != NULL) {
    make_room(running);
    ridge_counts = running->counts;
  }
}

static struct ridge_guest_thread* new_thread(void) {
  const UInt ordinal = ridge_threads.created++;
  if (ordinal > RIDGE_THREADS_TOLD_APART) {
    return ridge_threads.all[RIDGE_THREADS_TOLD_APART];
  }
  ridge_threads.all = ridge_grown(ridge_threads.all, &table_capacity, ridge_threads.count,
                                  sizeof(*ridge_threads.all));
  struct ridge_guest_thread* thread = VG_(calloc)("ridge.thread", 1, sizeof(*thread));
  thread->ordinal = ordinal;
  ridge_threads.all[ridge_threads.count++] = thread;
  return thread;
}

static void begins(ThreadId parent, ThreadId tid) {
  (void)parent;
  by_tid[tid] = new_thread();
}

static void runs(ThreadId tid, ULong blocks) {
  (void)blocks;
  running = by_tid[tid];
  make_room(running);
  if (running->kernel_tid == 0 && running->ordinal < RIDGE_THREADS_TOLD_APART) {
    running->kernel_tid = (UInt)VG_(gettid)();
  }
  ridge_counts = running->counts;
  ridge_resume_trace(running);
}

static void stops(ThreadId tid, ULong blocks) {
  ridge_suspend_trace(running);
  ridge_look_at_stack(tid, running->ordinal, blocks);
}

/* Of a thread that has ended, what is not 0: many short ones would fill memory otherwise. */
static void keep_counts(struct ridge_guest_thread* thread) {
  UInt kept = 0;
  for (UInt slot = 0; slot < thread->capacity; ++slot) {
    kept += thread->counts[slot] != 0;
  }
  thread->kept = VG_(malloc)("ridge.kept", (kept + 1) * sizeof(*thread->kept));
  for (UInt slot = 0; slot < thread->capacity; ++slot) {
    if (thread->counts[slot] != 0) {
      thread->kept[thread->kept_count++] = (struct ridge_count){slot, thread->counts[slot]};
    }
  }
  VG_(free)(thread->counts);
  thread->counts = NULL;
  thread->capacity = 0;
}

static void ends(ThreadId tid) {
  struct ridge_guest_thread* thread = by_tid[tid];
  by_tid[tid] = NULL;
  if (thread == NULL || thread->ordinal >= RIDGE_THREADS_TOLD_APART) {
    return;
  }
  ridge_end_trace(thread);
  if (thread->counts != NULL) {
    keep_counts(thread);
  }
  if (running == thread) {
    running = NULL;
    ridge_counts = NULL;
  }
}

void ridge_keep_one_thread(ThreadId tid) {
  struct ridge_guest_thread* thread = by_tid[tid];
  for (UInt i = 0; i < ridge_threads.count; ++i) {
    struct ridge_guest_thread* other = ridge_threads.all[i];
    if (other != thread) {
      VG_(free)(other->counts);
      VG_(free)(other->kept);
      VG_(free)(other);
    }
  }
  for (UInt i = 0; i < VG_N_THREADS; ++i) {
    by_tid[i] = NULL;
  }
  by_tid[tid] = thread;
  if (thread->counts != NULL) {
    VG_(memset)(thread->counts, 0, thread->capacity * sizeof(ULong));
  }
  thread->ordinal = 0;
  thread->kernel_tid = 0;
  thread->trace = NULL;
  ridge_threads.all[0] = thread;
  ridge_threads.count = 1;
  ridge_threads.created = 1;
}

static ULong kept_value(const struct ridge_guest_thread* thread, UInt slot) {
  UInt low = 0;
  UInt high = thread->kept_count;
  while (low < high) {
    const UInt middle = low + (high - low) / 2;
    if (thread->kept[middle].slot < slot) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < thread->kept_count && thread->kept[low].slot == slot ? thread->kept[low].value : 0;
}

ULong ridge_count_of(const struct ridge_guest_thread* thread, UInt slot) {
  if (thread->counts != NULL) {
    return slot < thread->capacity ? thread->counts[slot] : 0;
  }
  return kept_value(thread, slot);
}

void ridge_init_threads(void) {
  by_tid = VG_(calloc)("ridge.by_tid", VG_N_THREADS, sizeof(*by_tid));
  VG_(track_pre_thread_ll_create)(begins);
  VG_(track_start_client_code)(runs);
  VG_(track_stop_client_code)(stops);
  VG_(track_pre_thread_ll_exit)(ends);
}
