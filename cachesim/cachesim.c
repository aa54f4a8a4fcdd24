#include "cachesim/cachesim.h"

#include "cachesim/hierarchy.h"

/* Canonical user addresses end at 2^57 (five-level page tables). */
static const uint64_t address_mask = ((uint64_t)1 << 57) - 1;

/* Distinct lines per region. Exact although a hit rarely comes here: a line of the first level is
 * known to be in the set of the region that used it last, and in the dirty set of its owner. */
static void note_footprint(struct cachesim* sim, uint64_t line, uint32_t region, int touched,
                           int dirtied) {
  const uint64_t bit = (uint64_t)1 << line % CACHESIM_PAGE_LINES;
  const uint64_t bits[2] = {touched ? bit : 0, dirtied ? bit : 0};
  const uint64_t key = line / CACHESIM_PAGE_LINES * CACHESIM_REGION_LIMIT + region;
  uint64_t added[2];
  if ((sim->incomplete & CACHESIM_LEAST_INCOMPLETE) != 0) {
    return;
  }
  if (!cachesim_page_add(&sim->footprint, &sim->memory, key, bits, added)) {
    sim->incomplete |= CACHESIM_LEAST_INCOMPLETE;
    return;
  }
  sim->regions[region].least.read += added[0] != 0 ? sim->line_bytes : 0;
  sim->regions[region].least.written += added[1] != 0 ? sim->line_bytes : 0;
}

static void non_temporal_store(struct cachesim* sim, struct cachesim_core* core,
                               const struct cachesim_piece* piece) {
  if (sim->active_count > 1) {
    cachesim_snoop(sim, core, piece->line, 1);
  }
  cachesim_purge_path(sim, core, piece->line);
  for (uint32_t variant = 0; variant < CACHESIM_VARIANTS; ++variant) {
    cachesim_memory_traffic(sim, variant, piece->region)->written += piece->bytes;
  }
  note_footprint(sim, piece->line, piece->region, 0, 1);
}

/* A store or, with one level only, any access at the last level, in each of its variants. */
static void access_last(struct cachesim* sim, struct cachesim_core* core,
                        const struct cachesim_piece* piece) {
  const uint32_t last = sim->last_level;
  const int write = (piece->flags & RIDGE_TRACE_WRITE) != 0;
  for (uint32_t variant = 0; variant < CACHESIM_VARIANTS; ++variant) {
    const struct cachesim_cache* cache = &core->caches[last][variant];
    unsigned char* set = cachesim_set_of(cache, piece->line);
    const int32_t found = cachesim_find(cache, set, piece->line);
    const struct cachesim_entry entry = {piece->line | cachesim_valid,
                                         cachesim_mark(piece->region, write ? 1u << variant : 0),
                                         piece->region};
    if (found >= 0) {
      const uint32_t way = cachesim_promote(cache, set, (uint32_t)found);
      if (write) {
        cachesim_write_way(cache, set, way, entry);
      }
    } else if (write && !cachesim_allocates(sim, last)) {
      cachesim_memory_traffic(sim, variant, piece->region)->written += piece->bytes;
    } else {
      cachesim_memory_traffic(sim, variant, piece->region)->read += sim->line_bytes;
      cachesim_evict_last(sim, core, variant, cachesim_insert(cache, set, entry));
    }
  }
}

/* A store that missed a first level without write-allocate: looks for a cache that has the line or
 * takes it; each boundary above that one is crossed by the bytes of the store only. */
static void store_through(struct cachesim* sim, struct cachesim_core* core,
                          const struct cachesim_piece* piece, uint32_t supplied) {
  const struct cachesim_entry dirty = {piece->line | cachesim_valid,
                                       cachesim_mark(piece->region, CACHESIM_DIRTY_MASK),
                                       piece->region};
  const uint32_t last = sim->last_level;
  cachesim_add_written(sim, 0, piece->region, piece->bytes);
  for (uint32_t level = 1; level < last; ++level) {
    const struct cachesim_cache* cache = core->caches[level];
    unsigned char* set = cachesim_set_of(cache, piece->line);
    const int32_t found = cachesim_find(cache, set, piece->line);
    if (found >= 0) {
      cachesim_write_way(cache, set, cachesim_promote(cache, set, (uint32_t)found), dirty);
      return;
    }
    if (cachesim_allocates(sim, level)) {
      cachesim_fetch(sim, core, piece->line, piece->region, level, supplied);
      cachesim_evict(sim, core, level, cachesim_insert(cache, set, dirty));
      return;
    }
    cachesim_add_written(sim, level, piece->region, piece->bytes);
  }
  access_last(sim, core, piece);
}

static void hit_first(struct cachesim* sim, struct cachesim_core* core, unsigned char* set,
                      uint32_t way, const struct cachesim_piece* piece) {
  const struct cachesim_cache* cache = core->caches[0];
  const int write = piece->flags != 0;
  way = cachesim_promote(cache, set, way);
  uint32_t* mark = &cachesim_marks(cache, set)[way];
  uint32_t* user = &cachesim_users(cache, set)[way];
  /* A line that is dirty here is nowhere else, unless a victim cache handed it up dirty: the write
   * that made it so saw to that. */
  const int exclusive =
      cachesim_dirty_of(*mark) == CACHESIM_DIRTY_MASK && !cachesim_is_victim(sim, 1);
  if (write && !exclusive && sim->active_count > 1) {
    cachesim_snoop(sim, core, piece->line, 1);
  }
  const uint32_t dirty = cachesim_mark(piece->region, CACHESIM_DIRTY_MASK);
  const int touched = *user != piece->region && (!write || cachesim_allocates(sim, 0));
  const int dirtied = write && *mark != dirty;
  if (touched || dirtied) {
    note_footprint(sim, piece->line, piece->region, touched, dirtied);
  }
  *user = touched ? piece->region : *user;
  *mark = write ? dirty : *mark;
}

static void miss_first(struct cachesim* sim, struct cachesim_core* core, unsigned char* set,
                       const struct cachesim_piece* piece) {
  const int write = piece->flags != 0;
  uint32_t supplied = 0;
  if (sim->active_count > 1) {
    supplied = cachesim_snoop(sim, core, piece->line, write);
    cachesim_note_sharer(sim, core, piece->line);
  }
  const int through = write && !cachesim_allocates(sim, 0);
  note_footprint(sim, piece->line, piece->region, !through, write);
  if (through) {
    store_through(sim, core, piece, supplied);
    return;
  }
  struct cachesim_entry entry = cachesim_fetch(sim, core, piece->line, piece->region, 0, supplied);
  if (write) {
    entry.mark = cachesim_mark(piece->region, CACHESIM_DIRTY_MASK);
  }
  cachesim_evict(sim, core, 0, cachesim_insert(core->caches[0], set, entry));
}

void cachesim_access_line_slow(struct cachesim* sim, struct cachesim_core* core,
                               const struct cachesim_piece* piece) {
  if ((piece->flags & RIDGE_TRACE_NON_TEMPORAL) != 0 && (piece->flags & RIDGE_TRACE_WRITE) != 0) {
    non_temporal_store(sim, core, piece);
    return;
  }
  if (sim->level_count == 1) {
    const int write = piece->flags != 0;
    if (sim->active_count > 1) {
      cachesim_snoop(sim, core, piece->line, write);
      cachesim_note_sharer(sim, core, piece->line);
    }
    note_footprint(sim, piece->line, piece->region, !write || cachesim_allocates(sim, 0), write);
    access_last(sim, core, piece);
    return;
  }
  unsigned char* set = cachesim_set_of(core->caches[0], piece->line);
  const int32_t way = cachesim_find(core->caches[0], set, piece->line);
  if (way >= 0) {
    hit_first(sim, core, set, (uint32_t)way, piece);
  } else {
    miss_first(sim, core, set, piece);
  }
}

/* Null if the core's caches could not be had. */
static struct cachesim_core* core_of(struct cachesim* sim, uint32_t core) {
  core = core < sim->core_count ? core : core % sim->core_count;
  struct cachesim_core* found = sim->cores[core];
  if (found == 0) {
    found = cachesim_activate(sim, core);
    sim->incomplete |= found == 0 ? CACHESIM_LOST_ACCESSES : 0;
  }
  return found;
}

static inline void access_by(struct cachesim* sim, struct cachesim_core* core, uint64_t address,
                             uint64_t bytes, uint32_t flags, uint32_t region) {
  if (bytes == 0) {
    return;
  }
  region = region < sim->region_count ? region : 0;
  ++sim->regions[region].accesses;
  address &= address_mask;
  /* Non-temporal loads from ordinary memory are loads. */
  flags = (flags & RIDGE_TRACE_WRITE) != 0 ? flags : 0;
  const uint64_t end = address + bytes;
  struct cachesim_piece piece = {address >> sim->line_shift, (uint32_t)bytes, flags, region};
  const uint64_t final = (end - 1) >> sim->line_shift;
  if (piece.line == final) {
    cachesim_access_line(sim, core, &piece);
    return;
  }
  while (piece.line <= final) {
    const uint64_t next = (piece.line + 1) << sim->line_shift;
    piece.bytes = (uint32_t)((next < end ? next : end) - address);
    cachesim_access_line(sim, core, &piece);
    address = next;
    ++piece.line;
  }
}

void cachesim_access(struct cachesim* sim, uint32_t core, uint64_t address, uint64_t bytes,
                     uint32_t flags, uint32_t region) {
  struct cachesim_core* by = core_of(sim, core);
  if (by != 0) {
    access_by(sim, by, address, bytes, flags, region);
  }
}

void cachesim_run(struct cachesim* sim, uint32_t core, const struct ridge_trace_entry* entries,
                  uint64_t count) {
  const uint64_t byte_mask = ((uint64_t)1 << RIDGE_TRACE_FLAGS_SHIFT) - 1;
  const uint32_t flag_mask = RIDGE_TRACE_WRITE | RIDGE_TRACE_NON_TEMPORAL;
  struct cachesim_core* by = core_of(sim, core);
  if (by == 0) {
    return;
  }
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t meta = entries[i].meta;
    access_by(sim, by, entries[i].address, meta & byte_mask,
              (uint32_t)(meta >> RIDGE_TRACE_FLAGS_SHIFT) & flag_mask,
              (uint32_t)(meta >> RIDGE_TRACE_REGION_SHIFT));
  }
}
