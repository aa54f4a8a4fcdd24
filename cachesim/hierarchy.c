#include "cachesim/hierarchy.h"

void cachesim_write_into(struct cachesim* sim, struct cachesim_core* core, uint32_t level,
                         const struct cachesim_write_back* line) {
  const int dirty = (line->dirty & 1) != 0; /* else at most in a smaller share of the last level */
  for (; level < sim->last_level; ++level) {
    const struct cachesim_cache* cache = core->caches[level];
    const int takes = cachesim_is_victim(sim, level) || cachesim_allocates(sim, level);
    uint64_t* set = cachesim_set_of(cache, line->line);
    const int32_t found = cachesim_find(cache, set, line->line);
    struct cachesim_entry entry = {
        line->line | cachesim_valid,
        cachesim_mark(line->dirty != 0 ? line->owner : line->user, line->dirty),
        dirty ? line->owner : line->user};
    if (found >= 0) {
      const uint32_t way = takes ? cachesim_promote(cache, set, (uint32_t)found) : (uint32_t)found;
      entry.mark |= cachesim_dirty_of(cachesim_get_mark(set, way));
      if (dirty) {
        cachesim_write_way(cache, set, way, entry);
      } else if (line->dirty != 0) {
        cachesim_set_mark(cache, set, way, entry.mark);
      }
      return;
    }
    if (takes) {
      cachesim_evict(sim, core, level, cachesim_insert(cache, set, entry));
      return;
    }
    if (dirty) {
      cachesim_add_written(sim, level, line->owner, sim->line_bytes);
    }
  }
  cachesim_last_write_into(sim, core, line);
}

void cachesim_evict(struct cachesim* sim, struct cachesim_core* core, uint32_t level,
                    struct cachesim_entry displaced) {
  if (displaced.tag == 0) {
    return;
  }
  struct cachesim_write_back line = {cachesim_line_of(displaced), cachesim_dirty_of(displaced.mark),
                                     cachesim_owner_of(displaced.mark),
                                     displaced.user & ~cachesim_carried};
  int carried = (displaced.user & cachesim_carried) != 0;
  if (cachesim_is_inclusive(sim, level) && cachesim_back_invalidate(sim, core, level, &line)) {
    carried = 0;
  }
  const int to_victim = cachesim_is_victim(sim, level + 1);
  if ((line.dirty & 1) != 0 && !carried) {
    cachesim_add_written(sim, level, line.owner, sim->line_bytes);
  } else if (to_victim) {
    cachesim_add_written(sim, level, line.user, sim->line_bytes);
  }
  if (to_victim || line.dirty != 0) {
    cachesim_write_into(sim, core, level + 1, &line);
  }
}

/* First level below `top` that serves the line; the last level and memory count as the last. */
static uint32_t find_below(struct cachesim* sim, struct cachesim_core* core, uint32_t top,
                           uint32_t region, struct cachesim_supply* supply,
                           struct cachesim_entry* entry) {
  const uint64_t line = cachesim_line_of(*entry);
  for (uint32_t level = top + 1; level < sim->last_level; ++level) {
    if (supply->unasked != 0) {
      cachesim_snoop(sim, core, line, 0, supply->unasked, level, supply);
    }
    const struct cachesim_cache* cache = core->caches[level];
    uint64_t* set = cachesim_set_of(cache, line);
    const int32_t found = cachesim_find(cache, set, line);
    if (found >= 0 && cachesim_is_victim(sim, level)) {
      const struct cachesim_entry moved = cachesim_remove(cache, set, (uint32_t)found);
      if (cachesim_dirty_of(moved.mark) != 0) {
        entry->mark = moved.mark;
        entry->user |= cachesim_carried;
      }
      return level;
    }
    if (found >= 0) {
      const uint32_t way = cachesim_promote(cache, set, (uint32_t)found);
      uint32_t* user = &cachesim_users(cache, set)[way];
      *user = region | (*user & cachesim_carried);
      return level;
    }
    if ((supply->levels >> level & 1) != 0) {
      return level;
    }
  }
  if (supply->unasked != 0) {
    cachesim_snoop(sim, core, line, 0, supply->unasked, sim->last_level, supply);
    cachesim_snoop(sim, core, line, 0, supply->unasked, sim->level_count, supply);
  }
  cachesim_last_fetch(sim, core, region, (supply->levels >> sim->last_level & 1) != 0, entry);
  return sim->last_level;
}

void cachesim_note_memory_line(struct cachesim* sim, uint64_t line, uint32_t region) {
  uint64_t* random = &sim->memory_sample_random;
  *random ^= *random << 13;
  *random ^= *random >> 7;
  *random ^= *random << 17;
  /* Equal chances from 1 to 2 * every - 1: a fixed distance would see one of several streams. */
  sim->memory_lines_left = 1 + *random % (2 * (uint64_t)sim->memory_sample_every - 1);
  if (sim->memory_sample_count < sim->memory_sample_capacity) {
    const struct cachesim_memory_sample sample = {line, region};
    sim->memory_samples[sim->memory_sample_count++] = sample;
  }
}

void cachesim_sample_memory(struct cachesim* sim, struct cachesim_memory_sample* samples,
                            uint32_t capacity, uint32_t every) {
  sim->memory_samples = samples;
  sim->memory_sample_capacity = capacity;
  sim->memory_sample_every = every;
  sim->memory_sample_random = UINT64_C(0x9e3779b97f4a7c15);
  sim->memory_lines_left = every;
}

struct cachesim_entry cachesim_fetch(struct cachesim* sim, struct cachesim_core* core,
                                     uint64_t line, uint32_t region, uint32_t top,
                                     struct cachesim_supply* supply) {
  struct cachesim_entry entry = {line | cachesim_valid, cachesim_mark(region, 0), region};
  const uint32_t source = find_below(sim, core, top, region, supply, &entry);
  if (supply->dirty != 0 && supply->from_level == source) {
    entry.mark = cachesim_mark(supply->owner, supply->dirty | cachesim_dirty_of(entry.mark));
    entry.user |= cachesim_carried;
  }
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
    entry.user = region;
    cachesim_evict(sim, core, level, displaced);
  }
  return entry;
}
