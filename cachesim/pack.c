/* From all lines to those of some classes. Simulated alone, they use one set in eight or so of each
 * level, at a distance of eight: too far apart for the processor that simulates to fetch them
 * before they are asked for, and in few of the sets of its own caches. Here they come together. */
#include "cachesim/hierarchy.h"
#include "cachesim/line_class.h"

/* What takes the place of the simulator's own when all of it is there. */
struct packed {
  uint64_t classes;
  struct cachesim_cache** instances[RIDGE_CACHE_LEVELS_MAX];
  struct cachesim_page_table footprint;
  struct cachesim_page_table sharers;
};

static void* allocate(struct cachesim* sim, uint64_t bytes) {
  return sim->memory.allocate(sim->memory.context, bytes);
}
static void release(struct cachesim* sim, void* memory, uint64_t bytes) {
  if (memory != 0) {
    sim->memory.release(sim->memory.context, memory, bytes);
  }
}

static int can_be_packed(const struct cachesim* sim, uint64_t classes) {
  const int count = __builtin_popcountll(classes);
  int possible =
      count != 0 && (count & (count - 1)) == 0 && sim->line_bytes == RIDGE_TRACE_LINE_BYTES;
  for (uint32_t level = 0; level < sim->level_count; ++level) {
    possible = possible && sim->levels[level].geometry.set_count % RIDGE_LINE_CLASSES == 0;
  }
  return possible;
}

/* Of the lines of a page, the selected ones side by side. */
static uint64_t packed_bits(uint64_t classes, uint64_t bits) {
  uint64_t packed = 0;
  for (uint64_t rest = bits & classes; rest != 0; rest &= rest - 1) {
    packed |= (uint64_t)1 << cachesim_packed_line(classes, (uint64_t)__builtin_ctzll(rest));
  }
  return packed;
}

/* A page has as many lines as there are classes. `is_footprint`: key and bits as in
 * note_footprint, else those of sharers. */
static int pack_pages(struct cachesim* sim, uint64_t classes,
                      const struct cachesim_page_table* from, struct cachesim_page_table* to,
                      int is_footprint) {
  _Static_assert((int)CACHESIM_PAGE_LINES == (int)RIDGE_LINE_CLASSES, "a page, each class once");
  const uint64_t regions = is_footprint ? CACHESIM_REGION_LIMIT : 1;
  for (uint64_t i = 0; i < from->capacity; ++i) {
    const struct cachesim_page* page = &from->pages[i];
    if (page->key_plus_1 == 0) {
      continue;
    }
    const uint64_t key = page->key_plus_1 - 1;
    const uint64_t first = cachesim_packed_line(classes, key / regions * CACHESIM_PAGE_LINES);
    struct cachesim_page* packed =
        cachesim_page_get(to, &sim->memory, first / CACHESIM_PAGE_LINES * regions + key % regions);
    if (packed == 0) {
      return 0;
    }
    const uint64_t shift = first % CACHESIM_PAGE_LINES;
    packed->first |= is_footprint ? packed_bits(classes, page->first) << shift : page->first;
    packed->second |= is_footprint ? packed_bits(classes, page->second) << shift : page->second;
  }
  return 1;
}

static int prepare_tables(struct cachesim* sim, struct packed* packed) {
  if (!cachesim_page_table_init(&packed->footprint, &sim->memory) ||
      !pack_pages(sim, packed->classes, &sim->footprint, &packed->footprint, 1)) {
    return 0;
  }
  /* Without memory for the sharers every core has been asked, and will be. */
  return sim->sharers.pages == 0 ||
         (cachesim_page_table_init(&packed->sharers, &sim->memory) &&
          pack_pages(sim, packed->classes, &sim->sharers, &packed->sharers, 0));
}

static int prepare_level(struct cachesim* sim, struct packed* packed, uint32_t level) {
  const struct cachesim_level* of = &sim->levels[level];
  struct cachesim_cache** instances = allocate(sim, of->cache_count * sizeof(*instances));
  packed->instances[level] = instances;
  for (uint32_t i = 0; instances != 0 && i < of->cache_count; ++i) {
    if (of->instances[i] != 0) {
      instances[i] = cachesim_make_instance(sim, level);
      if (instances[i] == 0) {
        return 0;
      }
    }
  }
  return instances != 0;
}

/* What has become needless, or could not be completed. */
static void discard(struct cachesim* sim, struct packed* packed) {
  for (uint32_t level = 0; level < sim->level_count; ++level) {
    struct cachesim_cache** instances = packed->instances[level];
    const uint32_t count = sim->levels[level].cache_count;
    for (uint32_t i = 0; instances != 0 && i < count; ++i) {
      if (instances[i] != 0) {
        cachesim_free_instance(sim, level, instances[i]);
      }
    }
    release(sim, instances, count * sizeof(*instances));
  }
  cachesim_page_table_free(&packed->footprint, &sim->memory);
  cachesim_page_table_free(&packed->sharers, &sim->memory);
}

static void copy_set(const struct cachesim_cache* from, uint64_t from_set,
                     struct cachesim_cache* to, uint64_t to_set, uint64_t classes) {
  const uint64_t line_mask = cachesim_valid - 1;
  const uint64_t* old = from->words + from_set * from->set_words;
  uint64_t* words = to->words + to_set * to->set_words;
  for (uint32_t way = 0; way < from->set_words; ++way) {
    const uint64_t line = cachesim_packed_line(classes, old[way] & line_mask);
    words[way] = old[way] != 0 ? (old[way] & ~line_mask) | line : 0;
    if (from->users != 0) {
      cachesim_users(to, words)[way] = cachesim_users(from, old)[way];
    }
    if (from->stamps != 0) {
      cachesim_stamps(to, words)[way] = cachesim_stamps(from, old)[way];
    }
  }
}

/* The filter begins anew: it only spares work. */
static void copy_cache(const struct cachesim_cache* from, struct cachesim_cache* to,
                       uint64_t classes) {
  for (uint64_t set = 0; set < from->set_count; ++set) {
    if ((classes >> set % RIDGE_LINE_CLASSES & 1) != 0) {
      copy_set(from, set, to, cachesim_packed_line(classes, set), classes);
    }
  }
  if (from->filter != 0) {
    to->filter->clock = from->filter->clock;
  }
}

/* What `packed` has and the simulator's own change places; cores keep their pointers. */
static void take_over(struct cachesim* sim, struct packed* packed) {
  for (uint32_t level = 0; level < sim->level_count; ++level) {
    for (uint32_t i = 0; i < sim->levels[level].cache_count; ++i) {
      struct cachesim_cache* own = sim->levels[level].instances[i];
      if (own != 0) {
        const struct cachesim_cache old = *own;
        copy_cache(&old, packed->instances[level][i], packed->classes);
        *own = *packed->instances[level][i];
        *packed->instances[level][i] = old;
      }
    }
  }
  for (uint32_t slot = 0; slot < sim->active_count; ++slot) {
    struct cachesim_core* core = sim->cores[sim->active[slot]];
    for (uint32_t level = 0; level < sim->level_count; ++level) {
      core->views[level] = *core->caches[level];
    }
  }
  const struct cachesim_page_table footprint = sim->footprint;
  const struct cachesim_page_table sharers = sim->sharers;
  sim->footprint = packed->footprint;
  sim->sharers = packed->sharers;
  packed->footprint = footprint;
  packed->sharers = sharers;
  for (uint32_t i = 0; i < CACHESIM_RECENT_PAGES; ++i) {
    sim->recent[i].valid_at = 0;
    sim->recent_sharers[i].valid_at = 0;
  }
}

static void set_geometry(struct cachesim* sim, uint64_t old_part, uint64_t new_part) {
  for (uint32_t level = 0; level < sim->level_count; ++level) {
    struct cachesim_cache* geometry = &sim->levels[level].geometry;
    *geometry = cachesim_geometry_of(geometry->set_count / old_part * new_part, geometry->ways);
  }
}

int cachesim_pack(struct cachesim* sim, uint64_t classes) {
  if (!can_be_packed(sim, classes)) {
    return 0;
  }
  struct packed packed = {0};
  packed.classes = classes;
  const uint64_t count = (uint64_t)__builtin_popcountll(classes);
  set_geometry(sim, RIDGE_LINE_CLASSES, count);
  int complete = prepare_tables(sim, &packed);
  for (uint32_t level = 0; level < sim->level_count; ++level) {
    complete = complete && prepare_level(sim, &packed, level);
  }
  if (complete) {
    take_over(sim, &packed);
  } else {
    set_geometry(sim, count, RIDGE_LINE_CLASSES);
  }
  discard(sim, &packed);
  return complete;
}
