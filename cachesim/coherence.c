/* Copies of one line in several caches: who has them, and how they are taken back. */
#include "cachesim/hierarchy.h"
#include "cachesim/observer.h"

/* The dirtiness of a line as it is collected from the inside out. At most one path from a core to
 * memory holds dirty copies of a line, and the innermost of them is the newest. */
struct collected {
  uint32_t dirty;
  uint32_t owner;
  const struct cachesim_core* source;
  uint32_t supplied;
  uint32_t copies;
};

static uint64_t sharer_bit(const struct cachesim_core* core) {
  return (uint64_t)1 << (core->slot & 63);
}

/* Superset of the cores whose caches hold lines of this page, one bit per slot mod 64. */
static uint64_t sharers_of(struct cachesim* sim, uint64_t line) {
  if (sim->active_count <= 1 || sim->sharers.pages == 0) {
    return ~(uint64_t)0;
  }
  const uint64_t key = line / CACHESIM_PAGE_LINES;
  const struct cachesim_recent_page* recent = &sim->recent_sharers[cachesim_hash(key) >> 56];
  if (recent->key == key && recent->valid_at == sim->sharers.capacity) {
    return recent->page->first;
  }
  return cachesim_page_find(&sim->sharers, key)->first;
}

uint64_t cachesim_other_sharers(struct cachesim* sim, const struct cachesim_core* core,
                                uint64_t line) {
  if (sim->active_count <= 1) {
    return 0;
  }
  const uint64_t own = sim->active_count <= 64 ? sharer_bit(core) : 0; /* beyond, bits are shared */
  return sharers_of(sim, line) & ~own;
}

void cachesim_note_sharer(struct cachesim* sim, const struct cachesim_core* core, uint64_t line) {
  if (sim->sharers.pages == 0) {
    return;
  }
  const uint64_t key = line / CACHESIM_PAGE_LINES;
  struct cachesim_recent_page* recent = &sim->recent_sharers[cachesim_hash(key) >> 56];
  if (recent->key == key && recent->valid_at == sim->sharers.capacity) {
    recent->page->first |= sharer_bit(core);
    return;
  }
  struct cachesim_page* page = cachesim_page_get(&sim->sharers, &sim->memory, key);
  if (page != 0) {
    page->first |= sharer_bit(core);
    recent->key = key;
    recent->page = page;
    recent->valid_at = sim->sharers.capacity;
  } else {
    cachesim_page_table_free(&sim->sharers, &sim->memory); /* from now on ask every core */
  }
}

/* The copy at `way` of one of `other`'s caches becomes clean. */
static void collect_way(const struct cachesim* sim, const struct cachesim_core* core,
                        const struct cachesim_core* other, uint32_t level, uint64_t* set,
                        uint32_t way, struct collected* collected) {
  const uint32_t mark = cachesim_get_mark(set, way);
  if (cachesim_dirty_of(mark) != 0) {
    if (collected->dirty == 0) {
      collected->owner = cachesim_owner_of(mark);
      collected->source = other;
    }
    collected->dirty |= cachesim_dirty_of(mark);
    cachesim_set_mark(other->caches[level], set, way, cachesim_mark(cachesim_owner_of(mark), 0));
  }
  for (uint32_t below = level + 1; core != 0 && below < sim->level_count; ++below) {
    if (cachesim_is_victim(sim, below) && other->caches[below] == core->caches[below]) {
      collected->supplied |= 1u << below;
    }
  }
}

/* Which copies to collect: not those in caches that `except` sees, only those behind `behind`. */
struct selection {
  uint64_t line;
  uint64_t sharers;
  const struct cachesim_core* except;  /* or null */
  const struct cachesim_cache* behind; /* or null */
  uint32_t behind_level;
  int remove;
  uint32_t joined; /* first level shared with `except`, or CACHESIM_ANY_LEVEL */
};

/* level_count if the two have no cache in common. */
static uint32_t first_common(const struct cachesim* sim, const struct cachesim_core* a,
                             const struct cachesim_core* b) {
  uint32_t level = 0;
  while (level < sim->level_count && a->caches[level] != b->caches[level]) {
    ++level;
  }
  return level;
}

void cachesim_note_joined(struct cachesim* sim, struct cachesim_core* made) {
  for (uint32_t slot = 0; slot < sim->active_count; ++slot) {
    struct cachesim_core* other = sim->cores[sim->active[slot]];
    if (other != made) {
      const uint32_t level = first_common(sim, made, other);
      made->joined[level] |= sharer_bit(other);
      other->joined[level] |= sharer_bit(made);
    }
  }
}

static int selected(const struct cachesim* sim, const struct selection* selection,
                    const struct cachesim_core* other, uint32_t level) {
  return (selection->sharers & sharer_bit(other)) != 0 &&
         (selection->except == 0 || other->caches[level] != selection->except->caches[level]) &&
         (selection->joined == CACHESIM_ANY_LEVEL || selection->except == 0 ||
          first_common(sim, selection->except, other) == selection->joined) &&
         (selection->behind == 0 || other->caches[selection->behind_level] == selection->behind);
}

static void collect_from(struct cachesim* sim, const struct selection* selection,
                         const struct cachesim_core* other, uint32_t level,
                         struct collected* collected) {
  const struct cachesim_cache* cache = other->caches[level];
  uint64_t* set = cachesim_set_of(cache, selection->line);
  const int32_t way = cachesim_find(cache, set, selection->line);
  if (way >= 0) {
    ++collected->copies;
    collect_way(sim, selection->except, other, level, set, (uint32_t)way, collected);
    if (selection->remove) {
      cachesim_remove(cache, set, (uint32_t)way);
    }
  }
}

static void collect_level(struct cachesim* sim, const struct selection* selection, uint32_t level,
                          struct collected* collected) {
  for (uint32_t slot = 0; slot < sim->active_count; ++slot) {
    const struct cachesim_core* other = sim->cores[sim->active[slot]];
    if (selected(sim, selection, other, level)) {
      collect_from(sim, selection, other, level, collected);
    }
  }
}

/* The last-level caches that the asking core does not see. `above` may still be on its way to the
 * memory behind one of them: that one comes first, so that an older dirty copy is merged. */
static void collect_other_last_levels(struct cachesim* sim, const struct selection* selection,
                                      const struct collected* above) {
  if (above->dirty != 0) {
    const struct cachesim_write_back line = {selection->line, above->dirty, above->owner, 0};
    cachesim_last_clean(sim, above->source, selection->remove, &line);
  }
  const struct cachesim_write_back nothing = {selection->line, 0, 0, 0};
  for (uint32_t slot = 0; slot < sim->active_count; ++slot) {
    const struct cachesim_core* other = sim->cores[sim->active[slot]];
    if (selected(sim, selection, other, sim->last_level)) {
      cachesim_last_clean(sim, other, selection->remove, &nothing);
    }
  }
}

/* The dirty line has come down to a cache that `core` sees. */
static void land(struct cachesim* sim, struct cachesim_core* core, uint32_t level, uint64_t line,
                 struct collected* collected, struct cachesim_supply* supply) {
  const struct cachesim_write_back down = {line, collected->dirty, collected->owner,
                                           collected->owner};
  if (cachesim_is_victim(sim, level)) {
    supply->dirty = collected->dirty;
    supply->owner = collected->owner;
    supply->from_level = level;
  } else {
    cachesim_write_into(sim, core, level, &down);
  }
  collected->dirty = 0;
}

/* Whether a cache of `other` that `core` does not see has the line. */
static int has_copy(const struct cachesim* sim, const struct cachesim_core* core,
                    const struct cachesim_core* other, uint64_t line) {
  for (uint32_t level = sim->level_count; level-- > 0;) {
    const struct cachesim_cache* cache = other->caches[level];
    if (cache == core->caches[level]) {
      continue;
    }
    if (cachesim_find(cache, cachesim_set_of(cache, line), line) >= 0) {
      return 1;
    }
    if (cachesim_is_inclusive(sim, level)) {
      return 0; /* what it lacks the levels above it lack too */
    }
  }
  return 0;
}

/* Bits of cores in use. 0 if a bit may stand for several. */
static uint64_t bits_in_use(const struct cachesim* sim) {
  const uint32_t count = sim->active_count;
  return count == 0 || count > 64 ? 0 : ~(uint64_t)0 >> (64 - count);
}

static const struct cachesim_core* core_of_bit(const struct cachesim* sim, uint64_t bits) {
  return sim->cores[sim->active[(uint32_t)__builtin_ctzll(bits)]];
}

int cachesim_has_copies(const struct cachesim* sim, const struct cachesim_core* core, uint64_t line,
                        uint64_t sharers) {
  const uint64_t in_use = bits_in_use(sim);
  if (in_use == 0) {
    return sharers != 0;
  }
  for (uint64_t rest = sharers & in_use; rest != 0; rest &= rest - 1) {
    if (has_copy(sim, core, core_of_bit(sim, rest), line)) {
      return 1;
    }
  }
  return 0;
}

/* Those of `sharers` that may have the line above the last level. Where the second level is
 * inclusive, one search says it. */
static uint64_t with_copies(const struct cachesim* sim, const struct cachesim_core* core,
                            uint64_t line, uint64_t sharers) {
  const uint64_t in_use = bits_in_use(sim);
  if (sim->last_level != 2 || !cachesim_is_inclusive(sim, 1) || in_use == 0) {
    return sharers;
  }
  uint64_t found = 0;
  for (uint64_t rest = sharers & in_use; rest != 0; rest &= rest - 1) {
    const struct cachesim_core* other = core_of_bit(sim, rest);
    const struct cachesim_cache* second = other->caches[1];
    if (second == core->caches[1] ||
        cachesim_find(second, cachesim_set_of(second, line), line) >= 0) {
      found |= rest & -rest;
    }
  }
  return found;
}

void cachesim_snoop(struct cachesim* sim, struct cachesim_core* core, uint64_t line, int remove,
                    uint64_t sharers, uint32_t joined, struct cachesim_supply* supply) {
  if (joined != CACHESIM_ANY_LEVEL) {
    sharers &= core->joined[joined];
  }
  const int one_last_level = sim->levels[sim->last_level].cache_count == 1;
  if (sharers != 0 && one_last_level) {
    sharers = with_copies(sim, core, line, sharers);
  }
  if (sharers == 0) {
    return;
  }
  const struct selection selection = {line, sharers, core, 0, 0, remove, joined};
  struct collected collected = {0};
  for (uint32_t level = 0; level < sim->last_level; ++level) {
    collect_level(sim, &selection, level, &collected);
    if ((collected.dirty & 1) != 0) {
      cachesim_add_written(sim, level, collected.owner, sim->line_bytes);
    }
    if (collected.dirty != 0 && collected.source->caches[level + 1] == core->caches[level + 1]) {
      land(sim, core, level + 1, line, &collected, supply);
    }
  }
  if (!one_last_level) {
    collect_other_last_levels(sim, &selection, &collected);
  }
  supply->levels |= collected.supplied;
  supply->copies += collected.copies;
  if (collected.source != 0 && collected.owner == sim->using_region) {
    cachesim_watch_line(sim, collected.source, line, collected.owner);
  }
}

void cachesim_purge_path(struct cachesim* sim, struct cachesim_core* core, uint64_t line,
                         const struct cachesim_supply* supply) {
  struct collected collected = {0};
  for (uint32_t level = 0; level < sim->last_level; ++level) {
    const struct cachesim_cache* cache = core->caches[level];
    uint64_t* set = cachesim_set_of(cache, line);
    const int32_t way = cachesim_find(cache, set, line);
    if (supply->dirty != 0 && supply->from_level == level) {
      collected.dirty = supply->dirty;
      collected.owner = supply->owner;
    }
    if (way >= 0) {
      collect_way(sim, 0, core, level, set, (uint32_t)way, &collected);
      cachesim_remove(cache, set, (uint32_t)way);
    }
    if ((collected.dirty & 1) != 0) {
      cachesim_add_written(sim, level, collected.owner, sim->line_bytes);
    }
  }
  struct cachesim_write_back down = {line, collected.dirty, collected.owner, 0};
  if (supply->dirty != 0 && supply->from_level == sim->last_level) {
    down.dirty = supply->dirty;
    down.owner = supply->owner;
  }
  cachesim_last_clean(sim, core, 1, &down);
}

int cachesim_back_invalidate(struct cachesim* sim, struct cachesim_core* core, uint32_t level,
                             struct cachesim_write_back* line) {
  const int alone = sim->active_count == 1 || sim->levels[level].cores_per_cache == 1;
  const struct selection selection = {
      line->line,        alone ? 0 : sharers_of(sim, line->line), 0, core->caches[level], level, 1,
      CACHESIM_ANY_LEVEL};
  struct collected collected = {0};
  for (uint32_t above = 0; above < level; ++above) {
    if (alone) {
      collect_from(sim, &selection, core, above, &collected);
    } else {
      collect_level(sim, &selection, above, &collected);
    }
    if ((collected.dirty & 1) != 0) {
      cachesim_add_written(sim, above, collected.owner, sim->line_bytes);
    }
  }
  if (collected.dirty != 0) {
    line->dirty |= collected.dirty;
    line->owner = collected.owner;
  }
  return collected.dirty != 0;
}
