/* How much of a line is used while it is in a first level, for sampled lines: which of its bytes
 * were accessed between two times that it came in. Lines are few at a time (the first level holds
 * some ten sampled ones), so a small table by line is enough; what it displaces keeps what was
 * counted. */
#ifndef RIDGE_CACHESIM_LINE_USE_H
#define RIDGE_CACHESIM_LINE_USE_H

#include <stdint.h>

#include "abi/layout.h"
#include "cachesim/cache.h"

enum { CACHESIM_USE_SLOTS = 512, CACHESIM_USE_PARTS = 64 };

struct cachesim_line_in_use {
  uint64_t line_and_valid; /* 0 = free */
  uint64_t used;           /* one bit per part: line_bytes / CACHESIM_USE_PARTS, at least a byte */
  uint32_t region;         /* that brought it in */
};

/* Of one first level. */
struct cachesim_line_use {
  struct cachesim_line_in_use slots[CACHESIM_USE_SLOTS];
};

static inline struct cachesim_line_in_use* cachesim_use_slot(struct cachesim_line_use* use,
                                                             uint64_t line) {
  /* Not the highest bits, in which sampled lines agree. */
  return &use->slots[cachesim_hash(line) >> 40 & (CACHESIM_USE_SLOTS - 1)];
}

/* The line came into the first level for this region. */
static inline void cachesim_use_begin(struct cachesim_line_use* use, uint64_t line, uint32_t region,
                                      struct ridge_region_lines* regions) {
  struct cachesim_line_in_use* slot = cachesim_use_slot(use, line);
  slot->line_and_valid = line | cachesim_valid;
  slot->used = 0;
  slot->region = region;
  ++regions[region].fetched;
}

/* `bytes` from `offset` within a line of `line_bytes` are accessed. */
static inline void cachesim_use_note(struct cachesim_line_use* use, uint64_t line, uint32_t offset,
                                     uint32_t bytes, uint32_t line_bytes,
                                     struct ridge_region_lines* regions) {
  struct cachesim_line_in_use* slot = cachesim_use_slot(use, line);
  if (slot->line_and_valid != (line | cachesim_valid) || bytes == 0) {
    return;
  }
  const uint32_t part = line_bytes > CACHESIM_USE_PARTS ? line_bytes / CACHESIM_USE_PARTS : 1;
  const uint32_t first = offset / part;
  const uint32_t count = (offset + bytes - 1) / part - first + 1;
  const uint64_t bits = ~(uint64_t)0 >> (64 - count) << first;
  const uint64_t added = bits & ~slot->used;
  slot->used |= added;
  regions[slot->region].used_bytes += (uint64_t)__builtin_popcountll(added) * part;
}

#endif
