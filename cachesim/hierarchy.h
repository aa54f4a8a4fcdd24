/* How lines move between the caches: the rules of cachesim/README.md. Internal to cachesim. */
#ifndef RIDGE_CACHESIM_HIERARCHY_H
#define RIDGE_CACHESIM_HIERARCHY_H

#include "cachesim/cachesim.h"

/* A line on its way down. Where no dirty bit is set, it is a clean line for a victim cache. */
struct cachesim_write_back {
  uint64_t line;
  uint32_t dirty; /* one bit per share of the last level */
  uint32_t owner; /* region that dirtied it */
  uint32_t user;  /* region that used it last in the cache it leaves */
};

/* What the other cores contribute to a miss. */
struct cachesim_supply {
  uint64_t
      unasked; /* a load asks the cores behind a shared cache when it gets there: which remain */
  uint32_t levels; /* bit k: a core behind the same victim cache k has a copy and serves the miss */
  uint32_t dirty;  /* dirty bits that come with it ... */
  uint32_t owner;
  uint32_t from_level; /* ... to the caches above this victim level */
  uint32_t copies;     /* that were found */
};

static inline int cachesim_is_victim(const struct cachesim* sim, uint32_t level) {
  return sim->victim[level];
}
static inline int cachesim_is_inclusive(const struct cachesim* sim, uint32_t level) {
  return sim->inclusive[level];
}
/* Whether a store or a write-back that misses puts its line into this cache. Writes do not change
 * the order of recency in a cache that says no. */
static inline int cachesim_allocates(const struct cachesim* sim, uint32_t level) {
  return sim->allocates[level];
}
static inline uint32_t cachesim_owner_of(uint32_t mark) {
  return mark >> CACHESIM_DIRTY_BITS;
}
static inline uint32_t cachesim_dirty_of(uint32_t mark) {
  return mark & CACHESIM_DIRTY_MASK;
}
static inline uint32_t cachesim_mark(uint32_t owner, uint32_t dirty) {
  return owner << CACHESIM_DIRTY_BITS | dirty;
}

static inline void cachesim_add_written(struct cachesim* sim, uint32_t boundary, uint32_t region,
                                        uint64_t bytes) {
  sim->regions[region].crossed[boundary].written += bytes;
}
/* Traffic with memory, by share of the last level. */
static inline struct ridge_bytes_crossed* cachesim_memory_traffic(struct cachesim* sim,
                                                                  uint32_t share, uint32_t region) {
  struct ridge_region_traffic* traffic = &sim->regions[region];
  return share == 0   ? &traffic->crossed[sim->last_level]
         : share == 1 ? &traffic->memory_at_half
                      : &traffic->memory_at_quarter;
}

/* A cache without memory. */
struct cachesim_cache cachesim_geometry_of(uint64_t set_count, uint32_t ways);
/* An empty cache as sim->levels[level] says; null if there is no memory. */
struct cachesim_cache* cachesim_make_instance(struct cachesim* sim, uint32_t level);
void cachesim_free_instance(struct cachesim* sim, uint32_t level, struct cachesim_cache* instance);

/* Makes `core` usable; null if there is no memory. */
struct cachesim_core* cachesim_activate(struct cachesim* sim, uint32_t core);

/* Reads `line`, absent from level `top`, for `region`: finds it below, fills the caches on the way
 * and counts. Returns the entry for level `top`. */
struct cachesim_entry cachesim_fetch(struct cachesim* sim, struct cachesim_core* core,
                                     uint64_t line, uint32_t region, uint32_t top,
                                     struct cachesim_supply* supply);

/* What a fill of `level`, which is not the last one, displaced goes down. */
void cachesim_evict(struct cachesim* sim, struct cachesim_core* core, uint32_t level,
                    struct cachesim_entry displaced);

/* A write-back, or a displaced clean line for a victim cache, arrives at `level` (its crossing has
 * been counted). */
void cachesim_write_into(struct cachesim* sim, struct cachesim_core* core, uint32_t level,
                         const struct cachesim_write_back* line);

/* A line has missed the last level but one. Streams miss near lines that missed before, and the
 * processor sees them coming. */
static inline void cachesim_note_distance(struct cachesim* sim, uint64_t line) {
  const uint64_t page = line / CACHESIM_PAGE_LINES;
  uint64_t* near = &sim->near_pages[cachesim_hash(page) >> 58];
  sim->far_misses += *near != page;
  *near = page;
}

/* One of the lines that come from memory is to be noted. */
void cachesim_note_memory_line(struct cachesim* sim, uint64_t line, uint32_t region);

static inline void cachesim_count_memory_line(struct cachesim* sim, uint64_t line,
                                              uint32_t region) {
  if (__builtin_expect(--sim->memory_lines_left == 0, 0)) {
    cachesim_note_memory_line(sim, line, region);
  }
}

/* Other cores that may have copies of the line, one bit per slot mod 64. */
uint64_t cachesim_other_sharers(struct cachesim* sim, const struct cachesim_core* core,
                                uint64_t line);

enum { CACHESIM_ANY_LEVEL = 0 };

/* Whether one of `sharers` has the line in a cache that `core` does not see; with more than 64
 * cores in use, whether one may. */
int cachesim_has_copies(const struct cachesim* sim, const struct cachesim_core* core, uint64_t line,
                        uint64_t sharers);
/* Takes back the copies in caches that `core` does not see: a dirty one is written down to the
 * first cache that `core` does see (a victim cache: handed over in `supply` instead) or to memory.
 * If `remove`, the copies disappear. Asks the cores whose first common cache with `core` is of
 * level `joined` (level_count: those with none), or all. */
void cachesim_snoop(struct cachesim* sim, struct cachesim_core* core, uint64_t line, int remove,
                    uint64_t sharers, uint32_t joined, struct cachesim_supply* supply);

/* Takes `line` out of every cache on the way from `core` to memory, a dirty one written back. */
void cachesim_purge_path(struct cachesim* sim, struct cachesim_core* core, uint64_t line,
                         const struct cachesim_supply* supply);

/* Takes `line` out of the caches above `level` of all cores behind it and adds their dirtiness.
 * Whether there was any. */
int cachesim_back_invalidate(struct cachesim* sim, struct cachesim_core* core, uint32_t level,
                             struct cachesim_write_back* line);

/* Notes which cores a new one shares its caches with. */
void cachesim_note_joined(struct cachesim* sim, struct cachesim_core* made);

/* Notes that `core` may hold lines of this page. */
void cachesim_note_sharer(struct cachesim* sim, const struct cachesim_core* core, uint64_t line);

/* ---- the last level, in all its shares (last_level.c) ---- */

/* The miss reaches the last level. A victim cache hands its dirtiness to `entry`. */
void cachesim_last_fetch(struct cachesim* sim, struct cachesim_core* core, uint32_t region,
                         int supplied, struct cachesim_entry* entry);
void cachesim_last_write_into(struct cachesim* sim, struct cachesim_core* core,
                              const struct cachesim_write_back* line);
/* A load or store of the program that is served here: one level only, or no cache above took it. */
void cachesim_last_access(struct cachesim* sim, struct cachesim_core* core,
                          const struct cachesim_piece* piece);
/* Writes the line to memory if it is dirty here or in `above` and takes it away if `remove`. */
void cachesim_last_clean(struct cachesim* sim, const struct cachesim_core* core, int remove,
                         const struct cachesim_write_back* above);

#endif
