/* The pilot of sampled traffic: the caches of one core alone, fed with all accesses of one thread
 * in windows of the run. At the boundary below each level it counts the lines that cross, by region
 * and class of line. How even they are says whether some classes can stand for all there
 * (docs/decisions/0080, 0145).
 *
 * A window starts with empty caches. A set of an LRU cache is known exactly once it has been
 * filled, so nothing has to be known of the time before: only misses in full sets count, and in
 * each level only from when next to no other misses occur. A level below the first gets what the
 * one above misses and what it writes back; a victim cache is taken for one that keeps what comes
 * through it. */
#ifndef RIDGE_CACHESIM_PILOT_H
#define RIDGE_CACHESIM_PILOT_H

#include <stdint.h>

#include "abi/layout.h"
#include "cachesim/page_table.h"

enum { CACHESIM_WINDOW_REGIONS = 256 };

struct cachesim_pilot_level {
  uint64_t* words;   /* of each set the most recent first; 0 = empty (pilot.c) */
  uint32_t* used_in; /* by set: the last window that used it; what others left is nothing */
  uint64_t set_count;
  uint32_t ways_of_cache;
  uint32_t cores_per_cache;
  uint32_t ways;      /* of this window: the thread's share of a shared cache */
  uint32_t allocates; /* stores that miss bring their line in */
  int counts;         /* in this window: from now on */
  uint64_t counted;   /* lines that crossed since */
  uint64_t lookups;   /* since the last look at what is known; once it counts, since then */
  uint64_t misses;    /* of these: in full sets */
  uint64_t unknown;   /* of these: in others */
};

struct cachesim_pilot {
  struct cachesim_pilot_level levels[RIDGE_CACHE_LEVELS_MAX];
  uint32_t level_count;
  uint32_t window;                        /* its number, from 1 */
  struct ridge_region_pilot* regions;     /* owned by the caller, zeroed */
  uint32_t* seen_in;                      /* by region: the last window that counted a line of it */
  uint32_t region_capacity;               /* entries of both */
  uint32_t region_count;                  /* of those in use */
  uint32_t seen_count;                    /* may exceed the capacity of `seen` */
  uint32_t seen[CACHESIM_WINDOW_REGIONS]; /* regions of which lines were counted in this window */
  struct cachesim_memory memory;
};

/* Null if there is no memory. */
struct cachesim_pilot* cachesim_pilot_create(const struct ridge_cache_config* caches,
                                             struct ridge_region_pilot* regions,
                                             uint32_t region_capacity,
                                             const struct cachesim_memory* memory);
void cachesim_pilot_destroy(struct cachesim_pilot* pilot);

/* A new window of one of `cores` cores that are in use. */
void cachesim_pilot_begin(struct cachesim_pilot* pilot, uint32_t cores);
void cachesim_pilot_run(struct cachesim_pilot* pilot, const struct ridge_trace_entry* entries,
                        uint64_t count);
/* Between two batches: levels that are known count from now on. Whether the window has seen enough
 * of every level. */
int cachesim_pilot_look(struct cachesim_pilot* pilot);
/* Judges the regions of which the window counted lines. */
void cachesim_pilot_end(struct cachesim_pilot* pilot, uint64_t sample_mask);

/* Fills in all members but the lines. `sample_mask` has one class of each group of 8. */
void cachesim_pilot_judge(struct ridge_pilot_level* level, uint64_t sample_mask);

#endif
