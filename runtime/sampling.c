/* Sampled traffic: which lines are simulated, and when the pilot looks at all of them.
 *
 * A run may go from all lines to the sampled classes at any time, since classes never meet in a
 * set: the caches of the sampled ones are right already. The reverse would find the other caches
 * as they were long ago. So a run that may be either begins exact (docs/decisions/0080). */
#include <stddef.h>

#include "cachesim/line_class.h"
#include "runtime/state.h"

enum {
  LINE_BYTES = RIDGE_TRACE_LINE_BYTES,
  EXACT_BATCH = RIDGE_TURN_ACCESSES, /* larger ones fall out of the real first cache */
  JUDGED_ENTRIES = 1 << 22,          /* simulated between two judgements of the loops */
  WINDOW_ACCESSES = 1 << 21,         /* at most; more where it takes more to fill the last level: */
  ACCESSES_PER_LINE = 16,            /* of that level */
  FEW_LINES = 1024 /* of all regions together, between two judgements: nothing to judge */
};
/* As the simulator has them (cachesim/stream.c). */
static const uint64_t user_addresses = ((uint64_t)1 << 47) - 1;
/* Loops that are not known to be even may have this share of the traffic of a boundary. */
static const double untrusted_most = 0.02;
/* Windows cover one access in this many; fewer once the verdict is well founded. Since the region
 * may become another even then, that is one in 64, or one window in so many accesses. */
enum { COVERAGE = 32, LATER_COVERAGE = 64, WELL_FOUNDED_LINES = 1 << 16, LATER_ACCESSES = 1 << 23 };

struct ridge_region_plan {
  uint64_t accesses;                       /* of the batches that ended in the region */
  uint64_t next_window;                    /* number of them at which a window is due */
  uint64_t judged[RIDGE_CACHE_LEVELS_MAX]; /* bytes, by boundary, at the last judgement */
};

static uint64_t random_below(uint64_t limit) {
  uint64_t* state = &ridge_runtime.sampling.random;
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state % limit;
}

static void begin_sampling(struct ridge_sampling* sampling) {
  ridge_ask_for_page_nodes(); /* lines get other numbers */
  sampling->begun = 1;
  ridge_runtime.simulator->regions = sampling->sampled;
  for (uint32_t class = 0; class < RIDGE_LINE_CLASSES; ++class) {
    sampling->rank[class] = (unsigned char)cachesim_packed_line(sampling->mask, class);
  }
  sampling->class_count = RIDGE_LINE_CLASSES / sampling->weight;
  sampling->packed = cachesim_pack(ridge_runtime.simulator, sampling->mask);
  ridge_sample_placements();
  ridge_weigh_page_nodes();
  ridge_runtime.process->sampling_begun = 1;
}

void ridge_drop_sampling(void) {
  struct ridge_sampling* sampling = &ridge_runtime.sampling;
  if (sampling->pilot != NULL) {
    cachesim_pilot_destroy(sampling->pilot);
  }
  if (sampling->plans != NULL) {
    ridge_unmap(sampling->plans, RIDGE_REGION_CAPACITY * sizeof(*sampling->plans));
  }
  *sampling = (struct ridge_sampling){0};
}

/* Regions beyond are never proved to be even. */
static uint32_t judged_regions(uint32_t region_count) {
  return region_count < RIDGE_LINES_CAPACITY ? region_count : (uint32_t)RIDGE_LINES_CAPACITY;
}

void ridge_start_sampling(const struct cachesim_memory* memory) {
  struct ridge_sampling* sampling = &ridge_runtime.sampling;
  struct ridge_process_record* process = ridge_runtime.process;
  const struct ridge_arena* arena = ridge_runtime.arena;
  const int classes = __builtin_popcountll(arena->sample_mask);
  if (arena->traffic_mode == RIDGE_TRAFFIC_EXACT || classes == 0 ||
      RIDGE_LINE_CLASSES % classes != 0) {
    return;
  }
  struct ridge_region_pilot* pilots =
      ridge_make_table(sizeof(*pilots), RIDGE_LINES_CAPACITY, &process->pilot);
  sampling->exact = ridge_runtime.simulator->regions;
  sampling->sampled = ridge_make_table(sizeof(*sampling->sampled), RIDGE_REGION_CAPACITY,
                                       &process->sampled_traffic);
  sampling->plans = ridge_map(RIDGE_REGION_CAPACITY * sizeof(*sampling->plans));
  if (pilots != NULL && sampling->sampled != NULL && sampling->plans != NULL) {
    sampling->pilot =
        cachesim_pilot_create(&ridge_runtime.caches, pilots, RIDGE_LINES_CAPACITY, memory);
  }
  if (sampling->pilot == NULL) {
    ridge_set_flag(RIDGE_PROCESS_ARENA_FULL);
    ridge_drop_sampling();
    return;
  }
  sampling->pilot->region_count = judged_regions(process->region_count);
  sampling->mask = arena->sample_mask;
  sampling->weight = RIDGE_LINE_CLASSES / (uint64_t)classes;
  sampling->random = UINT64_C(0x9e3779b97f4a7c15); /* the same windows in every run */
  if (arena->traffic_mode == RIDGE_TRAFFIC_SAMPLED) {
    begin_sampling(sampling);
  }
}

void ridge_grow_sampling(uint32_t region_count) {
  struct ridge_sampling* sampling = &ridge_runtime.sampling;
  if (sampling->pilot == NULL) {
    return;
  }
  ridge_populate(sampling->exact, region_count * sizeof(*sampling->exact));
  ridge_populate(sampling->sampled, region_count * sizeof(*sampling->sampled));
  sampling->pilot->region_count = judged_regions(region_count);
  ridge_grow_table(sampling->pilot->regions, sizeof(*sampling->pilot->regions),
                   RIDGE_LINES_CAPACITY, region_count);
}

uint64_t ridge_trace_mask_of(const struct ridge_slot* slot) {
  const struct ridge_sampling* sampling = &ridge_runtime.sampling;
  return sampling->begun && sampling->piloted != slot ? sampling->mask : cachesim_all_classes;
}

int64_t ridge_batch_of(uint64_t trace_mask) {
  return trace_mask == cachesim_all_classes ? EXACT_BATCH : RIDGE_TRACE_CAPACITY;
}

/* ---- a batch ---- */

/* Of something on selected lines, as the simulator wants it: cachesim_packed_address without
 * counting bits. */
static uint64_t simulated_address(uint64_t address) {
  const struct ridge_sampling* sampling = &ridge_runtime.sampling;
  if (!sampling->packed) {
    return address;
  }
  const uint64_t line = (address & user_addresses) / LINE_BYTES;
  const uint64_t packed =
      line / RIDGE_LINE_CLASSES * sampling->class_count + sampling->rank[line % RIDGE_LINE_CLASSES];
  return packed * LINE_BYTES + address % LINE_BYTES;
}

static void run(const struct ridge_slot* slot, const struct ridge_batch* batch, uint64_t count) {
  cachesim_run(ridge_runtime.simulator, slot->core, batch->entries, count);
  ridge_run_placements(slot, batch, batch->entries, count);
}

/* An entry over many lines: the selected pieces, one by one. */
static void simulate_pieces(const struct ridge_slot* slot, const struct ridge_batch* batch,
                            const struct ridge_trace_entry* entry, uint64_t bytes) {
  uint64_t address = entry->address;
  const uint64_t end = address + bytes;
  const uint32_t flags = (uint32_t)(entry->meta >> RIDGE_TRACE_FLAGS_SHIFT) &
                         (RIDGE_TRACE_WRITE | RIDGE_TRACE_NON_TEMPORAL);
  const uint32_t region = (uint32_t)(entry->meta >> RIDGE_TRACE_REGION_SHIFT);
  uint64_t piece = 0;
  while ((piece = cachesim_next_selected(ridge_runtime.sampling.mask, &address, end)) != 0) {
    const uint64_t place = simulated_address(address);
    cachesim_access(ridge_runtime.simulator, slot->core, place, piece, flags, region);
    ridge_access_placements(slot, batch, place, piece, flags, region);
    address += piece;
  }
}

/* What of the entries lies on selected lines, in order and in place. */
static void simulate_selected(const struct ridge_slot* slot, const struct ridge_batch* batch) {
  struct ridge_trace_entry* entries = batch->entries;
  const uint64_t mask = ridge_runtime.sampling.mask;
  const uint64_t byte_mask = ((uint64_t)1 << RIDGE_TRACE_FLAGS_SHIFT) - 1;
  uint64_t kept = 0;
  for (uint64_t i = 0; i < batch->count; ++i) {
    const struct ridge_trace_entry entry = entries[i];
    const uint64_t bytes = entry.meta & byte_mask;
    const uint64_t classes = cachesim_classes_from(mask, entry.address);
    const uint64_t within = entry.address % LINE_BYTES;
    entries[kept] = entry;
    entries[kept].address = simulated_address(entry.address);
    if (within + bytes <= LINE_BYTES) {
      kept += classes & 1;
    } else if (bytes > LINE_BYTES) {
      run(slot, batch, kept);
      kept = 0;
      simulate_pieces(slot, batch, &entry, bytes);
    } else {
      const uint64_t head = LINE_BYTES - within;
      const uint64_t both = classes & 3;
      entries[kept].address = simulated_address(entry.address + (both == 2 ? head : 0));
      entries[kept].meta -= both == 3 ? 0 : both == 2 ? head : bytes - head;
      kept += both != 0;
    }
  }
  run(slot, batch, kept);
}

/* A thread that is ahead of the simulation traces all lines only some batches after its window was
 * asked for. */
static int is_in_window(const struct ridge_slot* slot, const struct ridge_batch* batch) {
  const struct ridge_sampling* sampling = &ridge_runtime.sampling;
  return sampling->piloted == slot && batch->mask == cachesim_all_classes;
}

void ridge_simulate(struct ridge_slot* slot, const struct ridge_batch* batch) {
  struct ridge_sampling* sampling = &ridge_runtime.sampling;
  if (sampling->pilot != NULL && is_in_window(slot, batch)) {
    cachesim_pilot_run(sampling->pilot, batch->entries, batch->count);
  }
  ridge_place_batch(slot, batch);
  if (sampling->begun) {
    simulate_selected(slot, batch);
  } else {
    run(slot, batch, batch->count);
    sampling->entries += batch->count;
  }
}

/* ---- windows ---- */

static uint64_t lines_of(const struct ridge_pilot_level* level) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < RIDGE_LINE_CLASSES; ++i) {
    sum += level->lines[i];
  }
  return sum;
}

/* The verdicts will hardly change: one is against sampling, or much speaks for each. A level that
 * nothing was seen to cross needs none. */
static int is_well_founded(const struct ridge_region_pilot* region) {
  int founded = region->levels[0].verdict == RIDGE_PILOT_EVEN &&
                lines_of(&region->levels[0]) > WELL_FOUNDED_LINES;
  for (uint32_t level = 0; level < ridge_runtime.caches.level_count; ++level) {
    const struct ridge_pilot_level* pilot = &region->levels[level];
    if (pilot->verdict == RIDGE_PILOT_UNEVEN) {
      return 1;
    }
    founded &= pilot->verdict == RIDGE_PILOT_EVEN || lines_of(pilot) == 0;
  }
  return founded;
}

/* The region's next window: after a random distance, so that no rhythm of the program can hide. */
static void plan_next(struct ridge_sampling* sampling, uint32_t region) {
  uint64_t distance = COVERAGE * sampling->window_accesses;
  if (is_well_founded(&sampling->pilot->regions[region])) {
    const uint64_t later = LATER_COVERAGE * sampling->window_accesses;
    distance = later > LATER_ACCESSES ? later : LATER_ACCESSES;
  }
  struct ridge_region_plan* plan = &sampling->plans[region];
  plan->next_window = plan->accesses + distance / 2 + random_below(distance);
}

static void begin_window(struct ridge_sampling* sampling, struct ridge_slot* slot,
                         uint32_t region) {
  cachesim_pilot_begin(sampling->pilot, ridge_runtime.simulator->active_count);
  sampling->window_region = region;
  sampling->window_accesses = 0;
  sampling->piloted = slot;
}

static void end_window(struct ridge_sampling* sampling) {
  struct cachesim_pilot* pilot = sampling->pilot;
  const uint32_t seen = pilot->seen_count < CACHESIM_WINDOW_REGIONS
                            ? pilot->seen_count
                            : (uint32_t)CACHESIM_WINDOW_REGIONS;
  cachesim_pilot_end(pilot, sampling->mask);
  ++sampling->window_accesses; /* at least one */
  for (uint32_t i = 0; i < seen; ++i) {
    plan_next(sampling, pilot->seen[i]);
  }
  plan_next(sampling, sampling->window_region);
  sampling->piloted = NULL;
}

static uint64_t most_accesses(void) {
  const struct ridge_cache_config* caches = &ridge_runtime.caches;
  const struct ridge_cache_level* last = &caches->levels[caches->level_count - 1];
  const uint64_t fill = last->size_bytes / last->line_bytes * ACCESSES_PER_LINE;
  return fill > WINDOW_ACCESSES ? fill : WINDOW_ACCESSES;
}

static void go_on_with_window(struct ridge_sampling* sampling, uint32_t region, uint64_t accesses) {
  struct cachesim_pilot* pilot = sampling->pilot;
  for (uint32_t level = 0; level < pilot->level_count; ++level) {
    pilot->regions[region].levels[level].piloted_accesses +=
        pilot->levels[level].counts ? accesses : 0;
  }
  sampling->window_accesses += accesses;
  if (cachesim_pilot_look(pilot) || sampling->window_accesses >= most_accesses()) {
    end_window(sampling);
  }
}

/* ---- from all lines to some ---- */

static uint64_t crossed(const struct ridge_region_traffic* traffic, uint32_t level) {
  return traffic->crossed[level].read + traffic->crossed[level].written;
}

/* Whether the loops of late have proved even, as far as they matter at this boundary. */
static int is_even_at(struct ridge_sampling* sampling, uint32_t level) {
  uint64_t all = 0;
  uint64_t untrusted = 0;
  for (uint32_t region = 0; region < sampling->pilot->region_count; ++region) {
    const uint64_t bytes = crossed(&sampling->exact[region], level);
    const uint64_t lately = bytes - sampling->plans[region].judged[level];
    const int even = sampling->pilot->regions[region].levels[level].verdict == RIDGE_PILOT_EVEN;
    sampling->plans[region].judged[level] = bytes;
    all += lately;
    untrusted += even ? 0 : lately;
  }
  return all <= FEW_LINES * LINE_BYTES || (double)untrusted <= untrusted_most * (double)all;
}

static void judge(struct ridge_sampling* sampling) {
  int even = 1;
  for (uint32_t level = 0; level < ridge_runtime.caches.level_count; ++level) {
    even &= is_even_at(sampling, level);
  }
  sampling->entries = 0;
  if (even) {
    begin_sampling(sampling);
  }
}

void ridge_plan_batch(struct ridge_slot* slot, const struct ridge_batch* batch) {
  struct ridge_sampling* sampling = &ridge_runtime.sampling;
  if (sampling->pilot == NULL) {
    return;
  }
  const uint64_t accesses = batch->accesses;
  const uint32_t region = batch->region < sampling->pilot->region_count ? batch->region : 0;
  struct ridge_region_plan* plan = &sampling->plans[region];
  plan->accesses += accesses;
  sampling->pilot->regions[region].sampled_accesses += sampling->begun ? accesses : 0;
  if (is_in_window(slot, batch)) {
    const uint64_t covered = plan->accesses + COVERAGE * accesses;
    plan->next_window = plan->next_window > covered ? plan->next_window : covered;
    go_on_with_window(sampling, region, accesses);
  } else if (sampling->piloted == slot) {
    return; /* about to begin */
  } else if (sampling->piloted != NULL) {
    if (atomic_load(&sampling->piloted->claimed) == 0) { /* its thread has ended */
      end_window(sampling);
    }
  } else if (plan->accesses >= plan->next_window) {
    begin_window(sampling, slot, region);
  }
  if (!sampling->begun && sampling->entries >= JUDGED_ENTRIES) {
    judge(sampling);
  }
}
