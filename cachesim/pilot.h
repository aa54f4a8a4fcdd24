/* The pilot of sampled traffic: an exact first level alone, fed with all accesses of one thread in
 * windows of the run, counts misses by region and class of line. How even they are says whether
 * some classes can stand for all (docs/decisions/0080).
 *
 * A window starts with an empty cache. A set of an LRU cache is known exactly once it has been
 * filled, so only misses in full sets count: nothing has to be known of the time before. */
#ifndef RIDGE_CACHESIM_PILOT_H
#define RIDGE_CACHESIM_PILOT_H

#include <stdint.h>

#include "abi/layout.h"
#include "cachesim/page_table.h"

enum { CACHESIM_WINDOW_REGIONS = 256 };

struct cachesim_pilot {
  uint64_t* sets; /* `ways` line numbers + 1 each, the most recent first; 0 = empty */
  uint64_t set_count;
  uint32_t ways;
  uint32_t allocates; /* stores that miss bring their line in */
  uint64_t full_sets;
  uint64_t misses; /* counted in this window */
  int counting;
  uint32_t window;                        /* its number, from 1 */
  struct ridge_region_pilot* regions;     /* owned by the caller, zeroed */
  uint32_t* seen_in;                      /* by region: the last window that counted a miss of it */
  uint32_t region_capacity;               /* entries of both */
  uint32_t region_count;                  /* of those in use */
  uint32_t seen_count;                    /* may exceed the capacity of `seen` */
  uint32_t seen[CACHESIM_WINDOW_REGIONS]; /* regions with misses in this window */
  struct cachesim_memory memory;
};

/* `level`: the first level. Null if there is no memory. */
struct cachesim_pilot* cachesim_pilot_create(const struct ridge_cache_level* level,
                                             struct ridge_region_pilot* regions,
                                             uint32_t region_capacity,
                                             const struct cachesim_memory* memory);
void cachesim_pilot_destroy(struct cachesim_pilot* pilot);

void cachesim_pilot_begin(struct cachesim_pilot* pilot);
/* Misses in full sets count from now on. */
void cachesim_pilot_count(struct cachesim_pilot* pilot);
void cachesim_pilot_run(struct cachesim_pilot* pilot, const struct ridge_trace_entry* entries,
                        uint64_t count);
/* Judges the regions that had misses in the window. */
void cachesim_pilot_end(struct cachesim_pilot* pilot, uint64_t sample_mask);

/* Fills in all members but the misses. `sample_mask` has one class of each group of 8. */
void cachesim_pilot_judge(struct ridge_region_pilot* region, uint64_t sample_mask);

#endif
