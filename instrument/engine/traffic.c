/* Traffic: its beginning, its end, and what is written of it. Turns of threads: turns.c. */
#include "cachesim/observer.h"
#include "instrument/engine/traffic_state.h"

static uint32_t entries_of(const struct engine_traffic* traffic, uint32_t limit) {
  const uint32_t regions = traffic->plan->header->region_count;
  return regions < limit ? regions : limit;
}

void* engine_make_table(struct engine_traffic* traffic, uint64_t entry_bytes, uint32_t limit) {
  return traffic->memory.allocate(traffic->memory.context,
                                  entries_of(traffic, limit) * entry_bytes);
}

void engine_drop_table(struct engine_traffic* traffic, void* table, uint64_t entry_bytes,
                       uint32_t limit) {
  if (table != NULL) {
    traffic->memory.release(traffic->memory.context, table,
                            entries_of(traffic, limit) * entry_bytes);
  }
}

static void drop_elsewhere(struct engine_traffic* traffic, uint32_t index) {
  if (traffic->elsewhere[index] != NULL) {
    cachesim_destroy(traffic->elsewhere[index]);
    traffic->elsewhere[index] = NULL;
  }
  engine_drop_table(traffic, traffic->elsewhere_tables[index], sizeof(struct ridge_region_traffic),
                    RIDGE_REGION_CAPACITY);
  traffic->elsewhere_tables[index] = NULL;
}

/* Without memory for one there is no traffic on it, and the rest stays right. */
static void start_elsewhere(struct engine_traffic* traffic, uint32_t index) {
  const struct ridge_plan* plan = traffic->plan->header;
  struct ridge_cache_config caches = plan->caches;
  caches.level_count = plan->elsewhere[index].level_count;
  for (uint32_t level = 0; level < RIDGE_CACHE_LEVELS_MAX; ++level) {
    caches.levels[level] = plan->elsewhere[index].levels[level];
  }
  if (cachesim_check(&caches) != NULL) {
    return;
  }
  traffic->elsewhere_tables[index] =
      engine_make_table(traffic, sizeof(struct ridge_region_traffic), RIDGE_REGION_CAPACITY);
  if (traffic->elsewhere_tables[index] != NULL) {
    traffic->elsewhere[index] = cachesim_create(&caches, traffic->elsewhere_tables[index],
                                                plan->region_count, &traffic->memory);
  }
  if (traffic->elsewhere[index] == NULL) {
    drop_elsewhere(traffic, index);
  }
}

static void start_lines(struct engine_traffic* traffic) {
  if (traffic->simulator->regions != traffic->exact) {
    return; /* only some lines are simulated, from the start */
  }
  traffic->lines =
      engine_make_table(traffic, sizeof(struct ridge_region_lines), RIDGE_LINES_CAPACITY);
  if (traffic->lines != NULL &&
      !cachesim_observe(traffic->simulator, traffic->lines, entries_of(traffic, RIDGE_LINES_CAPACITY))) {
    engine_drop_table(traffic, traffic->lines, sizeof(struct ridge_region_lines),
                      RIDGE_LINES_CAPACITY);
    traffic->lines = NULL;
  }
}

static int start(struct engine_traffic* traffic) {
  const struct ridge_plan* plan = traffic->plan->header;
  traffic->exact =
      engine_make_table(traffic, sizeof(struct ridge_region_traffic), RIDGE_REGION_CAPACITY);
  if (traffic->exact == NULL) {
    return 0;
  }
  traffic->simulator =
      cachesim_create(&plan->caches, traffic->exact, plan->region_count, &traffic->memory);
  if (traffic->simulator == NULL || !engine_start_sampling(traffic)) {
    return 0;
  }
  start_lines(traffic);
  for (uint32_t i = 0; plan->traffic_mode == RIDGE_TRAFFIC_EXACT && i < plan->elsewhere_count; ++i) {
    start_elsewhere(traffic, i);
  }
  return 1;
}

struct engine_traffic* engine_traffic_create(const struct engine_plan* plan,
                                             const struct cachesim_memory* memory,
                                             const char** problem) {
  *problem = cachesim_check(&plan->header->caches);
  if (*problem != NULL) {
    return NULL;
  }
  struct engine_traffic* traffic = memory->allocate(memory->context, sizeof(*traffic));
  if (traffic != NULL) {
    traffic->plan = plan;
    traffic->memory = *memory;
    if (start(traffic)) {
      return traffic;
    }
    engine_traffic_destroy(traffic);
  }
  *problem = "There is no memory to simulate the caches.";
  return NULL;
}

static void release_buffer(struct engine_traffic* traffic, void* buffer) {
  if (buffer != NULL) {
    traffic->memory.release(traffic->memory.context, buffer,
                            ENGINE_BUFFER_ENTRIES * sizeof(struct ridge_trace_entry));
  }
}

static void drop_workers(struct engine_traffic* traffic) {
  while (traffic->workers != NULL) {
    struct engine_worker* worker = traffic->workers;
    traffic->workers = worker->next;
    for (; worker->queued != 0; --worker->queued) {
      release_buffer(traffic, worker->queue[worker->first].entries);
      worker->first = (worker->first + 1) % ENGINE_WINDOW;
    }
    release_buffer(traffic, worker->entries);
    traffic->memory.release(traffic->memory.context, worker, sizeof(*worker));
  }
  while (traffic->free_buffers != NULL) {
    struct engine_free_buffer* buffer = traffic->free_buffers;
    traffic->free_buffers = buffer->next;
    release_buffer(traffic, buffer);
  }
}

void engine_traffic_destroy(struct engine_traffic* traffic) {
  const struct cachesim_memory memory = traffic->memory;
  drop_workers(traffic);
  engine_drop_sampling(traffic);
  for (uint32_t i = 0; i < RIDGE_ELSEWHERE_MAX; ++i) {
    drop_elsewhere(traffic, i);
  }
  if (traffic->simulator != NULL) {
    cachesim_destroy(traffic->simulator);
  }
  engine_drop_table(traffic, traffic->lines, sizeof(*traffic->lines), RIDGE_LINES_CAPACITY);
  engine_drop_table(traffic, traffic->exact, sizeof(*traffic->exact), RIDGE_REGION_CAPACITY);
  memory.release(memory.context, traffic, sizeof(*traffic));
}

void engine_traffic_lose(struct engine_traffic* traffic, uint64_t accesses) {
  traffic->lost += accesses;
}

/* ---- the record ---- */

static void write_table(const struct engine_traffic* traffic, struct engine_writer* writer,
                        uint32_t kind, const struct ridge_region_traffic* table, uint32_t caches) {
  for (uint32_t region = 0; region < traffic->plan->header->region_count; ++region) {
    const struct ridge_record_traffic entry = {region, caches, table[region]};
    if (entry.traffic.accesses != 0) {
      engine_record_chunk(writer, kind, &entry, sizeof(entry), NULL, 0);
    }
  }
}

static void write_lines(const struct engine_traffic* traffic, struct engine_writer* writer) {
  for (uint64_t region = 0; region < entries_of(traffic, RIDGE_LINES_CAPACITY); ++region) {
    if (traffic->exact[region].accesses != 0) {
      engine_record_chunk(writer, RIDGE_RECORD_LINES, &region, sizeof(region),
                          &traffic->lines[region], sizeof(traffic->lines[region]));
    }
  }
}

static void write_pilots(const struct engine_traffic* traffic, struct engine_writer* writer) {
  for (uint64_t region = 0; region < entries_of(traffic, RIDGE_LINES_CAPACITY); ++region) {
    if (traffic->exact[region].accesses != 0 || traffic->sampling.sampled[region].accesses != 0) {
      engine_record_chunk(writer, RIDGE_RECORD_PILOT, &region, sizeof(region),
                          &traffic->sampling.pilots[region],
                          sizeof(traffic->sampling.pilots[region]));
    }
  }
}

static void write_note(struct engine_writer* writer, const char* text, uint64_t bytes) {
  engine_record_chunk(writer, RIDGE_RECORD_NOTE, text, bytes, NULL, 0);
}

static void write_incomplete(const struct engine_traffic* traffic, struct engine_writer* writer) {
  static const char least[] = "There was no memory to remember all distinct lines.";
  static const char lost[] = "There was no memory for the caches of a core.";
  if ((traffic->simulator->incomplete & CACHESIM_LEAST_INCOMPLETE) != 0) {
    write_note(writer, least, sizeof(least) - 1);
  }
  if ((traffic->simulator->incomplete & CACHESIM_LOST_ACCESSES) != 0) {
    write_note(writer, lost, sizeof(lost) - 1);
  }
  if (traffic->lost != 0) {
    engine_record_chunk(writer, RIDGE_RECORD_LOST, &traffic->lost, sizeof(traffic->lost), NULL, 0);
  }
}

void engine_traffic_write(struct engine_traffic* traffic, struct engine_writer* writer) {
  engine_finish(traffic);
  write_table(traffic, writer, RIDGE_RECORD_TRAFFIC, traffic->exact, 0);
  if (traffic->sampling.pilot != NULL) {
    write_table(traffic, writer, RIDGE_RECORD_SAMPLED, traffic->sampling.sampled, 0);
    write_pilots(traffic, writer);
  }
  for (uint32_t i = 0; i < RIDGE_ELSEWHERE_MAX; ++i) {
    if (traffic->elsewhere[i] != NULL) {
      write_table(traffic, writer, RIDGE_RECORD_ELSEWHERE, traffic->elsewhere_tables[i], i);
    }
  }
  if (traffic->lines != NULL) {
    write_lines(traffic, writer);
  }
  write_incomplete(traffic, writer);
}
