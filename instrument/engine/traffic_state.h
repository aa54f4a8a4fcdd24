/* What the files of the traffic share. */
#ifndef RIDGE_INSTRUMENT_ENGINE_TRAFFIC_STATE_H
#define RIDGE_INSTRUMENT_ENGINE_TRAFFIC_STATE_H

#include <stddef.h>
#include <stdint.h>

#include "cachesim/pilot.h"
#include "instrument/engine/traffic.h"

enum { ENGINE_BUFFER_ENTRIES = RIDGE_TRACE_CAPACITY + ENGINE_TRACE_ROOM + 1 };

/* A buffer that no thread has. */
struct engine_free_buffer {
  struct engine_free_buffer* next;
};

struct engine_batch {
  struct ridge_trace_entry* entries;
  uint64_t count;
  uint64_t accesses; /* with those that were left out */
  uint64_t clock;    /* work that the thread had done before, in accesses */
  uint64_t mask;     /* classes of lines that are in it */
  uint32_t region;   /* in which it ended */
};

struct engine_worker {
  struct engine_thread thread; /* first: the host's pointer is this one */
  struct engine_worker* next;  /* in order of their beginning */
  struct ridge_trace_entry* entries;
  struct engine_batch queue[ENGINE_WINDOW];
  uint32_t first;
  uint32_t queued;
  uint64_t clock; /* accesses done, with those in the queue */
  uint32_t region;
  int waiting;
  int ended; /* is freed with its last batch */
};

struct engine_region_plan {
  uint64_t accesses;                       /* of the batches that ended in the region */
  uint64_t next_window;                    /* number of them at which a window is due */
  uint64_t judged[RIDGE_CACHE_LEVELS_MAX]; /* bytes, by boundary, at the last judgement */
};

/* All lines until `begun`, then those of `mask` (sampling.c). */
struct engine_sampling {
  struct cachesim_pilot* pilot; /* null: everything stays exact */
  struct ridge_region_pilot* pilots;
  struct ridge_region_traffic* sampled;
  struct engine_region_plan* plans;
  const struct engine_worker* piloted; /* whose window it is, or null */
  uint64_t mask;
  uint64_t weight; /* lines that a sampled one stands for */
  uint64_t class_count;
  uint64_t window_accesses;
  uint64_t entries; /* simulated since the loops were judged last */
  uint64_t random;
  uint32_t window_region;
  int begun;
  int packed;
  unsigned char rank[RIDGE_LINE_CLASSES]; /* of each selected class among them */
};

struct engine_traffic {
  const struct engine_plan* plan;
  struct cachesim_memory memory;
  struct cachesim* simulator;
  struct ridge_region_traffic* exact; /* of all lines, by region */
  struct ridge_region_lines* lines;   /* null: not observed */
  struct cachesim* elsewhere[RIDGE_ELSEWHERE_MAX];
  struct ridge_region_traffic* elsewhere_tables[RIDGE_ELSEWHERE_MAX];
  struct engine_sampling sampling;
  struct engine_worker* workers;
  struct engine_free_buffer* free_buffers;
  uint64_t frontier; /* clock of the batch that was simulated last */
  uint64_t lost;
};

/* ---- sampling.c ---- */

/* False without memory. */
int engine_start_sampling(struct engine_traffic* traffic);
void engine_drop_sampling(struct engine_traffic* traffic);
/* Which lines the next batch of the worker needs. */
uint64_t engine_mask_of(const struct engine_traffic* traffic, const struct engine_worker* worker);
/* Simulates a batch, and decides about windows and sampling behind it. */
void engine_simulate(struct engine_traffic* traffic, const struct engine_worker* worker,
                     const struct engine_batch* batch);
/* The worker has no more batches: its window, if it is its, is over. */
void engine_leave_window(struct engine_traffic* traffic, const struct engine_worker* worker);

/* ---- traffic.c ---- */

/* Zeroed, one entry for each region below `limit` and of the plan; null without memory. */
void* engine_make_table(struct engine_traffic* traffic, uint64_t entry_bytes, uint32_t limit);
void engine_drop_table(struct engine_traffic* traffic, void* table, uint64_t entry_bytes,
                       uint32_t limit);

/* ---- turns.c ---- */

/* Simulates all that threads have appended. */
void engine_finish(struct engine_traffic* traffic);

#endif
