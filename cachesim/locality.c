#include "cachesim/observer.h"

/* The curve goes this far beyond the last level. */
enum { BEYOND_LAST_LEVEL = 4 };

static void* allocate(struct cachesim* sim, uint64_t bytes) {
  return sim->memory.allocate(sim->memory.context, bytes);
}
static void release(struct cachesim* sim, void* memory, uint64_t bytes) {
  if (memory != 0) {
    sim->memory.release(sim->memory.context, memory, bytes);
  }
}

int cachesim_observe(struct cachesim* sim, struct ridge_region_lines* regions,
                     uint32_t region_limit) {
  const struct cachesim_cache* last = &sim->levels[sim->last_level].geometry;
  const uint64_t last_bytes = last->set_count * last->ways * sim->line_bytes;
  if (sim->level_count < 2) {
    return 0;
  }
  struct cachesim_observer* made = allocate(sim, sizeof(*made));
  if (made == 0) {
    return 0;
  }
  made->regions = regions;
  made->traffic = sim->regions;
  made->region_limit = region_limit;
  made->reuse = cachesim_reuse_create(BEYOND_LAST_LEVEL * last_bytes, sim->line_bytes,
                                      RIDGE_LOCALITY_SHIFT, &sim->memory);
  sim->observer = made;
  if (made->reuse == 0 || !cachesim_watched_init(&made->watched, &sim->memory)) {
    cachesim_observer_destroy(sim);
    return 0;
  }
  return 1;
}

void cachesim_observer_destroy(struct cachesim* sim) {
  struct cachesim_observer* observer = sim->observer;
  for (uint32_t core = 0; sim->cores != 0 && core < sim->core_count; ++core) {
    if (sim->cores[core] != 0) {
      release(sim, sim->cores[core]->use, sizeof(*sim->cores[core]->use));
      sim->cores[core]->use = 0;
    }
  }
  if (observer != 0) {
    if (observer->reuse != 0) {
      cachesim_reuse_destroy(observer->reuse);
    }
    cachesim_watched_free(&observer->watched, &sim->memory);
    release(sim, observer, sizeof(*observer));
    sim->observer = 0;
  }
}

/* The line comes into the first level. */
static void note_fetch(struct cachesim* sim, struct cachesim_core* core,
                       const struct cachesim_piece* piece) {
  struct ridge_region_lines* region = &sim->observer->regions[piece->region];
  const uint32_t point = cachesim_reuse_note(sim->observer->reuse, piece->line);
  if (point < CACHESIM_BEYOND) {
    ++region->held[point];
  } else {
    ++region->not_held;
  }
  if (core->use != 0) {
    cachesim_use_begin(core->use, piece->line, piece->region, sim->observer->regions);
  }
}

static void note_locality(struct cachesim* sim, struct cachesim_core* core,
                          const struct cachesim_piece* piece, uint32_t offset) {
  const struct cachesim_cache* first = core->caches[0];
  const int write = piece->flags != 0;
  if (core->use == 0) {
    core->use = allocate(sim, sizeof(*core->use));
  }
  if (cachesim_find(first, cachesim_set_of(first, piece->line), piece->line) < 0) {
    if (write && !sim->allocates[0]) {
      return; /* the store passes the first level by */
    }
    note_fetch(sim, core, piece);
  }
  if (core->use != 0) {
    cachesim_use_note(core->use, piece->line, offset, piece->bytes, sim->line_bytes,
                      sim->observer->regions);
  }
}

void cachesim_observe_access(struct cachesim* sim, struct cachesim_core* core,
                             const struct cachesim_piece* piece, uint32_t offset) {
  if (!cachesim_observes(sim) || piece->region >= sim->observer->region_limit) {
    return;
  }
  if (cachesim_is_sampled(piece->line, RIDGE_LOCALITY_SHIFT)) {
    note_locality(sim, core, piece, offset);
  }
  if (piece->flags != 0) {
    cachesim_note_shared_write(sim, core, piece, offset);
  }
}
