#include "cachesim/cachesim.h"

#include "cachesim/hierarchy.h"
#include "cachesim/line_access.h"
#include "cachesim/observer.h"

/* The page of the footprint that is to stand in `recent`; null if there is no memory. */
static __attribute__((noinline)) struct cachesim_page* look_up_page(
    struct cachesim* sim, struct cachesim_recent_page* recent, uint64_t key) {
  struct cachesim_page* page = cachesim_page_get(&sim->footprint, &sim->memory, key);
  if (page == 0) {
    sim->incomplete |= CACHESIM_LEAST_INCOMPLETE;
    return 0;
  }
  recent->key = key;
  recent->page = page;
  recent->valid_at = sim->footprint.capacity;
  return page;
}

/* Distinct lines per region. Exact although a hit rarely comes here: a line of the first level is
 * known to be in the set of the region that used it last, and in the dirty set of its owner. */
static inline void note_footprint(struct cachesim* sim, uint64_t line, uint32_t region, int touched,
                                  int dirtied) {
  const uint64_t bit = (uint64_t)1 << line % CACHESIM_PAGE_LINES;
  const uint64_t page_number = line / CACHESIM_PAGE_LINES;
  const uint64_t key = page_number * CACHESIM_REGION_LIMIT + region;
  struct cachesim_recent_page* recent = &sim->recent[cachesim_hash(key) >> 56];
  struct cachesim_page* page = recent->page;
  if (recent->key != key || recent->valid_at != sim->footprint.capacity) {
    page = look_up_page(sim, recent, key);
    if (page == 0) {
      return;
    }
  }
  if (touched && (page->first & bit) == 0) {
    page->first |= bit;
    sim->regions[region].least.read += sim->line_bytes;
  }
  if (dirtied && (page->second & bit) == 0) {
    page->second |= bit;
    sim->regions[region].least.written += sim->line_bytes;
  }
}

/* A write is about to make this core the only one with the line. */
static void take_all_back(struct cachesim* sim, struct cachesim_core* core,
                          const struct cachesim_piece* piece, struct cachesim_supply* supply) {
  const uint64_t sharers = cachesim_other_sharers(sim, core, piece->line);
  sim->using_region = piece->region;
  if (sharers != 0) {
    cachesim_snoop(sim, core, piece->line, 1, sharers, CACHESIM_ANY_LEVEL, supply);
    cachesim_note_invalidation(sim, core, piece, supply->copies);
  }
}

static void non_temporal_store(struct cachesim* sim, struct cachesim_core* core,
                               const struct cachesim_piece* piece) {
  struct cachesim_supply supply = {0};
  take_all_back(sim, core, piece, &supply);
  cachesim_purge_path(sim, core, piece->line, &supply);
  for (uint32_t share = 0; share < CACHESIM_SHARES; ++share) {
    cachesim_memory_traffic(sim, share, piece->region)->written += piece->bytes;
  }
  note_footprint(sim, piece->line, piece->region, 0, 1);
}

/* A store that missed a first level without write-allocate: looks for a cache that has the line or
 * takes it; each boundary above that one is crossed by the bytes of the store only. */
static void store_through(struct cachesim* sim, struct cachesim_core* core,
                          const struct cachesim_piece* piece, struct cachesim_supply* supply) {
  const struct cachesim_entry dirty = {piece->line | cachesim_valid,
                                       cachesim_mark(piece->region, CACHESIM_DIRTY_MASK),
                                       piece->region};
  const uint32_t last = sim->last_level;
  cachesim_add_written(sim, 0, piece->region, piece->bytes);
  for (uint32_t level = 1; level < last; ++level) {
    const struct cachesim_cache* cache = core->caches[level];
    uint64_t* set = cachesim_set_of(cache, piece->line);
    const int32_t found = cachesim_find(cache, set, piece->line);
    const int allocates = cachesim_allocates(sim, level);
    if (found >= 0) {
      const uint32_t way =
          allocates ? cachesim_promote(cache, set, (uint32_t)found) : (uint32_t)found;
      cachesim_write_way(cache, set, way, dirty);
      return;
    }
    if (allocates) {
      cachesim_fetch(sim, core, piece->line, piece->region, level, supply);
      cachesim_evict(sim, core, level, cachesim_insert(cache, set, dirty));
      return;
    }
    cachesim_add_written(sim, level, piece->region, piece->bytes);
  }
  cachesim_last_access(sim, core, piece);
}

/* From now on the filter knows the line, if what it says holds. A victim cache may have handed up a
 * dirty line of which other cores have copies: stores to it must ask. */
static inline void learn(const struct cachesim* sim, const struct cachesim_core* core,
                         uint64_t* set, uint32_t way) {
  const struct cachesim_cache* first = core->caches[0];
  const uint32_t user = cachesim_users(first, set)[way];
  const uint64_t word = set[way];
  const uint64_t line = word & (cachesim_valid - 1);
  if ((user & cachesim_carried) == 0 && !cachesim_keeps_out(sim, line, user)) {
    cachesim_learn(first, &cachesim_stamps(first, set)[way], word, user,
                   cachesim_allocates(sim, 0) && !cachesim_is_victim(sim, 1));
  } else {
    cachesim_forget(first, word); /* that another region used it last */
  }
}

static inline void hit_first(struct cachesim* sim, struct cachesim_core* core, uint64_t* set,
                             uint32_t way, const struct cachesim_piece* piece) {
  const struct cachesim_cache* cache = core->caches[0];
  const int write = piece->flags != 0;
  if (!write || cachesim_allocates(sim, 0)) {
    cachesim_promote(cache, set, way);
  }
  const uint32_t mark = cachesim_get_mark(set, way);
  uint32_t* user = &cachesim_users(cache, set)[way];
  /* A line that is dirty here is nowhere else, unless a victim cache handed it up dirty: the write
   * that made it so saw to that. */
  const int exclusive =
      cachesim_dirty_of(mark) == CACHESIM_DIRTY_MASK && !cachesim_is_victim(sim, 1);
  if (write && !exclusive && sim->active_count > 1) {
    struct cachesim_supply ignored = {0}; /* the line becomes dirty here instead */
    take_all_back(sim, core, piece, &ignored);
  }
  const uint32_t dirty = cachesim_mark(piece->region, CACHESIM_DIRTY_MASK);
  const int touched =
      (*user & ~cachesim_carried) != piece->region && (!write || cachesim_allocates(sim, 0));
  const int dirtied = write && mark != dirty;
  if (touched || dirtied) {
    note_footprint(sim, piece->line, piece->region, touched, dirtied);
  }
  *user = touched ? piece->region | (*user & cachesim_carried) : *user;
  if (dirtied) {
    cachesim_set_mark(cache, set, way, dirty);
  }
  if (write) {
    *user &= ~cachesim_carried;
  }
  learn(sim, core, set, way);
}

/* The line is not in the first level. */
static __attribute__((noinline)) void note_distance(struct cachesim* sim,
                                                    const struct cachesim_core* core,
                                                    uint64_t line) {
  const struct cachesim_cache* above = core->caches[sim->last_level - 1];
  if (cachesim_find(above, cachesim_set_of(above, line), line) < 0) {
    cachesim_note_distance(sim, line);
  }
}

static __attribute__((noinline)) void miss_first(struct cachesim* sim, struct cachesim_core* core,
                                                 uint64_t* set,
                                                 const struct cachesim_piece* piece) {
  const int write = piece->flags != 0;
  struct cachesim_supply supply = {0};
  if (sim->measures_distance) {
    note_distance(sim, core, piece->line);
  }
  if (sim->active_count > 1) {
    if (write) {
      take_all_back(sim, core, piece, &supply);
    } else {
      supply.unasked = cachesim_other_sharers(sim, core, piece->line);
      sim->using_region = piece->region;
    }
    cachesim_note_sharer(sim, core, piece->line);
  }
  const int through = write && !cachesim_allocates(sim, 0);
  note_footprint(sim, piece->line, piece->region, !through, write);
  if (through) {
    if (supply.dirty != 0) { /* no cache above takes the line that was handed over */
      const struct cachesim_write_back line = {piece->line, supply.dirty, supply.owner,
                                               supply.owner};
      supply.dirty = 0;
      cachesim_write_into(sim, core, supply.from_level, &line);
    }
    store_through(sim, core, piece, &supply);
    return;
  }
  struct cachesim_entry entry = cachesim_fetch(sim, core, piece->line, piece->region, 0, &supply);
  if (write) {
    entry.mark = cachesim_mark(piece->region, CACHESIM_DIRTY_MASK);
    entry.user = piece->region;
  }
  const struct cachesim_cache* first = core->caches[0];
  const uint32_t way = cachesim_next_victim(first, set);
  const struct cachesim_entry displaced = cachesim_insert(first, set, entry);
  learn(sim, core, set, way);
  cachesim_evict(sim, core, 0, displaced);
}

static void access_only_level(struct cachesim* sim, struct cachesim_core* core,
                              const struct cachesim_piece* piece) {
  const int write = piece->flags != 0;
  if (sim->active_count > 1) {
    struct cachesim_supply none = {0};
    cachesim_snoop(sim, core, piece->line, write, cachesim_other_sharers(sim, core, piece->line),
                   CACHESIM_ANY_LEVEL, &none);
    cachesim_note_sharer(sim, core, piece->line);
  }
  note_footprint(sim, piece->line, piece->region, !write || cachesim_allocates(sim, 0), write);
  cachesim_last_access(sim, core, piece);
}

int cachesim_is_private(struct cachesim* sim, struct cachesim_core* core, uint64_t line) {
  const uint64_t others = cachesim_other_sharers(sim, core, line);
  if (others != 0 &&
      (cachesim_is_observed(sim, line) || cachesim_has_copies(sim, core, line, others))) {
    return 0;
  }
  cachesim_note_sharer(sim, core, line);
  return 1;
}

void cachesim_hit_line(struct cachesim* sim, struct cachesim_core* core, uint64_t* set,
                       uint32_t way, const struct cachesim_piece* piece) {
  hit_first(sim, core, set, way, piece);
}

void cachesim_miss_line(struct cachesim* sim, struct cachesim_core* core, uint64_t* set,
                        const struct cachesim_piece* piece) {
  miss_first(sim, core, set, piece);
}

void cachesim_note_line(struct cachesim* sim, uint64_t line, uint32_t flags, uint32_t region) {
  note_footprint(sim, line, region, 1, flags != 0);
}

static void access_unusual(struct cachesim* sim, struct cachesim_core* core,
                           const struct cachesim_piece* piece) {
  const struct cachesim_cache* first = core->caches[0];
  uint64_t* set = cachesim_set_of(first, piece->line);
  const int32_t way = cachesim_find(first, set, piece->line);
  if (way >= 0) {
    hit_first(sim, core, set, (uint32_t)way, piece);
  } else {
    miss_first(sim, core, set, piece);
  }
}

void cachesim_access_piece(struct cachesim* sim, struct cachesim_core* core,
                           const struct cachesim_piece* piece) {
  if ((piece->flags & RIDGE_TRACE_NON_TEMPORAL) != 0 && (piece->flags & RIDGE_TRACE_WRITE) != 0) {
    non_temporal_store(sim, core, piece);
  } else if (sim->level_count == 1) {
    access_only_level(sim, core, piece);
  } else if (sim->access_line == 0) {
    access_unusual(sim, core, piece);
  } else {
    sim->access_line(sim, core, piece->line, piece->flags, piece->region);
  }
}
