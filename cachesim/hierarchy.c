#include "cachesim/hierarchy.h"

static void write_into_last(struct cachesim* sim, struct cachesim_core* core, uint32_t variant,
                            const struct cachesim_write_back* line) {
  const uint32_t last = sim->last_level;
  const struct cachesim_cache* cache = &core->caches[last][variant];
  const uint32_t bit = 1u << variant;
  const int dirty = (line->dirty & bit) != 0;
  if (!dirty && !(line->displaced && cachesim_is_victim(sim, last))) {
    return;
  }
  const struct cachesim_entry entry = {
      line->line | cachesim_valid,
      dirty ? cachesim_mark(line->owner, bit) : cachesim_mark(line->user, 0),
      dirty ? line->owner : line->user};
  unsigned char* set = cachesim_set_of(cache, line->line);
  const int32_t found = cachesim_find(cache, set, line->line);
  if (found >= 0) {
    const uint32_t way = cachesim_promote(cache, set, (uint32_t)found);
    if (dirty) {
      cachesim_write_way(cache, set, way, entry);
    }
  } else if (cachesim_is_victim(sim, last) || cachesim_allocates(sim, last)) {
    cachesim_evict_last(sim, core, variant, cachesim_insert(cache, set, entry));
  } else {
    cachesim_memory_traffic(sim, variant, line->owner)->written += sim->line_bytes;
  }
}

void cachesim_write_into(struct cachesim* sim, struct cachesim_core* core, uint32_t level,
                         struct cachesim_write_back line) {
  const uint32_t last = sim->last_level;
  if (!line.displaced && (line.dirty & 1) == 0) {
    level = last; /* dirty in a machine with a smaller last level only */
  }
  for (; level < last; ++level) {
    const struct cachesim_cache* cache = core->caches[level];
    const int victim = cachesim_is_victim(sim, level);
    unsigned char* set = cachesim_set_of(cache, line.line);
    const int32_t found = cachesim_find(cache, set, line.line);
    const uint32_t owner = line.dirty != 0 ? line.owner : line.user;
    struct cachesim_entry entry = {line.line | cachesim_valid, cachesim_mark(owner, line.dirty),
                                   owner};
    if (found >= 0) {
      const uint32_t way = cachesim_promote(cache, set, (uint32_t)found);
      if (line.dirty != 0) {
        entry.mark |= cachesim_dirty_of(cachesim_marks(cache, set)[way]);
        cachesim_write_way(cache, set, way, entry);
      }
      return;
    }
    if (victim || cachesim_allocates(sim, level)) {
      cachesim_evict(sim, core, level, cachesim_insert(cache, set, entry));
      return;
    }
    if ((line.dirty & 1) != 0) {
      cachesim_add_written(sim, level, line.owner, sim->line_bytes);
    }
  }
  for (uint32_t variant = 0; variant < CACHESIM_VARIANTS; ++variant) {
    write_into_last(sim, core, variant, &line);
  }
}

void cachesim_evict(struct cachesim* sim, struct cachesim_core* core, uint32_t level,
                    struct cachesim_entry displaced) {
  if (displaced.tag == 0) {
    return;
  }
  struct cachesim_write_back line = {cachesim_line_of(displaced), cachesim_dirty_of(displaced.mark),
                                     cachesim_owner_of(displaced.mark), displaced.user, 1};
  if (cachesim_is_inclusive(sim, level)) {
    cachesim_back_invalidate(sim, core, level, &line);
  }
  const int to_victim = cachesim_is_victim(sim, level + 1);
  if ((line.dirty & 1) != 0) {
    cachesim_add_written(sim, level, line.owner, sim->line_bytes);
  } else if (to_victim) {
    cachesim_add_written(sim, level, line.user, sim->line_bytes);
  }
  if (to_victim || line.dirty != 0) {
    cachesim_write_into(sim, core, level + 1, line);
  }
}

void cachesim_evict_last(struct cachesim* sim, struct cachesim_core* core, uint32_t variant,
                         struct cachesim_entry displaced) {
  if (displaced.tag == 0) {
    return;
  }
  const uint32_t last = sim->last_level;
  struct cachesim_write_back line = {cachesim_line_of(displaced),
                                     cachesim_dirty_of(displaced.mark) & 1u << variant,
                                     cachesim_owner_of(displaced.mark), displaced.user, 1};
  /* The caches above are those of the real machine; the smaller last levels only listen. What the
   * real one forces out of the caches above arrives at the smaller ones as a write-back. */
  if (variant == 0 && cachesim_is_inclusive(sim, last)) {
    cachesim_back_invalidate(sim, core, last, &line);
    for (uint32_t smaller = 1; smaller < CACHESIM_VARIANTS; ++smaller) {
      write_into_last(sim, core, smaller, &line);
    }
  }
  if ((line.dirty & 1u << variant) != 0) {
    cachesim_memory_traffic(sim, variant, line.owner)->written += sim->line_bytes;
  }
}

/* Returns whether the last level itself has the line; `entry` gains the dirtiness of a line that a
 * victim cache hands up. */
static int fetch_from_last(struct cachesim* sim, struct cachesim_core* core, uint32_t region,
                           int supplied, struct cachesim_entry* entry) {
  const uint32_t last = sim->last_level;
  const uint64_t line = cachesim_line_of(*entry);
  int hit = 0;
  for (uint32_t variant = 0; variant < CACHESIM_VARIANTS; ++variant) {
    const struct cachesim_cache* cache = &core->caches[last][variant];
    unsigned char* set = cachesim_set_of(cache, line);
    const int32_t found = cachesim_find(cache, set, line);
    if (found >= 0 && cachesim_is_victim(sim, last)) {
      const struct cachesim_entry moved = cachesim_remove(cache, set, (uint32_t)found);
      if (cachesim_dirty_of(moved.mark) != 0) {
        entry->mark = cachesim_mark(cachesim_owner_of(moved.mark),
                                    cachesim_dirty_of(moved.mark) | cachesim_dirty_of(entry->mark));
      }
    } else if (found >= 0) {
      cachesim_promote(cache, set, (uint32_t)found);
    } else if (!supplied) {
      cachesim_memory_traffic(sim, variant, region)->read += sim->line_bytes;
      if (!cachesim_is_victim(sim, last)) {
        const struct cachesim_entry clean = {entry->tag, cachesim_mark(region, 0), region};
        cachesim_evict_last(sim, core, variant, cachesim_insert(cache, set, clean));
      }
    }
    hit |= variant == 0 && (found >= 0 || supplied);
  }
  return hit;
}

/* First level below `top` that serves the line; the last level or memory count as the last. */
static uint32_t find_below(struct cachesim* sim, struct cachesim_core* core, uint32_t top,
                           uint32_t region, uint32_t supplied, struct cachesim_entry* entry) {
  const uint32_t last = sim->last_level;
  const uint64_t line = cachesim_line_of(*entry);
  for (uint32_t level = top + 1; level < last; ++level) {
    const struct cachesim_cache* cache = core->caches[level];
    unsigned char* set = cachesim_set_of(cache, line);
    const int32_t found = cachesim_find(cache, set, line);
    if (found >= 0 && cachesim_is_victim(sim, level)) {
      const struct cachesim_entry moved = cachesim_remove(cache, set, (uint32_t)found);
      if (cachesim_dirty_of(moved.mark) != 0) {
        entry->mark = moved.mark;
      }
      return level;
    }
    if (found >= 0) {
      const uint32_t way = cachesim_promote(cache, set, (uint32_t)found);
      cachesim_users(cache, set)[way] = region;
      return level;
    }
    if ((supplied >> level & 1) != 0) {
      return level;
    }
  }
  fetch_from_last(sim, core, region, (supplied >> last & 1) != 0, entry);
  return last;
}

struct cachesim_entry cachesim_fetch(struct cachesim* sim, struct cachesim_core* core,
                                     uint64_t line, uint32_t region, uint32_t top,
                                     uint32_t supplied) {
  struct cachesim_entry entry = {line | cachesim_valid, cachesim_mark(region, 0), region};
  const uint32_t source = find_below(sim, core, top, region, supplied, &entry);
  for (uint32_t level = top; level < source; ++level) {
    sim->regions[region].crossed[level].read += sim->line_bytes;
  }
  for (uint32_t level = source; level-- > top + 1;) {
    if (cachesim_is_victim(sim, level)) {
      continue;
    }
    const struct cachesim_cache* cache = core->caches[level];
    const struct cachesim_entry displaced =
        cachesim_insert(cache, cachesim_set_of(cache, line), entry);
    entry.mark = cachesim_mark(region, 0);
    cachesim_evict(sim, core, level, displaced);
  }
  return entry;
}
