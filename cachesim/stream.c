/* The address stream: batches of the trace buffer and single accesses, cut into lines. Most lines
 * are answered for by the filter of the first level; the others go to line_access.h. */
#include "cachesim/cachesim.h"
#include "cachesim/hierarchy.h"
#include "cachesim/line_access.h"
#include "cachesim/observer.h"

/* User addresses end at 2^47, unless a program asks for higher ones (five-level page tables). Line
 * numbers so have at most 42 bits, as cache.h wants. */
static const uint64_t address_mask = ((uint64_t)1 << 47) - 1;

static const uint64_t byte_mask = ((uint64_t)1 << RIDGE_TRACE_FLAGS_SHIFT) - 1;
static const uint64_t flag_mask = RIDGE_TRACE_WRITE | RIDGE_TRACE_NON_TEMPORAL;

/* The lines of each set get the times 1, 2, ... in their order; empty ways keep 0. */
static __attribute__((noinline)) void rewind_clock(const struct cachesim_cache* cache) {
  for (uint64_t index = 0; index < cache->set_count; ++index) {
    uint64_t* stamps = cache->stamps + index * cache->set_words;
    uint64_t latest = UINT32_MAX; /* that has its new time; at first the empty ways */
    /* The nth time in order is at least n: new stamps are never after `latest`. */
    for (uint64_t time = 1; time <= cache->ways; ++time) {
      uint64_t next = UINT64_MAX;
      for (uint32_t way = 0; way < cache->ways; ++way) {
        next = stamps[way] > latest ? cachesim_lesser(next, stamps[way]) : next;
      }
      if (next == UINT64_MAX) {
        break;
      }
      stamps[(uint32_t)next] = time << 32 | (uint32_t)next;
      latest = next;
    }
  }
  cache->filter->clock = cache->ways;
}

/* There is time for as many uses as lie between two calls. */
static inline void wind_clock(const struct cachesim_cache* cache) {
  if (cache->filter != 0 && cache->filter->clock > cachesim_late) {
    rewind_clock(cache);
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
  while (piece.line <= final) {
    const uint64_t next = (piece.line + 1) << sim->line_shift;
    piece.bytes = (uint32_t)((next < end ? next : end) - address);
    wind_clock(core->caches[0]);
    cachesim_observe_if_asked(sim, core, &piece, address);
    cachesim_access_piece(sim, core, &piece);
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

/* Accesses of one region in a row. */
struct run {
  uint64_t id;                           /* as in the trace */
  uint64_t key;                          /* of its lines in the filter, stores allowed */
  const struct ridge_trace_entry* begin; /* moves on for entries that were counted elsewhere */
  uint32_t region;                       /* 0 where the id is none of the table */
};

static void count_run(struct cachesim* sim, const struct run* run,
                      const struct ridge_trace_entry* end) {
  sim->regions[run->region].accesses += (uint64_t)(end - run->begin);
}

static void begin_run(const struct cachesim* sim, struct run* run,
                      const struct ridge_trace_entry* begin) {
  run->id = begin->meta >> RIDGE_TRACE_REGION_SHIFT;
  run->region = run->id < sim->region_count ? (uint32_t)run->id : 0;
  run->begin = begin;
  run->key = cachesim_valid | cachesim_store_key | (uint64_t)run->region << CACHESIM_MARK_SHIFT;
}

/* What the loop below leaves to functions is not mixed with it, which keeps it short. */
static __attribute__((noinline)) void change_run(struct cachesim* sim, struct run* run,
                                                 const struct ridge_trace_entry* at) {
  count_run(sim, run, at);
  begin_run(sim, run, at);
}

static __attribute__((noinline)) void observe_piece(struct cachesim* sim,
                                                    struct cachesim_core* core,
                                                    const struct ridge_trace_entry* entry,
                                                    uint64_t line, uint32_t region) {
  const uint32_t flags = (uint32_t)(entry->meta >> RIDGE_TRACE_FLAGS_SHIFT & flag_mask);
  const uint64_t begin = entry->address & address_mask;
  const uint64_t end = begin + (entry->meta & byte_mask);
  const uint64_t from = cachesim_greater(begin, line << sim->line_shift);
  const uint64_t to = cachesim_lesser(end, (line + 1) << sim->line_shift);
  const struct cachesim_piece piece = {line, (uint32_t)(to - from), flags, region};
  cachesim_observe_if_asked(sim, core, &piece, from);
  cachesim_access_piece(sim, core, &piece);
}

/* A line of an entry that the filter does not answer for. */
static __attribute__((noinline)) void run_unfiltered(struct cachesim* sim,
                                                     struct cachesim_core* core,
                                                     const struct ridge_trace_entry* entry,
                                                     uint64_t line, uint32_t region) {
  if (sim->access_line != 0 && !cachesim_is_observed(sim, line)) {
    sim->access_line(sim, core, line,
                     (uint32_t)(entry->meta >> RIDGE_TRACE_FLAGS_SHIFT & flag_mask), region);
  } else {
    observe_piece(sim, core, entry, line, region);
  }
}

static inline void prefetch_set(const struct cachesim_cache* cache, uint64_t line) {
  const uint64_t* set = cachesim_set_of(cache, line);
  for (uint32_t word = 0; word < cache->set_words; word += 8) {
    __builtin_prefetch(&set[word], 1);
  }
}

/* The entry will probably miss the first two levels: its set of the last one, and that of the line
 * which it will displace, are fetched while those before it are simulated. */
static inline void look_ahead(const struct cachesim* sim, const struct cachesim_core* core,
                              const struct ridge_trace_entry* entry, const struct run* run) {
  const uint64_t line = (entry->address & address_mask) >> sim->line_shift;
  const uint64_t known = core->views[0].filter->keys[cachesim_filter_entry(line)];
  if ((known | cachesim_store_key) == (line | run->key)) {
    return;
  }
  const struct cachesim_cache* second = &core->views[sim->last_level - 1];
  const uint64_t oldest = cachesim_set_of(second, line)[second->ways - 1];
  prefetch_set(&core->views[sim->last_level], line);
  prefetch_set(&core->views[sim->last_level], oldest & (cachesim_valid - 1));
}

/* Entries up to `end`, for which the clock of the filter has time enough. `ahead`: how far to look
 * ahead, a constant; 0: not at all. */
static inline __attribute__((always_inline)) void run_block(struct cachesim* sim,
                                                            struct cachesim_core* core,
                                                            const struct ridge_trace_entry* entries,
                                                            const struct ridge_trace_entry* end,
                                                            const uint32_t ahead) {
  enum { FURTHER_LINES = 3 };
  struct cachesim_filter* const filter = core->caches[0]->filter;
  unsigned char* const stamps = (unsigned char*)core->caches[0]->stamps;
  const uint32_t line_shift = sim->line_shift;
  uint32_t clock = filter->clock;
  struct run run;
  begin_run(sim, &run, entries);
  for (const struct ridge_trace_entry* at = entries; at != end; ++at) {
    const uint64_t meta = at->meta;
    if (__builtin_expect(meta >> RIDGE_TRACE_REGION_SHIFT != run.id, 0)) {
      change_run(sim, &run, at);
    }
    if (ahead != 0 && (uint64_t)(end - at) > ahead) {
      look_ahead(sim, core, at + ahead, &run);
    }
    const uint64_t address = at->address & address_mask;
    const uint32_t flags = (uint32_t)meta >> RIDGE_TRACE_FLAGS_SHIFT;
    uint64_t line = address >> line_shift;
    /* Of no byte: a line far away. */
    const uint64_t final = (address + (uint32_t)((meta & byte_mask) - 1)) >> line_shift;
    if (__builtin_expect(final - line > FURTHER_LINES || flags > RIDGE_TRACE_WRITE, 0)) {
      filter->clock = clock;
      access_by(sim, core, address, meta & byte_mask, flags & (uint32_t)flag_mask, run.region);
      clock = filter->clock;
      ++run.begin;
      continue;
    }
    const uint64_t ignored = cachesim_store_key & ((uint64_t)flags - 1); /* of a load */
    do {
      const uint64_t entry = cachesim_filter_entry(line);
      if (__builtin_expect((filter->keys[entry] | ignored) == (line | run.key), 1)) {
        *(cachesim_time*)(stamps + filter->times[entry]) = ++clock;
      } else {
        filter->clock = clock;
        run_unfiltered(sim, core, at, line, run.region);
        clock = filter->clock;
      }
    } while (__builtin_expect(line++ != final, 0));
  }
  filter->clock = clock;
  count_run(sim, &run, end);
}

static void run_near(struct cachesim* sim, struct cachesim_core* core,
                     const struct ridge_trace_entry* entries, const struct ridge_trace_entry* end) {
  run_block(sim, core, entries, end, 0);
}
static void run_far(struct cachesim* sim, struct cachesim_core* core,
                    const struct ridge_trace_entry* entries, const struct ridge_trace_entry* end) {
  enum { AHEAD = 8 };
  run_block(sim, core, entries, end, AHEAD);
}

/* Looks ahead while many accesses miss the second level at places all over memory: waiting for
 * their sets of a large last level takes longer than all the rest of the simulation. Elsewhere
 * looking ahead only costs, so one batch in eight says which it is (docs/decisions/0121). */
static void run_filtered(struct cachesim* sim, struct cachesim_core* core,
                         const struct ridge_trace_entry* entries, uint64_t count) {
  /* FEW and MANY: one access in so many is enough, with a large last level and any other. */
  enum { MEASURED = 8, FEW = 12, MANY = 4, LARGE_WORDS = 1 << 21 };
  const struct cachesim_cache* last = &core->views[sim->last_level];
  const int large = last->set_count * last->set_words > LARGE_WORDS;
  sim->measures_distance = sim->batches++ % MEASURED == 0;
  sim->far_misses = 0;
  if (sim->looks_ahead) {
    run_far(sim, core, entries, entries + count);
  } else {
    run_near(sim, core, entries, entries + count);
  }
  if (sim->measures_distance) {
    sim->looks_ahead = (uint64_t)sim->far_misses * (large ? FEW : MANY) >= count;
  }
}

void cachesim_run(struct cachesim* sim, uint32_t core, const struct ridge_trace_entry* entries,
                  uint64_t count) {
  enum { AT_ONCE = 1 << 20 };
  struct cachesim_core* by = core_of(sim, core);
  if (sim->observer != 0) {
    sim->observer->clock += count;
  }
  for (uint64_t begin = 0; by != 0 && begin < count && sim->level_count > 1; begin += AT_ONCE) {
    wind_clock(by->caches[0]);
    run_filtered(sim, by, entries + begin, cachesim_lesser(count - begin, AT_ONCE));
  }
  for (uint64_t i = 0; by != 0 && i < count && sim->level_count == 1; ++i) {
    const uint64_t meta = entries[i].meta;
    access_by(sim, by, entries[i].address, meta & byte_mask,
              (uint32_t)(meta >> RIDGE_TRACE_FLAGS_SHIFT & flag_mask),
              (uint32_t)(meta >> RIDGE_TRACE_REGION_SHIFT));
  }
}
