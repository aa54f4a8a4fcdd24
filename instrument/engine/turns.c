/* Turns: which batch is simulated next. All that depends on nothing but what the threads did. */
#include "instrument/engine/traffic_state.h"

static struct engine_worker* worker_of(struct engine_thread* thread) {
  return (struct engine_worker*)thread;
}

static int comes_before(uint64_t a, uint32_t a_ordinal, uint64_t b, uint32_t b_ordinal) {
  return a < b || (a == b && a_ordinal < b_ordinal);
}

/* May have a batch to come, at its clock or later. */
static int is_awaited(const struct engine_worker* worker) {
  return !worker->ended && !worker->waiting && worker->queued == 0;
}

/* ---- buffers ---- */

static void* take_buffer(struct engine_traffic* traffic) {
  struct engine_free_buffer* buffer = traffic->free_buffers;
  if (buffer != NULL) {
    traffic->free_buffers = buffer->next;
    return buffer;
  }
  return traffic->memory.allocate(traffic->memory.context,
                                  ENGINE_BUFFER_ENTRIES * sizeof(struct ridge_trace_entry));
}

static void give_buffer(struct engine_traffic* traffic, void* memory) {
  struct engine_free_buffer* buffer = memory;
  buffer->next = traffic->free_buffers;
  traffic->free_buffers = buffer;
}

static void begin_batch(struct engine_traffic* traffic, struct engine_worker* worker) {
  struct engine_thread* thread = &worker->thread;
  thread->mask = engine_mask_of(traffic, worker);
  thread->cursor = worker->entries;
  /* Larger ones of all lines fall out of the real first cache. */
  thread->limit = worker->entries + (thread->mask == ~(uint64_t)0 ? RIDGE_TURN_ACCESSES
                                                                  : RIDGE_TRACE_CAPACITY);
  thread->left_out = 0;
}

/* ---- order ---- */

static struct engine_worker* first_at_hand(struct engine_traffic* traffic) {
  struct engine_worker* best = NULL;
  for (struct engine_worker* worker = traffic->workers; worker != NULL; worker = worker->next) {
    if (worker->queued != 0 &&
        (best == NULL ||
         comes_before(worker->queue[worker->first].clock, worker->thread.ordinal,
                      best->queue[best->first].clock, best->thread.ordinal))) {
      best = worker;
    }
  }
  return best;
}

static int somebody_comes_before(const struct engine_traffic* traffic,
                                 const struct engine_worker* worker) {
  const uint64_t clock = worker->queue[worker->first].clock;
  for (const struct engine_worker* other = traffic->workers; other != NULL; other = other->next) {
    if (other != worker && is_awaited(other) &&
        comes_before(other->clock, other->thread.ordinal, clock, worker->thread.ordinal)) {
      return 1;
    }
  }
  return 0;
}

static void remove_worker(struct engine_traffic* traffic, struct engine_worker* worker) {
  struct engine_worker** link = &traffic->workers;
  while (*link != worker) {
    link = &(*link)->next;
  }
  *link = worker->next;
  engine_leave_window(traffic, worker);
  traffic->memory.release(traffic->memory.context, worker, sizeof(*worker));
}

static void simulate_first(struct engine_traffic* traffic, struct engine_worker* worker) {
  const struct engine_batch* batch = &worker->queue[worker->first];
  traffic->frontier = batch->clock > traffic->frontier ? batch->clock : traffic->frontier;
  engine_simulate(traffic, worker, batch);
  give_buffer(traffic, batch->entries);
  worker->first = (worker->first + 1) % ENGINE_WINDOW;
  if (--worker->queued == 0 && worker->ended) {
    remove_worker(traffic, worker);
  }
}

static void simulate_in_order(struct engine_traffic* traffic) {
  struct engine_worker* worker = NULL;
  while ((worker = first_at_hand(traffic)) != NULL && !somebody_comes_before(traffic, worker)) {
    simulate_first(traffic, worker);
  }
}

void engine_finish(struct engine_traffic* traffic) {
  struct engine_worker* worker = NULL;
  for (worker = traffic->workers; worker != NULL; worker = worker->next) {
    if (!worker->ended) {
      engine_traffic_flush(traffic, &worker->thread);
    }
  }
  while ((worker = first_at_hand(traffic)) != NULL) {
    simulate_first(traffic, worker);
  }
}

/* Where a thread stands that has done as much as the last of those that run. */
static uint64_t common_clock(const struct engine_traffic* traffic,
                             const struct engine_worker* except) {
  uint64_t least = UINT64_MAX;
  for (const struct engine_worker* other = traffic->workers; other != NULL; other = other->next) {
    if (other != except && !other->ended && !other->waiting && other->clock < least) {
      least = other->clock;
    }
  }
  return least == UINT64_MAX ? traffic->frontier : least;
}

/* ---- batches ---- */

static void queue_batch(struct engine_worker* worker) {
  struct engine_thread* thread = &worker->thread;
  const uint64_t count = (uint64_t)(thread->cursor - worker->entries);
  if (count != 0) {
    worker->region = (uint32_t)(thread->cursor[-1].meta >> RIDGE_TRACE_REGION_SHIFT);
  }
  worker->queue[(worker->first + worker->queued) % ENGINE_WINDOW] =
      (struct engine_batch){.entries = worker->entries,
                            .count = count,
                            .accesses = count + thread->left_out,
                            .clock = worker->clock,
                            .mask = thread->mask,
                            .region = worker->region};
  ++worker->queued;
  worker->clock += count + thread->left_out;
  worker->entries = NULL;
}

/* Without room or memory for one more batch the order is given up, not the batch. */
static void take_room(struct engine_traffic* traffic, struct engine_worker* worker) {
  simulate_in_order(traffic);
  while (worker->queued == ENGINE_WINDOW) {
    simulate_first(traffic, first_at_hand(traffic));
  }
  while ((worker->entries = take_buffer(traffic)) == NULL) {
    simulate_first(traffic, first_at_hand(traffic));
  }
}

void engine_traffic_flush(struct engine_traffic* traffic, struct engine_thread* thread) {
  struct engine_worker* worker = worker_of(thread);
  if (thread->cursor == worker->entries && thread->left_out == 0) {
    return;
  }
  queue_batch(worker);
  take_room(traffic, worker);
  begin_batch(traffic, worker);
}

/* ---- threads ---- */

struct engine_thread* engine_traffic_begin_thread(struct engine_traffic* traffic,
                                                  uint32_t ordinal) {
  const struct ridge_cache_config* caches = &traffic->plan->header->caches;
  struct engine_worker* worker =
      traffic->memory.allocate(traffic->memory.context, sizeof(*worker));
  if (worker == NULL) {
    return NULL;
  }
  worker->entries = take_buffer(traffic);
  if (worker->entries == NULL) {
    traffic->memory.release(traffic->memory.context, worker, sizeof(*worker));
    return NULL;
  }
  const int placed = ordinal < caches->placement_count && ordinal < RIDGE_PLACEMENT_MAX;
  worker->thread.ordinal = ordinal;
  worker->thread.core = placed                    ? caches->placement[ordinal]
                        : caches->core_count != 0 ? ordinal % caches->core_count
                                                  : 0;
  worker->clock = common_clock(traffic, worker);
  struct engine_worker** link = &traffic->workers;
  while (*link != NULL) {
    link = &(*link)->next;
  }
  *link = worker;
  begin_batch(traffic, worker);
  return &worker->thread;
}

void engine_traffic_end_thread(struct engine_traffic* traffic, struct engine_thread* thread) {
  struct engine_worker* worker = worker_of(thread);
  engine_traffic_flush(traffic, thread);
  give_buffer(traffic, worker->entries);
  worker->entries = NULL;
  worker->ended = 1;
  if (worker->queued == 0) {
    remove_worker(traffic, worker);
  }
  simulate_in_order(traffic);
}

void engine_traffic_wait(struct engine_traffic* traffic, struct engine_thread* thread) {
  if (traffic->workers->next == NULL) {
    return; /* nobody to wait for it */
  }
  engine_traffic_flush(traffic, thread);
  worker_of(thread)->waiting = 1;
  simulate_in_order(traffic);
}

void engine_traffic_go_on(struct engine_traffic* traffic, struct engine_thread* thread) {
  struct engine_worker* worker = worker_of(thread);
  if (!worker->waiting) {
    return;
  }
  const uint64_t common = common_clock(traffic, worker);
  worker->clock = worker->clock > common ? worker->clock : common;
  worker->waiting = 0;
}
