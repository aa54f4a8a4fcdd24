/* Cache simulation of an address stream: traffic per region at every boundary of the hierarchy.
 * What is modelled and what is not: cachesim/README.md.
 *
 * Freestanding: memory comes from the caller. Not thread-safe: one caller at a time. */
#ifndef RIDGE_CACHESIM_CACHESIM_H
#define RIDGE_CACHESIM_CACHESIM_H

#include <stdint.h>

#include "abi/layout.h"
#include "cachesim/cache.h"
#include "cachesim/page_table.h"

/* Region ids at or above this are charged to region 0 ("none"). */
enum { CACHESIM_REGION_LIMIT = RIDGE_REGION_CAPACITY };

/* The caches that one core sees, innermost first. Shared ones appear at several cores. */
struct cachesim_core {
  struct cachesim_cache* caches[RIDGE_CACHE_LEVELS_MAX];
  struct cachesim_cache
      views[RIDGE_CACHE_LEVELS_MAX]; /* what these point to, which stays as it is */
  /* By first cache level in common (level_count: none): the other cores, one bit per slot mod 64.
   */
  uint64_t joined[RIDGE_CACHE_LEVELS_MAX + 1];
  uint32_t slot; /* order of first use; its bit in the sharing directory is slot mod 64 */
  struct cachesim_line_use* use; /* of sampled lines; null before the first one */
};

struct cachesim_level {
  uint32_t cores_per_cache;
  uint32_t cache_count;
  struct cachesim_cache geometry;    /* without memory */
  struct cachesim_cache** instances; /* null until a core behind it is used */
};

/* A page of the footprint that was looked up lately. */
struct cachesim_recent_page {
  uint64_t key;
  struct cachesim_page* page;
  uint64_t valid_at; /* the table's capacity at that time: entries move when it grows */
};
enum { CACHESIM_RECENT_PAGES = 256 }; /* 2^(64 - 56) */
enum { CACHESIM_NEAR_PAGES = 64 };    /* 2^(64 - 58) */

/* A line that came from memory for this region. */
struct cachesim_memory_sample {
  uint64_t line;
  uint32_t region;
};

struct cachesim;
/* A load or an ordinary store of a part of one line. */
typedef void cachesim_line_access(struct cachesim* sim, struct cachesim_core* core, uint64_t line,
                                  uint32_t flags, uint32_t region);

struct cachesim {
  uint32_t level_count;
  uint32_t last_level; /* level_count - 1 */
  uint32_t core_count;
  uint32_t line_bytes;
  uint32_t line_shift;
  /* By level; one more, because callers ask about the level below the last one. */
  unsigned char victim[RIDGE_CACHE_LEVELS_MAX + 1];
  unsigned char inclusive[RIDGE_CACHE_LEVELS_MAX + 1];
  unsigned char allocates[RIDGE_CACHE_LEVELS_MAX + 1];
  unsigned char kind;                /* of line_access.h, for a usual machine */
  cachesim_line_access* access_line; /* null: the machine is not usual */
  struct cachesim_level levels[RIDGE_CACHE_LEVELS_MAX];
  uint32_t share_ways[CACHESIM_SHARES]; /* of the last level: all, 1/2, 1/4, rounded up */
  struct cachesim_core** cores;         /* null until first used */
  uint32_t* active;                     /* cores in use, by slot */
  uint32_t active_count;
  struct ridge_region_traffic* regions;
  uint32_t region_count;
  uint32_t incomplete;                  /* enum cachesim_incomplete */
  uint32_t using_region;                /* of an access that may find other cores' copies */
  struct cachesim_observer* observer;   /* null: nobody asked for more than traffic */
  struct cachesim_page_table footprint; /* page, region -> lines touched, lines dirtied */
  struct cachesim_recent_page recent[CACHESIM_RECENT_PAGES];
  struct cachesim_page_table sharers; /* page -> cores that may hold lines of it */
  struct cachesim_recent_page recent_sharers[CACHESIM_RECENT_PAGES];
  /* Whether it pays to look ahead in the trace (stream.c). Now and then it is measured: pages of
   * lines that missed the second level, and how many lines did whose page was none of them. */
  uint64_t near_pages[CACHESIM_NEAR_PAGES];
  uint32_t far_misses;
  uint32_t batches;
  int measures_distance;
  int looks_ahead;
  /* cachesim_sample_memory */
  struct cachesim_memory_sample* memory_samples; /* null: none */
  uint32_t memory_sample_capacity;
  uint32_t memory_sample_count;
  uint32_t memory_sample_every;
  uint64_t memory_sample_random;
  uint64_t memory_lines_left; /* until the next one is noted; from 0 it takes 2^64 */
  struct cachesim_memory memory;
};

enum cachesim_incomplete {
  CACHESIM_LEAST_INCOMPLETE = 1, /* no memory to remember distinct lines: `least` is too small */
  CACHESIM_LOST_ACCESSES = 2     /* no memory for a core's caches: its accesses were dropped */
};

/* Null if the configuration can be simulated, else a sentence that says what is wrong. */
const char* cachesim_check(const struct ridge_cache_config* config);

/* `regions`: table of `region_count` entries, zeroed, indexed by region id, owned by the caller.
 * Null if there is no memory or the configuration is refused by cachesim_check. */
struct cachesim* cachesim_create(const struct ridge_cache_config* config,
                                 struct ridge_region_traffic* regions, uint32_t region_count,
                                 const struct cachesim_memory* memory);
void cachesim_destroy(struct cachesim* sim);

/* From now on `regions` gets what observer.h says, for regions below `region_limit`; owned by the
 * caller, zeroed. False without memory, and for a machine of one level. */
int cachesim_observe(struct cachesim* sim, struct ridge_region_lines* regions,
                     uint32_t region_limit);

/* From now on only lines of these classes (line_class.h) are accessed, and at packed addresses:
 * what the caches and the footprint know of them stays, what they know of others goes. The sets
 * that are in use then lie side by side. False, and nothing has changed, if the classes are not 1,
 * 2, 4 ... in number, some level's sets are not a multiple of 64 or its lines not 64 bytes, or
 * there is no memory. */
int cachesim_pack(struct cachesim* sim, uint64_t classes);

/* More entries of the table may be written from now on. */
void cachesim_set_region_count(struct cachesim* sim, uint32_t region_count);

/* A batch in the format of the trace buffer, executed by `core`. */
void cachesim_run(struct cachesim* sim, uint32_t core, const struct ridge_trace_entry* entries,
                  uint64_t count);

/* One access: `flags` are RIDGE_TRACE_WRITE and RIDGE_TRACE_NON_TEMPORAL. Any length: an access
 * that crosses lines touches each of them. Counts as one access of the region. */
void cachesim_access(struct cachesim* sim, uint32_t core, uint64_t address, uint64_t bytes,
                     uint32_t flags, uint32_t region);

/* Same, under the name for memcpy and memset. */
static inline void cachesim_range(struct cachesim* sim, uint32_t core, uint64_t address,
                                  uint64_t bytes, uint32_t flags, uint32_t region) {
  cachesim_access(sim, core, address, bytes, flags, region);
}

/* From now on lines that are read from memory are noted in `samples`, owned by the caller: one in
 * `every` (at least 1) on average, at random distances. What does not fit is left out;
 * sim->memory_sample_count is the caller's to set back. */
void cachesim_sample_memory(struct cachesim* sim, struct cachesim_memory_sample* samples,
                            uint32_t capacity, uint32_t every);

/* The part of an access that lies in one line. */
struct cachesim_piece {
  uint64_t line;
  uint32_t bytes;
  uint32_t flags;
  uint32_t region;
};

#endif
