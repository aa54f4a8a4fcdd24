/* The last level together with the machines that have only 1/2 or 1/4 of it (fewer ways, same
 * sets).
 *
 * One structure serves the three of them (Mattson et al. 1970, stack algorithm): the lines that a
 * smaller share holds are those at the first ways of the set, as many as the share has, because
 * each share inserts the same lines at the front and gives up its least recent one. A removal
 * (invalidation, or the hit of a victim cache) leaves a gap in every share that had the line; the
 * next line fills the first gap, and whoever has it gives up nothing. A dirty bit of a share is
 * only set while the share has the line. */
#include "cachesim/hierarchy.h"

static int in_share(const struct cachesim* sim, uint32_t share, uint32_t way) {
  return way < sim->share_ways[share];
}

/* The lines before `end` are about to move on by one. */
static void leave_shares(struct cachesim* sim, const struct cachesim_cache* cache, uint64_t* set,
                         uint32_t end) {
  for (uint32_t share = 1; share < CACHESIM_SHARES; ++share) {
    const uint32_t way = sim->share_ways[share] - 1;
    const uint32_t mark = cachesim_get_mark(set, way);
    if (way < end && (mark & 1u << share) != 0) {
      cachesim_set_mark(cache, set, way, mark & ~(1u << share));
      cachesim_memory_traffic(sim, share, cachesim_owner_of(mark))->written += sim->line_bytes;
    }
  }
}

static void evict(struct cachesim* sim, struct cachesim_core* core,
                  struct cachesim_entry displaced) {
  if (displaced.tag == 0) {
    return;
  }
  struct cachesim_write_back line = {cachesim_line_of(displaced), cachesim_dirty_of(displaced.mark),
                                     cachesim_owner_of(displaced.mark), displaced.user};
  if (cachesim_is_inclusive(sim, sim->last_level)) {
    cachesim_back_invalidate(sim, core, sim->last_level, &line);
  }
  for (uint32_t share = 0; share < CACHESIM_SHARES; ++share) {
    if ((line.dirty & 1u << share) != 0) {
      cachesim_memory_traffic(sim, share, line.owner)->written += sim->line_bytes;
    }
  }
}

static void insert(struct cachesim* sim, struct cachesim_core* core, uint64_t* set,
                   struct cachesim_entry entry) {
  const struct cachesim_cache* cache = core->caches[sim->last_level];
  leave_shares(sim, cache, set, cachesim_next_victim(cache, set));
  evict(sim, core, cachesim_insert(cache, set, entry));
}

/* The line at `way` comes to the first one. */
static void promote(struct cachesim* sim, struct cachesim_core* core, uint64_t* set, uint32_t way) {
  const struct cachesim_cache* cache = core->caches[sim->last_level];
  leave_shares(sim, cache, set, cachesim_first_gap(set, way));
  cachesim_promote(cache, set, way);
}

void cachesim_last_fetch(struct cachesim* sim, struct cachesim_core* core, uint32_t region,
                         int supplied, struct cachesim_entry* entry) {
  const struct cachesim_cache* cache = core->caches[sim->last_level];
  const uint64_t line = cachesim_line_of(*entry);
  const int victim = cachesim_is_victim(sim, sim->last_level);
  uint64_t* set = cachesim_set_of(cache, line);
  const int32_t found = cachesim_find(cache, set, line);
  if (found < 0 && !supplied) {
    cachesim_count_memory_line(sim, line, region);
  }
  for (uint32_t share = 0; share < CACHESIM_SHARES && !supplied; ++share) {
    if (found < 0 || !in_share(sim, share, (uint32_t)found)) {
      cachesim_memory_traffic(sim, share, region)->read += sim->line_bytes;
    }
  }
  if (victim && found >= 0) {
    const struct cachesim_entry moved = cachesim_remove(cache, set, (uint32_t)found);
    if (cachesim_dirty_of(moved.mark) != 0) {
      entry->mark = moved.mark;
      entry->user |= cachesim_carried;
    }
  } else if (found >= 0) {
    promote(sim, core, set, (uint32_t)found);
  } else if (!victim) {
    const struct cachesim_entry clean = {entry->tag, cachesim_mark(region, 0), region};
    insert(sim, core, set, clean);
  }
}

/* A write of `bytes` that does not allocate meets the line at `way`, or nowhere (-1). */
static void write_in_place(struct cachesim* sim, const struct cachesim_cache* cache, uint64_t* set,
                           int32_t way, uint32_t owner, uint64_t bytes) {
  uint32_t dirty = 0;
  for (uint32_t share = 0; share < CACHESIM_SHARES; ++share) {
    if (way >= 0 && in_share(sim, share, (uint32_t)way)) {
      dirty |= 1u << share;
    } else {
      cachesim_memory_traffic(sim, share, owner)->written += bytes;
    }
  }
  if (way >= 0) {
    cachesim_set_mark(cache, set, (uint32_t)way, cachesim_mark(owner, dirty));
  }
}

void cachesim_last_write_into(struct cachesim* sim, struct cachesim_core* core,
                              const struct cachesim_write_back* line) {
  const struct cachesim_cache* cache = core->caches[sim->last_level];
  const int victim = cachesim_is_victim(sim, sim->last_level);
  if (line->dirty == 0 && !victim) {
    return;
  }
  uint64_t* set = cachesim_set_of(cache, line->line);
  const int32_t found = cachesim_find(cache, set, line->line);
  const uint32_t owner = line->dirty != 0 ? line->owner : line->user;
  if (!victim && !cachesim_allocates(sim, sim->last_level)) {
    write_in_place(sim, cache, set, found, owner, sim->line_bytes);
  } else if (found >= 0) {
    promote(sim, core, set, (uint32_t)found);
    const uint32_t before = cachesim_get_mark(set, 0);
    if (line->dirty != 0) {
      cachesim_set_mark(cache, set, 0,
                        cachesim_mark(owner, line->dirty | cachesim_dirty_of(before)));
    }
  } else {
    const struct cachesim_entry entry = {line->line | cachesim_valid,
                                         cachesim_mark(owner, line->dirty), owner};
    insert(sim, core, set, entry);
  }
}

void cachesim_last_access(struct cachesim* sim, struct cachesim_core* core,
                          const struct cachesim_piece* piece) {
  const struct cachesim_cache* cache = core->caches[sim->last_level];
  const int write = (piece->flags & RIDGE_TRACE_WRITE) != 0;
  uint64_t* set = cachesim_set_of(cache, piece->line);
  const int32_t found = cachesim_find(cache, set, piece->line);
  if (write && !cachesim_allocates(sim, sim->last_level)) {
    write_in_place(sim, cache, set, found, piece->region, piece->bytes);
    return;
  }
  if (found < 0) {
    cachesim_count_memory_line(sim, piece->line, piece->region);
  }
  for (uint32_t share = 0; share < CACHESIM_SHARES; ++share) {
    if (found < 0 || !in_share(sim, share, (uint32_t)found)) {
      cachesim_memory_traffic(sim, share, piece->region)->read += sim->line_bytes;
    }
  }
  const uint32_t dirty = cachesim_mark(piece->region, CACHESIM_DIRTY_MASK);
  if (found >= 0) {
    promote(sim, core, set, (uint32_t)found);
    if (write) {
      cachesim_set_mark(cache, set, 0, dirty);
    }
  } else {
    const struct cachesim_entry entry = {piece->line | cachesim_valid,
                                         write ? dirty : cachesim_mark(piece->region, 0),
                                         piece->region};
    insert(sim, core, set, entry);
  }
}

void cachesim_last_clean(struct cachesim* sim, const struct cachesim_core* core, int remove,
                         const struct cachesim_write_back* above) {
  const struct cachesim_cache* cache = core->caches[sim->last_level];
  uint64_t* set = cachesim_set_of(cache, above->line);
  const int32_t way = cachesim_find(cache, set, above->line);
  const uint32_t mark = way >= 0 ? cachesim_get_mark(set, (uint32_t)way) : 0;
  for (uint32_t share = 0; share < CACHESIM_SHARES; ++share) {
    const uint32_t bit = 1u << share;
    const int here = (mark & bit) != 0;
    if ((above->dirty & bit) != 0 || here) {
      const uint32_t owner = (above->dirty & bit) != 0 ? above->owner : cachesim_owner_of(mark);
      cachesim_memory_traffic(sim, share, owner)->written += sim->line_bytes;
    }
  }
  if (way >= 0) {
    cachesim_set_mark(cache, set, (uint32_t)way, cachesim_mark(cachesim_owner_of(mark), 0));
    if (remove) {
      cachesim_remove(cache, set, (uint32_t)way);
    }
  }
}
