/* How lines move between the caches: the rules of cachesim/README.md. Internal to cachesim. */
#ifndef RIDGE_CACHESIM_HIERARCHY_H
#define RIDGE_CACHESIM_HIERARCHY_H

#include "cachesim/cachesim.h"

/* A line on its way down. Where no dirty bit is set, it is a clean line that a victim cache takes.
 */
struct cachesim_write_back {
  uint64_t line;
  uint32_t dirty; /* one bit per variant of the last level */
  uint32_t owner; /* region that dirtied it */
  uint32_t user;  /* region that used it last in the cache it leaves */
  int displaced;  /* false: a copy stays behind, so a victim cache takes it only if it is dirty */
};

static inline int cachesim_is_victim(const struct cachesim* sim, uint32_t level) {
  return level > 0 && level < sim->level_count && sim->levels[level].policy == RIDGE_VICTIM;
}
static inline int cachesim_is_inclusive(const struct cachesim* sim, uint32_t level) {
  return level > 0 && sim->levels[level].policy == RIDGE_INCLUSIVE;
}
/* Whether a store or a write-back that misses puts its line into this cache. */
static inline int cachesim_allocates(const struct cachesim* sim, uint32_t level) {
  return sim->levels[level].write_allocate != 0 && !cachesim_is_victim(sim, level);
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
/* Traffic with memory of one variant of the last level. */
static inline struct ridge_bytes_crossed* cachesim_memory_traffic(struct cachesim* sim,
                                                                  uint32_t variant,
                                                                  uint32_t region) {
  struct ridge_region_traffic* traffic = &sim->regions[region];
  return variant == 0   ? &traffic->crossed[sim->last_level]
         : variant == 1 ? &traffic->memory_at_half
                        : &traffic->memory_at_quarter;
}

/* Makes `core` usable; null if there is no memory. */
struct cachesim_core* cachesim_activate(struct cachesim* sim, uint32_t core);

/* Reads `line`, absent from the first level, for `region`: finds it below, fills the caches on the
 * way and counts. Returns the entry for the first level. Bit k of `supplied`: a sibling core behind
 * the same victim cache k has a copy and serves the miss. */
struct cachesim_entry cachesim_fetch(struct cachesim* sim, struct cachesim_core* core,
                                     uint64_t line, uint32_t region, uint32_t top,
                                     uint32_t supplied);

/* What a fill of `level` displaced goes down. */
void cachesim_evict(struct cachesim* sim, struct cachesim_core* core, uint32_t level,
                    struct cachesim_entry displaced);
void cachesim_evict_last(struct cachesim* sim, struct cachesim_core* core, uint32_t variant,
                         struct cachesim_entry displaced);

/* A write-back arrives at `level` (its crossing has been counted). */
void cachesim_write_into(struct cachesim* sim, struct cachesim_core* core, uint32_t level,
                         struct cachesim_write_back line);

/* Writes a dirty copy in caches that `core` does not see down to the first one that it does see (or
 * to memory) and, if `remove`, takes all those copies away. Returns `supplied` for cachesim_fetch.
 */
uint32_t cachesim_snoop(struct cachesim* sim, struct cachesim_core* core, uint64_t line,
                        int remove);

/* Takes `line` out of every cache on the way from `core` to memory, a dirty one written back. */
void cachesim_purge_path(struct cachesim* sim, struct cachesim_core* core, uint64_t line);

/* Takes `line` out of the caches above `level` of all cores behind it and adds their dirtiness. */
void cachesim_back_invalidate(struct cachesim* sim, struct cachesim_core* core, uint32_t level,
                              struct cachesim_write_back* line);

/* Notes that `core` may hold lines of this page. */
void cachesim_note_sharer(struct cachesim* sim, const struct cachesim_core* core, uint64_t line);

#endif
