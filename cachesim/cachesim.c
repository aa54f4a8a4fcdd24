#include "cachesim/cachesim.h"

#include "cachesim/hierarchy.h"
#include "cachesim/private_miss.h"

/* User addresses end at 2^47, unless a program asks for higher ones (five-level page tables). Line
 * numbers so have at most 42 bits, as cache.h wants. */
static const uint64_t address_mask = ((uint64_t)1 << 47) - 1;

static const uint64_t byte_mask = ((uint64_t)1 << RIDGE_TRACE_FLAGS_SHIFT) - 1;
static const uint64_t flag_mask = RIDGE_TRACE_WRITE | RIDGE_TRACE_NON_TEMPORAL;

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
static void take_all_back(struct cachesim* sim, struct cachesim_core* core, uint64_t line,
                          struct cachesim_supply* supply) {
  const uint64_t sharers = cachesim_other_sharers(sim, core, line);
  if (sharers != 0) {
    cachesim_snoop(sim, core, line, 1, sharers, CACHESIM_ANY_LEVEL, supply);
  }
}

static void non_temporal_store(struct cachesim* sim, struct cachesim_core* core,
                               const struct cachesim_piece* piece) {
  struct cachesim_supply supply = {0, 0, 0, 0, 0};
  take_all_back(sim, core, piece->line, &supply);
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
    unsigned char* set = cachesim_set_of(cache, piece->line);
    const int32_t found = cachesim_find(cache, set, piece->line);
    const int allocates = cachesim_allocates(sim, level);
    if (found >= 0) {
      if (allocates) {
        cachesim_promote(cache, set, (uint32_t)found);
      }
      cachesim_write_way(cache, set, (uint32_t)found, dirty);
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

static inline void hit_first(struct cachesim* sim, struct cachesim_core* core, unsigned char* set,
                             uint32_t way, const struct cachesim_piece* piece) {
  const struct cachesim_cache* cache = core->caches[0];
  const int write = piece->flags != 0;
  if (!write || cachesim_allocates(sim, 0)) {
    cachesim_promote(cache, set, way);
  }
  core->guesses[cachesim_guess_index(piece->line)] = (uint16_t)way;
  const uint32_t mark = cachesim_get_mark(cache, set, way);
  uint32_t* user = &cachesim_users(cache, set)[way];
  /* A line that is dirty here is nowhere else, unless a victim cache handed it up dirty: the write
   * that made it so saw to that. */
  const int exclusive =
      cachesim_dirty_of(mark) == CACHESIM_DIRTY_MASK && !cachesim_is_victim(sim, 1);
  if (write && !exclusive && sim->active_count > 1) {
    struct cachesim_supply ignored = {0, 0, 0, 0, 0}; /* the line becomes dirty here instead */
    take_all_back(sim, core, piece->line, &ignored);
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
}

static __attribute__((noinline)) void miss_first(struct cachesim* sim, struct cachesim_core* core,
                                                 unsigned char* set,
                                                 const struct cachesim_piece* piece) {
  const int write = piece->flags != 0;
  struct cachesim_supply supply = {0, 0, 0, 0, 0};
  if (sim->active_count > 1) {
    if (write) {
      take_all_back(sim, core, piece->line, &supply);
    } else {
      supply.unasked = cachesim_other_sharers(sim, core, piece->line);
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
  core->guesses[cachesim_guess_index(piece->line)] = (uint16_t)cachesim_next_victim(first, set);
  cachesim_evict(sim, core, 0, cachesim_insert(first, set, entry));
}

static void access_only_level(struct cachesim* sim, struct cachesim_core* core,
                              const struct cachesim_piece* piece) {
  const int write = piece->flags != 0;
  if (sim->active_count > 1) {
    struct cachesim_supply none = {0, 0, 0, 0, 0};
    cachesim_snoop(sim, core, piece->line, write, cachesim_other_sharers(sim, core, piece->line),
                   CACHESIM_ANY_LEVEL, &none);
    cachesim_note_sharer(sim, core, piece->line);
  }
  note_footprint(sim, piece->line, piece->region, !write || cachesim_allocates(sim, 0), write);
  cachesim_last_access(sim, core, piece);
}

/* No other core has the line. Notes that this one is about to. */
static inline int is_private(struct cachesim* sim, struct cachesim_core* core, uint64_t line) {
  if (sim->active_count == 1) {
    return 1;
  }
  if (cachesim_other_sharers(sim, core, line) != 0) {
    return 0;
  }
  cachesim_note_sharer(sim, core, line);
  return 1;
}

static __attribute__((noinline)) void access_line(struct cachesim* sim, struct cachesim_core* core,
                                                  const struct cachesim_piece* piece) {
  if ((piece->flags & RIDGE_TRACE_NON_TEMPORAL) != 0 && (piece->flags & RIDGE_TRACE_WRITE) != 0) {
    non_temporal_store(sim, core, piece);
    return;
  }
  if (sim->level_count == 1) {
    access_only_level(sim, core, piece);
    return;
  }
  const uint64_t pattern = cachesim_pattern(piece->line);
  unsigned char* set = cachesim_set_of(core->caches[0], piece->line);
  const int32_t way = cachesim_find_pattern(core->caches[0], set, piece->line, pattern);
  if (way >= 0) {
    hit_first(sim, core, set, (uint32_t)way, piece);
  } else if (sim->usual && is_private(sim, core, piece->line)) {
    if (!private_miss(sim, core, set, pattern, piece)) {
      note_footprint(sim, piece->line, piece->region, 1, piece->flags != 0);
    }
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

static __attribute__((noinline)) void access_by(struct cachesim* sim, struct cachesim_core* core,
                                                uint64_t address, uint64_t bytes, uint32_t flags,
                                                uint32_t region) {
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
    access_line(sim, core, &piece);
    return;
  }
  while (piece.line <= final) {
    const uint64_t next = (piece.line + 1) << sim->line_shift;
    piece.bytes = (uint32_t)((next < end ? next : end) - address);
    access_line(sim, core, &piece);
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

/* Only the recency changes if the line is in the first level, was used last by this region and, for
 * a write, is dirty by this region (so no other core has it). That is the common case. `dirty`: the
 * mark of such a line, in place; 0 for a read. */
static inline int is_plain_hit(const struct cachesim_core* core, const struct cachesim_cache* first,
                               uint64_t line, uint64_t dirty, uint64_t region) {
  unsigned char* set = first->sets + (line & first->set_mask) * first->stride;
  const uint64_t way = core->guesses[cachesim_guess_index(line)];
  const uint64_t word = cachesim_words(first, set)[way];
  const uint64_t compared = dirty != 0 ? word : word & cachesim_tag_mask;
  if (compared != (line | cachesim_valid | dirty) || cachesim_users(first, set)[way] != region) {
    return 0;
  }
  if ((*cachesim_order(set) & 15) != way) {
    cachesim_promote(first, set, (uint32_t)way);
  }
  return 1;
}

/* Accesses of one region in a row. */
struct run {
  uint64_t id;       /* as in the trace */
  uint32_t region;   /* 0 where that is none of the table */
  uint64_t dirty;    /* the mark of a line that the region dirtied, in place */
  uint64_t accesses; /* not counted yet */
};

static void begin_run(struct cachesim* sim, struct run* run, uint64_t id) {
  sim->regions[run->region].accesses += run->accesses;
  run->id = id;
  run->region = id < sim->region_count ? (uint32_t)id : 0;
  run->dirty = (uint64_t)cachesim_mark(run->region, CACHESIM_DIRTY_MASK) << CACHESIM_MARK_SHIFT;
  run->accesses = 0;
}

void cachesim_run(struct cachesim* sim, uint32_t core, const struct ridge_trace_entry* entries,
                  uint64_t count) {
  struct cachesim_core* by = core_of(sim, core);
  if (by == 0) {
    return;
  }
  /* In registers: stores could change these for all that the compiler knows. */
  const struct cachesim_cache first = by->fast;
  const uint32_t line_shift = sim->line_shift;
  const uint64_t offset_mask = ((uint64_t)1 << line_shift) - 1;
  struct run run = {~(uint64_t)0, 0, 0, 0};
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t meta = entries[i].meta;
    const uint64_t address = entries[i].address & address_mask;
    const uint64_t flags = meta >> RIDGE_TRACE_FLAGS_SHIFT & flag_mask;
    if (meta >> RIDGE_TRACE_REGION_SHIFT != run.id) {
      begin_run(sim, &run, meta >> RIDGE_TRACE_REGION_SHIFT);
    }
    const int one_line = (meta & byte_mask) - 1 <= offset_mask - (address & offset_mask);
    if (!one_line || flags == flag_mask) {
      access_by(sim, by, address, meta & byte_mask, (uint32_t)flags, run.region);
      continue;
    }
    const uint64_t line = address >> line_shift;
    const int write = (flags & RIDGE_TRACE_WRITE) != 0;
    ++run.accesses;
    if (!is_plain_hit(by, &first, line, write ? run.dirty : 0, run.region)) {
      const struct cachesim_piece piece = {line, (uint32_t)(meta & byte_mask),
                                           write ? RIDGE_TRACE_WRITE : 0, run.region};
      access_line(sim, by, &piece);
    }
  }
  sim->regions[run.region].accesses += run.accesses;
}
