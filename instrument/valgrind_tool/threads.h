/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Counters of each thread. Generated code reaches those of the thread that runs through one
 * pointer, so a switch of threads costs the program nothing and none shares a counter. */
#ifndef RIDGE_INSTRUMENT_VALGRIND_TOOL_THREADS_H
#define RIDGE_INSTRUMENT_VALGRIND_TOOL_THREADS_H

#include "instrument/valgrind_tool/tool.h"

struct engine_thread;

/* Threads beyond share the counters of one: tables of thousands would not fit into memory. */
enum { RIDGE_THREADS_TOLD_APART = 1024 };

struct ridge_count {
  UInt slot;
  ULong value;
};

struct ridge_guest_thread {
  UInt ordinal; /* in order of creation */
  UInt kernel_tid;
  UInt capacity;               /* of `counts` */
  UInt kept_count;             /* of `kept` */
  ULong* counts;               /* by slot; null once the thread has ended */
  struct ridge_count* kept;    /* those that were not 0 then */
  struct engine_thread* trace; /* null: none */
};

struct ridge_threads {
  struct ridge_guest_thread** all; /* by ordinal */
  UInt count;                      /* of those, at most RIDGE_THREADS_TOLD_APART + 1 */
  UInt created;                    /* ever */
};
extern struct ridge_threads ridge_threads;

/* What generated code counts in. */
extern ULong* ridge_counts;

void ridge_init_threads(void);
/* There are more slots than before. */
void ridge_make_counters(void);
/* In the child of a fork, where only this thread goes on: all counters are 0. */
void ridge_keep_one_thread(ThreadId tid);
ULong ridge_count_of(const struct ridge_guest_thread* thread, UInt slot);
/* The thread that runs generated code; null: none. */
struct ridge_guest_thread* ridge_running(void);

#endif
