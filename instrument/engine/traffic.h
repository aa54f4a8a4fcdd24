/* Simulates the traffic that a plan asks for, from batches of accesses of the threads, and writes
 * it into a record.
 *
 * Each thread appends entries (struct ridge_trace_entry, the region from the plan) at `cursor`:
 *
 *     if (thread->cursor > thread->limit) engine_traffic_flush(traffic, thread);
 *     ... at most ENGINE_TRACE_ROOM entries; cursor goes up by one for each ...
 *
 * Threads take turns in order of the work that they have done, counted in accesses: a batch is
 * simulated when no thread that runs can come with an earlier one. So an engine may run its threads
 * at the same time, or one for a while and then another; within ENGINE_WINDOW batches of one thread
 * the result is the same.
 *
 * Freestanding, and not thread-safe: all calls but the appending above are one at a time, which the
 * host sees to. */
#ifndef RIDGE_INSTRUMENT_ENGINE_TRAFFIC_H
#define RIDGE_INSTRUMENT_ENGINE_TRAFFIC_H

#include <stdint.h>

#include "abi/layout.h"
#include "cachesim/cachesim.h"
#include "instrument/engine/plan.h"
#include "instrument/engine/record_writer.h"

enum {
  ENGINE_TRACE_ROOM = 512, /* entries that fit behind `limit` */
  ENGINE_WINDOW = 8        /* batches by which a thread may be ahead of the simulation */
};

struct engine_traffic;

/* A running thread of the program. Generated code may know the offsets of the first members. */
struct engine_thread {
  struct ridge_trace_entry* cursor; /* the next free entry */
  struct ridge_trace_entry* limit;  /* beyond it: flush before the next entries */
  /* Lines whose number mod 64 is no bit of it (cachesim/line_class.h) need not be appended. Whoever
   * leaves some out adds their number to `left_out`, and flushes as soon as entries and `left_out`
   * together exceed RIDGE_TRACE_CAPACITY. Changes in a flush. */
  uint64_t mask;
  uint64_t left_out;
  uint32_t ordinal; /* in order of creation, from 0: decides the core, by the plan's placement */
  uint32_t core;
};

/* Null without memory, or for caches that cannot be simulated; *problem says which. The plan stays
 * where it is as long as the traffic does. `memory` as in cachesim/page_table.h: zeroed. */
struct engine_traffic* engine_traffic_create(const struct engine_plan* plan,
                                             const struct cachesim_memory* memory,
                                             const char** problem);
/* All memory back, that of the threads too. In the child of a fork: this, then create. */
void engine_traffic_destroy(struct engine_traffic* traffic);

/* A thread begins, with as much work behind it as the thread that runs behind all others. Null
 * without memory: its accesses are lost (engine_traffic_lose). */
struct engine_thread* engine_traffic_begin_thread(struct engine_traffic* traffic, uint32_t ordinal);
/* It ends: what it has appended is simulated in its turn; the pointer is no longer valid. */
void engine_traffic_end_thread(struct engine_traffic* traffic, struct engine_thread* thread);

/* Takes what has been appended and makes room. */
void engine_traffic_flush(struct engine_traffic* traffic, struct engine_thread* thread);

/* The thread begins to wait for something (a system call that may block): nobody waits for its
 * batches. Once it goes on, it does so with as much work behind it as the others have. */
void engine_traffic_wait(struct engine_traffic* traffic, struct engine_thread* thread);
void engine_traffic_go_on(struct engine_traffic* traffic, struct engine_thread* thread);

/* So many accesses could not be appended. */
void engine_traffic_lose(struct engine_traffic* traffic, uint64_t accesses);

/* Simulates all that threads have appended, and writes the chunks TRAFFIC, SAMPLED, ELSEWHERE,
 * LINES, PILOT and LOST. Threads may go on afterwards. */
void engine_traffic_write(struct engine_traffic* traffic, struct engine_writer* writer);

#endif
