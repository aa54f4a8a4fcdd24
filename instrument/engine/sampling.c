/* Sampled traffic: which lines are simulated, and when the pilot looks at all of them, as the
 * runtime of instrumented programs does it (docs/decisions/0080, 0145).
 *
 * A run may go from all lines to the sampled classes at any time, since classes never meet in a
 * set: the caches of the sampled ones are right already. The reverse would find the other caches
 * as they were long ago. So a run that may be either begins exact. */
#include "cachesim/line_class.h"
#include "instrument/engine/traffic_state.h"

enum {
  LINE_BYTES = RIDGE_TRACE_LINE_BYTES,
  JUDGED_ENTRIES = 1 << 22,  /* simulated between two judgements of the loops */
  WINDOW_ACCESSES = 1 << 21, /* at most; more where it takes more to fill the last level: */
  ACCESSES_PER_LINE = 16,    /* of that level */
  FEW_LINES = 1024           /* of all regions together, between two judgements: nothing to judge */
};
/* As the simulator has them (cachesim/stream.c). */
static const uint64_t user_addresses = ((uint64_t)1 << 47) - 1;
/* Loops that are not known to be even may have this share of the traffic of a boundary. */
static const double untrusted_most = 0.02;
/* Windows cover one access in this many; fewer once the verdict is well founded. */
enum { COVERAGE = 32, LATER_COVERAGE = 64, WELL_FOUNDED_LINES = 1 << 16, LATER_ACCESSES = 1 << 23 };

static uint64_t random_below(struct engine_sampling* sampling, uint64_t limit) {
  uint64_t* state = &sampling->random;
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state % limit;
}

static void begin_sampling(struct engine_traffic* traffic) {
  struct engine_sampling* sampling = &traffic->sampling;
  sampling->begun = 1;
  traffic->simulator->regions = sampling->sampled;
  for (uint32_t class = 0; class < RIDGE_LINE_CLASSES; ++class) {
    sampling->rank[class] = (unsigned char)cachesim_packed_line(sampling->mask, class);
  }
  sampling->class_count = RIDGE_LINE_CLASSES / sampling->weight;
  sampling->packed = cachesim_pack(traffic->simulator, sampling->mask);
}

void engine_drop_sampling(struct engine_traffic* traffic) {
  struct engine_sampling* sampling = &traffic->sampling;
  if (sampling->pilot != NULL) {
    cachesim_pilot_destroy(sampling->pilot);
  }
  engine_drop_table(traffic, sampling->pilots, sizeof(*sampling->pilots), RIDGE_LINES_CAPACITY);
  engine_drop_table(traffic, sampling->sampled, sizeof(*sampling->sampled), RIDGE_REGION_CAPACITY);
  engine_drop_table(traffic, sampling->plans, sizeof(*sampling->plans), RIDGE_REGION_CAPACITY);
  *sampling = (struct engine_sampling){0};
}

int engine_start_sampling(struct engine_traffic* traffic) {
  struct engine_sampling* sampling = &traffic->sampling;
  const struct ridge_plan* plan = traffic->plan->header;
  const int classes = __builtin_popcountll(plan->sample_mask);
  if (plan->traffic_mode == RIDGE_TRAFFIC_EXACT || classes == 0 ||
      RIDGE_LINE_CLASSES % classes != 0) {
    return 1;
  }
  const uint32_t judged =
      plan->region_count < RIDGE_LINES_CAPACITY ? plan->region_count : RIDGE_LINES_CAPACITY;
  sampling->pilots = engine_make_table(traffic, sizeof(*sampling->pilots), RIDGE_LINES_CAPACITY);
  sampling->sampled = engine_make_table(traffic, sizeof(*sampling->sampled), RIDGE_REGION_CAPACITY);
  sampling->plans = engine_make_table(traffic, sizeof(*sampling->plans), RIDGE_REGION_CAPACITY);
  if (sampling->pilots == NULL || sampling->sampled == NULL || sampling->plans == NULL) {
    return 0;
  }
  sampling->pilot =
      cachesim_pilot_create(&plan->caches, sampling->pilots, judged, &traffic->memory);
  if (sampling->pilot == NULL) {
    return 0;
  }
  sampling->pilot->region_count = judged; /* those beyond are never proved to be even */
  sampling->mask = plan->sample_mask;
  sampling->weight = RIDGE_LINE_CLASSES / (uint64_t)classes;
  sampling->random = UINT64_C(0x9e3779b97f4a7c15); /* the same windows in every run */
  if (plan->traffic_mode == RIDGE_TRAFFIC_SAMPLED) {
    begin_sampling(traffic);
  }
  return 1;
}

uint64_t engine_mask_of(const struct engine_traffic* traffic, const struct engine_worker* worker) {
  const struct engine_sampling* sampling = &traffic->sampling;
  return sampling->begun && sampling->piloted != worker ? sampling->mask : cachesim_all_classes;
}

/* ---- a batch ---- */

/* Of something on selected lines, as the simulator wants it: cachesim_packed_address without
 * counting bits. */
static uint64_t simulated_address(const struct engine_sampling* sampling, uint64_t address) {
  if (!sampling->packed) {
    return address;
  }
  const uint64_t line = (address & user_addresses) / LINE_BYTES;
  const uint64_t packed =
      line / RIDGE_LINE_CLASSES * sampling->class_count + sampling->rank[line % RIDGE_LINE_CLASSES];
  return packed * LINE_BYTES + address % LINE_BYTES;
}

/* An entry over many lines: the selected pieces, one by one. */
static void simulate_pieces(struct engine_traffic* traffic, uint32_t core,
                            const struct ridge_trace_entry* entry, uint64_t bytes) {
  uint64_t address = entry->address;
  const uint64_t end = address + bytes < address ? UINT64_MAX : address + bytes;
  const uint32_t flags = (uint32_t)(entry->meta >> RIDGE_TRACE_FLAGS_SHIFT) &
                         (RIDGE_TRACE_WRITE | RIDGE_TRACE_NON_TEMPORAL);
  const uint32_t region = (uint32_t)(entry->meta >> RIDGE_TRACE_REGION_SHIFT);
  uint64_t piece = 0;
  while ((piece = cachesim_next_selected(traffic->sampling.mask, &address, end)) != 0) {
    cachesim_access(traffic->simulator, core, simulated_address(&traffic->sampling, address), piece,
                    flags, region);
    address += piece;
  }
}

/* Puts what of an entry of at most two lines lies on selected ones into *kept; 0 if nothing. */
static int select_parts(const struct engine_sampling* sampling,
                        const struct ridge_trace_entry* entry, uint64_t bytes,
                        struct ridge_trace_entry* kept) {
  const uint64_t classes = cachesim_classes_from(sampling->mask, entry->address);
  const uint64_t within = entry->address % LINE_BYTES;
  const uint64_t meta = entry->meta;
  const uint64_t head = LINE_BYTES - within;
  uint64_t address = entry->address;
  uint64_t less = 0;
  int selected = (int)(classes & 1);
  if (bytes > head) {
    const uint64_t both = classes & 3;
    address += both == 2 ? head : 0;
    less = both == 3 ? 0 : both == 2 ? head : bytes - head;
    selected = both != 0;
  }
  kept->address = simulated_address(sampling, address);
  kept->meta = meta - less;
  return selected;
}

/* What of the entries lies on selected lines, in order and in place. */
static void simulate_selected(struct engine_traffic* traffic, uint32_t core,
                              const struct engine_batch* batch) {
  struct ridge_trace_entry* entries = batch->entries;
  const uint64_t byte_mask = ((uint64_t)1 << RIDGE_TRACE_FLAGS_SHIFT) - 1;
  uint64_t kept = 0;
  for (uint64_t i = 0; i < batch->count; ++i) {
    const struct ridge_trace_entry entry = entries[i];
    const uint64_t bytes = entry.meta & byte_mask;
    if (bytes > LINE_BYTES) {
      cachesim_run(traffic->simulator, core, entries, kept);
      kept = 0;
      simulate_pieces(traffic, core, &entry, bytes);
    } else {
      kept += (uint64_t)select_parts(&traffic->sampling, &entry, bytes, &entries[kept]);
    }
  }
  cachesim_run(traffic->simulator, core, entries, kept);
}

static void simulate_all(struct engine_traffic* traffic, uint32_t core,
                         const struct engine_batch* batch) {
  cachesim_run(traffic->simulator, core, batch->entries, batch->count);
  engine_simulate_elsewhere(traffic, core, batch);
  traffic->sampling.entries += batch->count;
}

/* A thread that is ahead of the simulation traces all lines only some batches after its window was
 * asked for. */
static int is_in_window(const struct engine_sampling* sampling, const struct engine_worker* worker,
                        const struct engine_batch* batch) {
  return sampling->piloted == worker && batch->mask == cachesim_all_classes;
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
static int is_well_founded(const struct ridge_region_pilot* region, uint32_t level_count) {
  int founded = region->levels[0].verdict == RIDGE_PILOT_EVEN &&
                lines_of(&region->levels[0]) > WELL_FOUNDED_LINES;
  for (uint32_t level = 0; level < level_count; ++level) {
    const struct ridge_pilot_level* pilot = &region->levels[level];
    if (pilot->verdict == RIDGE_PILOT_UNEVEN) {
      return 1;
    }
    founded &= pilot->verdict == RIDGE_PILOT_EVEN || lines_of(pilot) == 0;
  }
  return founded;
}

/* The region's next window: after a random distance, so that no rhythm of the program can hide. */
static void plan_next(struct engine_sampling* sampling, uint32_t region) {
  uint64_t distance = COVERAGE * sampling->window_accesses;
  if (is_well_founded(&sampling->pilots[region], sampling->pilot->level_count)) {
    const uint64_t later = LATER_COVERAGE * sampling->window_accesses;
    distance = later > LATER_ACCESSES ? later : (uint64_t)LATER_ACCESSES;
  }
  struct engine_region_plan* plan = &sampling->plans[region];
  plan->next_window = plan->accesses + distance / 2 + random_below(sampling, distance);
}

static void end_window(struct engine_sampling* sampling) {
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

void engine_leave_window(struct engine_traffic* traffic, const struct engine_worker* worker) {
  if (traffic->sampling.piloted == worker) {
    end_window(&traffic->sampling);
  }
}

static uint64_t most_accesses(const struct ridge_cache_config* caches) {
  const struct ridge_cache_level* last = &caches->levels[caches->level_count - 1];
  const uint64_t fill = last->size_bytes / last->line_bytes * ACCESSES_PER_LINE;
  return fill > WINDOW_ACCESSES ? fill : (uint64_t)WINDOW_ACCESSES;
}

static void go_on_with_window(struct engine_traffic* traffic, uint32_t region, uint64_t accesses) {
  struct engine_sampling* sampling = &traffic->sampling;
  struct cachesim_pilot* pilot = sampling->pilot;
  for (uint32_t level = 0; level < pilot->level_count; ++level) {
    pilot->regions[region].levels[level].piloted_accesses +=
        pilot->levels[level].counts ? accesses : 0;
  }
  sampling->window_accesses += accesses;
  if (cachesim_pilot_look(pilot) ||
      sampling->window_accesses >= most_accesses(&traffic->plan->header->caches)) {
    end_window(sampling);
  }
}

/* ---- from all lines to some ---- */

/* Whether the loops of late have proved even, as far as they matter at this boundary. */
static int is_even_at(struct engine_traffic* traffic, uint32_t level) {
  struct engine_sampling* sampling = &traffic->sampling;
  uint64_t all = 0;
  uint64_t untrusted = 0;
  for (uint32_t region = 0; region < sampling->pilot->region_count; ++region) {
    const struct ridge_bytes_crossed* crossed = &traffic->exact[region].crossed[level];
    const uint64_t bytes = crossed->read + crossed->written;
    const uint64_t lately = bytes - sampling->plans[region].judged[level];
    const int even = sampling->pilots[region].levels[level].verdict == RIDGE_PILOT_EVEN;
    sampling->plans[region].judged[level] = bytes;
    all += lately;
    untrusted += even ? 0 : lately;
  }
  return all <= (uint64_t)FEW_LINES * LINE_BYTES ||
         (double)untrusted <= untrusted_most * (double)all;
}

static void judge(struct engine_traffic* traffic) {
  int even = 1;
  for (uint32_t level = 0; level < traffic->plan->header->caches.level_count; ++level) {
    even &= is_even_at(traffic, level);
  }
  traffic->sampling.entries = 0;
  if (even) {
    begin_sampling(traffic);
  }
}

static void begin_window(struct engine_traffic* traffic, const struct engine_worker* worker,
                         uint32_t region) {
  struct engine_sampling* sampling = &traffic->sampling;
  cachesim_pilot_begin(sampling->pilot, traffic->simulator->active_count);
  sampling->window_region = region;
  sampling->window_accesses = 0;
  sampling->piloted = worker;
}

static void plan_batch(struct engine_traffic* traffic, const struct engine_worker* worker,
                       const struct engine_batch* batch) {
  struct engine_sampling* sampling = &traffic->sampling;
  const uint64_t accesses = batch->accesses;
  const uint32_t region = batch->region < sampling->pilot->region_count ? batch->region : 0;
  struct engine_region_plan* plan = &sampling->plans[region];
  plan->accesses += accesses;
  sampling->pilots[region].sampled_accesses += sampling->begun ? accesses : 0;
  if (is_in_window(sampling, worker, batch)) {
    const uint64_t covered = plan->accesses + COVERAGE * accesses;
    plan->next_window = plan->next_window > covered ? plan->next_window : covered;
    go_on_with_window(traffic, region, accesses);
  } else if (sampling->piloted == NULL && plan->accesses >= plan->next_window) {
    begin_window(traffic, worker, region);
  }
  if (!sampling->begun && sampling->entries >= JUDGED_ENTRIES) {
    judge(traffic);
  }
}

void engine_simulate(struct engine_traffic* traffic, const struct engine_worker* worker,
                     const struct engine_batch* batch) {
  struct engine_sampling* sampling = &traffic->sampling;
  if (sampling->pilot != NULL && is_in_window(sampling, worker, batch)) {
    cachesim_pilot_run(sampling->pilot, batch->entries, batch->count);
  }
  if (sampling->begun) {
    simulate_selected(traffic, worker->thread.core, batch);
  } else {
    simulate_all(traffic, worker->thread.core, batch);
  }
  if (sampling->pilot != NULL) {
    plan_batch(traffic, worker, batch);
  }
}
