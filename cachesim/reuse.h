/* The capacity that would hold what is used again: LRU stack distances (Mattson et al., IBM Systems
 * Journal 9, 1970) of a sample of lines chosen by a hash of their number (SHARDS: Waldspurger et
 * al., FAST 2015). Fed with the misses of the first levels.
 *
 * A sampled line that comes again after d other sampled lines would have been held by a fully
 * associative cache of d * 2^shift + 1 lines. The hash is multiplicative: of neighbouring lines it
 * takes every 2^shift-th almost exactly, so that the estimate for arrays is better than one from
 * random lines. */
#ifndef RIDGE_CACHESIM_REUSE_H
#define RIDGE_CACHESIM_REUSE_H

#include <stdint.h>

#include "abi/layout.h"
#include "cachesim/cache.h"
#include "cachesim/page_table.h"

/* Returned for a line that was never seen, or so long ago that no capacity in question holds it. */
enum { CACHESIM_BEYOND = RIDGE_CURVE_POINTS };

struct cachesim_reuse_slot {
  uint64_t line_and_valid; /* 0 = free */
  uint32_t time;
};

struct cachesim_reuse {
  uint32_t sample_shift; /* one line in 2^sample_shift */
  uint32_t line_bytes;
  uint32_t most;                     /* lines that are remembered */
  uint32_t count;                    /* of them */
  uint32_t now;                      /* next time; times are below 2 * most */
  uint32_t oldest;                   /* no line has an earlier time */
  uint64_t* line_at;                 /* by time: line | valid, or 0 */
  uint32_t* later;                   /* binary indexed tree over times that have a line */
  struct cachesim_reuse_slot* slots; /* by line: open addressing */
  uint64_t slot_mask;
  struct cachesim_memory memory;
};

/* For capacities up to `most_bytes`. Null if there is no memory. */
struct cachesim_reuse* cachesim_reuse_create(uint64_t most_bytes, uint32_t line_bytes,
                                             uint32_t sample_shift,
                                             const struct cachesim_memory* memory);
void cachesim_reuse_destroy(struct cachesim_reuse* reuse);

static inline int cachesim_is_sampled(uint64_t line, uint32_t sample_shift) {
  return sample_shift == 0 || cachesim_hash(line) >> (64 - sample_shift) == 0;
}

/* The line, which must be sampled, is used again: the first point of the curve (abi/layout.h) whose
 * capacity would have held it, or CACHESIM_BEYOND. */
uint32_t cachesim_reuse_note(struct cachesim_reuse* reuse, uint64_t line);

#endif
