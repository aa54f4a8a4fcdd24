/* Traffic mode: trace buffers go through the cache simulation, one batch at a time, and the results
 * lie in the arena as soon as the batch is done. */
#include <stddef.h>

#include "cachesim/line_class.h"
#include "runtime/state.h"

static struct ridge_trace_entry emergency_trace[RIDGE_TRACE_CAPACITY];

static void* allocate(void* context, uint64_t bytes) {
  (void)context;
  return ridge_map_large(bytes);
}
static void release(void* context, void* memory, uint64_t bytes) {
  (void)context;
  ridge_unmap_large(memory, bytes);
}

/* Traffic is asked for and cannot be had: the process only counts. */
static void give_up(const char* problem) {
  ridge_runtime.mode = RIDGE_MODE_COUNT;
  ridge_complain("no traffic for this process: ", problem, "");
}

void* ridge_make_table(uint64_t entry_bytes, uint32_t capacity, uint64_t* offset) {
  const uint64_t bytes = capacity * entry_bytes;
  const uint32_t regions = ridge_runtime.process->region_count;
  const uint32_t used = regions < capacity ? regions : capacity;
  *offset = 0;
  if (ridge_runtime.process == &ridge_runtime.private_process) {
    return NULL;
  }
  void* table = ridge_allocate(bytes, used * entry_bytes, 4096, offset);
  if (*offset == 0 && table != NULL) {
    ridge_unmap(table, bytes);
  }
  return *offset != 0 ? table : NULL;
}

void ridge_grow_table(const void* table, uint64_t entry_bytes, uint32_t capacity,
                      uint32_t regions) {
  ridge_populate(table, (regions < capacity ? regions : capacity) * entry_bytes);
}

void ridge_start_traffic(void) {
  struct ridge_runtime* runtime = &ridge_runtime;
  static const struct cachesim_memory memory = {allocate, release, NULL};
  const int forked = runtime->mode == RIDGE_MODE_TRAFFIC;
  runtime->mode = runtime->mode == RIDGE_MODE_UNREGISTERED ? RIDGE_MODE_COUNT : runtime->mode;
  if (runtime->arena == NULL || (!forked && (runtime->arena->mode != RIDGE_MODE_TRAFFIC ||
                                             runtime->process == &runtime->private_process))) {
    return;
  }
  runtime->mode = RIDGE_MODE_TRAFFIC; /* in a child, modules are in this mode already */
  runtime->caches = runtime->arena->caches;
  const char* problem = cachesim_check(&runtime->caches);
  if (problem != NULL) {
    give_up(problem);
    return;
  }
  struct ridge_region_traffic* table =
      ridge_make_table(sizeof(*table), RIDGE_REGION_CAPACITY, &runtime->process->traffic);
  if (table == NULL) {
    ridge_set_flag(RIDGE_PROCESS_ARENA_FULL);
    runtime->mode = forked ? RIDGE_MODE_TRAFFIC : RIDGE_MODE_COUNT;
    return;
  }
  runtime->simulator =
      cachesim_create(&runtime->caches, table, runtime->process->region_count, &memory);
  if (runtime->simulator == NULL) {
    ridge_set_flag(RIDGE_PROCESS_ARENA_FULL);
    return;
  }
  runtime->trips =
      ridge_make_table(sizeof(*runtime->trips), RIDGE_REGION_CAPACITY, &runtime->process->trips);
  ridge_start_sampling(&memory);
  ridge_start_lines();
  ridge_start_elsewhere(&memory);
  ridge_start_page_nodes();
}

void ridge_drop_traffic(void) {
  ridge_runtime.trips = NULL;
  ridge_drop_page_nodes();
  if (ridge_runtime.simulator != NULL) {
    cachesim_destroy(ridge_runtime.simulator);
    ridge_runtime.simulator = NULL;
  }
  ridge_drop_elsewhere();
  ridge_drop_placements();
  ridge_drop_sampling();
}

void ridge_grow_traffic(uint32_t region_count) {
  struct cachesim* simulator = ridge_runtime.simulator;
  if (simulator == NULL) {
    return;
  }
  ridge_wait_to_simulate();
  ridge_populate(simulator->regions, region_count * sizeof(*simulator->regions));
  if (ridge_runtime.trips != NULL) {
    ridge_populate(ridge_runtime.trips, region_count * sizeof(*ridge_runtime.trips));
  }
  ridge_grow_lines(region_count);
  ridge_grow_page_nodes(region_count);
  ridge_grow_sampling(region_count);
  ridge_grow_elsewhere(region_count);
  ridge_grow_placements(region_count);
  cachesim_set_region_count(simulator, region_count);
  pthread_mutex_unlock(&ridge_runtime.simulate_lock);
}

uint32_t ridge_core_of(uint32_t ordinal) {
  const struct ridge_cache_config* caches = &ridge_runtime.caches;
  if (ordinal < caches->placement_count && ordinal < RIDGE_PLACEMENT_MAX) {
    return caches->placement[ordinal];
  }
  return caches->core_count != 0 ? ordinal % caches->core_count : 0;
}

void ridge_reset_trace(struct ridge_slot* slot) {
  const uint64_t begin = (uint64_t)slot->trace;
  slot->simulated = begin;
  slot->block->trace_cursor = begin;
  slot->block->trace_limit =
      begin != 0 ? begin + RIDGE_TRACE_CAPACITY * sizeof(struct ridge_trace_entry) : 0;
  slot->block->trace_mask = begin != 0 ? slot->masks[slot->batches_begun % RIDGE_MASKS] : 0;
  slot->block->trace_budget =
      begin != 0 ? ridge_batch_of(slot->block->trace_mask) - RIDGE_TRACE_ROOM : 0;
}

__attribute__((visibility("default"))) void ridge_trace_flush(struct ridge_thread* thread) {
  struct ridge_guard guard;
  struct ridge_slot* slot = ridge_slot_of(thread);
  if (slot == NULL || slot->trace == NULL) { /* a thread without a buffer: its trace is lost */
    const uint64_t begin = (uint64_t)emergency_trace;
    __atomic_fetch_add(&ridge_runtime.process->trace_lost, RIDGE_TRACE_CAPACITY, __ATOMIC_RELAXED);
    thread->trace_limit = begin + sizeof(emergency_trace);
    thread->trace_cursor = begin;
    thread->trace_budget = RIDGE_TRACE_CAPACITY - RIDGE_TRACE_ROOM;
    return;
  }
  ridge_enter(&guard);
  ridge_flush(slot);
  ridge_leave(&guard);
}

static void append(struct ridge_thread* thread, uint64_t address, uint64_t meta) {
  --thread->trace_budget;
  struct ridge_trace_entry* entry = (struct ridge_trace_entry*)thread->trace_cursor;
  entry->address = address;
  entry->meta = meta;
  __atomic_store_n(&thread->trace_cursor, (uint64_t)(entry + 1), __ATOMIC_RELEASE);
}

/* What lies on traced lines, in pieces that an entry can hold. */
static void append_range(struct ridge_thread* thread, uint64_t address, uint64_t bytes,
                         uint64_t meta) {
  const uint64_t most = (uint64_t)1 << (RIDGE_TRACE_FLAGS_SHIFT - 1);
  const uint64_t end = address + bytes < address ? UINT64_MAX : address + bytes;
  while (address < end) {
    if (thread->trace_budget < 0 ||
        thread->trace_limit - thread->trace_cursor < sizeof(struct ridge_trace_entry)) {
      ridge_trace_flush(thread); /* may change the mask */
    }
    uint64_t piece = cachesim_next_selected(thread->trace_mask, &address, end);
    if (piece == 0) {
      --thread->trace_budget;
      return;
    }
    piece = piece < most ? piece : most;
    append(thread, address, meta | piece);
    address += piece;
  }
}

__attribute__((visibility("default"))) void ridge_trace_range(struct ridge_thread* thread,
                                                              uint64_t address, uint64_t bytes,
                                                              uint64_t meta) {
  const uint64_t byte_mask = ((uint64_t)1 << RIDGE_TRACE_FLAGS_SHIFT) - 1;
  if (ridge_runtime.mode == RIDGE_MODE_TRAFFIC) {
    append_range(thread, address, bytes, meta & ~byte_mask);
  }
}

__attribute__((visibility("default"))) void ridge_trace_lanes(struct ridge_thread* thread,
                                                              const uint64_t* addresses,
                                                              uint64_t lanes,
                                                              uint64_t active_mask_bits,
                                                              uint64_t meta) {
  const uint64_t byte_mask = ((uint64_t)1 << RIDGE_TRACE_FLAGS_SHIFT) - 1;
  if (ridge_runtime.mode != RIDGE_MODE_TRAFFIC) {
    return;
  }
  for (uint64_t lane = 0; lane < lanes && lane < 64; ++lane) {
    if ((active_mask_bits >> lane & 1) != 0) {
      append_range(thread, addresses[lane], meta & byte_mask, meta & ~byte_mask);
    }
  }
}

static void raise_to(uint64_t* most, uint64_t value) {
  uint64_t seen = __atomic_load_n(most, __ATOMIC_RELAXED);
  while (value > seen &&
         !__atomic_compare_exchange_n(most, &seen, value, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}

__attribute__((visibility("default"))) void ridge_loop_entered(uint64_t region,
                                                               uint64_t iterations) {
  struct ridge_region_trips* trips = ridge_runtime.trips;
  if (trips == NULL || region >= ridge_runtime.process->region_count) {
    return;
  }
  raise_to(&trips[region].not_shortest, ~iterations);
  raise_to(&trips[region].longest, iterations);
}
