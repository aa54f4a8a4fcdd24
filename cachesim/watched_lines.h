/* What is known of lines that several cores write, by line and region: a growing table. Lines side
 * by side lie side by side in it: one after the other, as loops touch them, they cost no cache miss
 * each. A line alone takes a block, 384 bytes. */
#ifndef RIDGE_CACHESIM_WATCHED_LINES_H
#define RIDGE_CACHESIM_WATCHED_LINES_H

#include <stdint.h>

#include "cachesim/page_table.h"

enum { CACHESIM_WATCHED_BLOCK = 16 }; /* lines */

/* What they mean: sharing.c. */
struct cachesim_watched_line {
  uint64_t writers; /* 0: the line is not watched */
  uint64_t words;
  uint64_t taken;
};

struct cachesim_watched_block {
  struct cachesim_watched_line lines[CACHESIM_WATCHED_BLOCK];
};

struct cachesim_watched {
  struct cachesim_page_table numbers; /* block of lines and region -> `first`: 1 + its number */
  struct cachesim_watched_block* blocks;
  uint64_t capacity;
  uint64_t used;
};

/* False if there is no memory. */
int cachesim_watched_init(struct cachesim_watched* watched, const struct cachesim_memory* memory);
void cachesim_watched_free(struct cachesim_watched* watched, const struct cachesim_memory* memory);

/* Null if the line is not watched for this region. */
struct cachesim_watched_line* cachesim_watched_find(const struct cachesim_watched* watched,
                                                    uint64_t line, uint32_t region);

/* A new one is all 0, and not watched before it has a writer. Null if the table had to grow and
 * there was no memory. Lines move when it grows. */
struct cachesim_watched_line* cachesim_watched_get(struct cachesim_watched* watched,
                                                   const struct cachesim_memory* memory,
                                                   uint64_t line, uint32_t region);

#endif
