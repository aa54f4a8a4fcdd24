/* Traffic mode: the same accesses on caches of other machines. Each has a simulator and a table of
 * its own; without memory for one there is no traffic on it, and the rest stays right. */
#include <stddef.h>

#include "runtime/state.h"

static void give_up(uint32_t index) {
  ridge_runtime.process->elsewhere[index] = 0;
  if (ridge_runtime.elsewhere[index] != NULL) {
    cachesim_destroy(ridge_runtime.elsewhere[index]);
    ridge_runtime.elsewhere[index] = NULL;
  }
  ridge_set_flag(RIDGE_PROCESS_ARENA_FULL);
}

static void start(uint32_t index, const struct cachesim_memory* memory) {
  const struct ridge_cache_levels* levels = &ridge_runtime.arena->elsewhere[index];
  struct ridge_cache_config caches = ridge_runtime.caches;
  caches.level_count = levels->level_count;
  ridge_copy(caches.levels, levels->levels, sizeof(caches.levels));
  struct ridge_process_record* process = ridge_runtime.process;
  struct ridge_region_traffic* table =
      cachesim_check(&caches) == NULL
          ? ridge_make_table(sizeof(*table), RIDGE_REGION_CAPACITY, &process->elsewhere[index])
          : NULL;
  if (table != NULL) {
    ridge_runtime.elsewhere[index] = cachesim_create(&caches, table, process->region_count, memory);
  }
  if (ridge_runtime.elsewhere[index] == NULL) {
    give_up(index);
  }
}

void ridge_start_elsewhere(const struct cachesim_memory* memory) {
  const struct ridge_arena* arena = ridge_runtime.arena;
  if (arena->traffic_mode != RIDGE_TRAFFIC_EXACT) {
    return;
  }
  for (uint32_t i = 0; i < arena->elsewhere_count && i < RIDGE_ELSEWHERE_MAX; ++i) {
    start(i, memory);
  }
}

void ridge_drop_elsewhere(void) {
  for (uint32_t i = 0; i < RIDGE_ELSEWHERE_MAX; ++i) {
    if (ridge_runtime.elsewhere[i] != NULL) {
      cachesim_destroy(ridge_runtime.elsewhere[i]);
      ridge_runtime.elsewhere[i] = NULL;
    }
  }
}

void ridge_grow_elsewhere(uint32_t region_count) {
  for (uint32_t i = 0; i < RIDGE_ELSEWHERE_MAX; ++i) {
    struct cachesim* simulator = ridge_runtime.elsewhere[i];
    if (simulator != NULL) {
      ridge_populate(simulator->regions, region_count * sizeof(*simulator->regions));
      cachesim_set_region_count(simulator, region_count);
    }
  }
}

void ridge_simulate_elsewhere(const struct ridge_slot* slot,
                              const struct ridge_trace_entry* entries, uint64_t count) {
  for (uint32_t i = 0; i < RIDGE_ELSEWHERE_MAX; ++i) {
    struct cachesim* simulator = ridge_runtime.elsewhere[i];
    if (simulator == NULL) {
      continue;
    }
    cachesim_run(simulator, slot->core, entries, count);
    if ((simulator->incomplete & CACHESIM_LOST_ACCESSES) != 0) {
      give_up(i); /* a part is not the traffic */
    }
  }
}
