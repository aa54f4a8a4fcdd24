/* Traffic mode, programs with explicit tasks: the same accesses with the tasks on other cores than
 * those that they happened to run on (task_places.h), each way in a simulator of its own. What
 * comes out at the private levels says how much such a program's traffic can vary.
 *
 * They begin when the first task is created: with what the program has done so far in the tables,
 * and with empty caches. */
#include <stddef.h>

#include "runtime/state.h"
#include "runtime/task_places.h"

static void give_up(uint32_t how) {
  struct ridge_placement* placement = &ridge_runtime.placements[how];
  ridge_runtime.process->placed[how] = 0;
  ridge_runtime.process->placed_sampled[how] = 0;
  if (placement->simulator != NULL) {
    cachesim_destroy(placement->simulator);
  }
  *placement = (struct ridge_placement){0};
}

static int begin_sampling(struct ridge_placement* placement) {
  const struct ridge_sampling* sampling = &ridge_runtime.sampling;
  placement->simulator->regions = placement->sampled;
  return !sampling->packed || cachesim_pack(placement->simulator, sampling->mask);
}

/* A table of the process that begins like this one; null without memory. */
static struct ridge_region_traffic* copy_of(const struct ridge_region_traffic* table,
                                            uint64_t* offset) {
  struct ridge_region_traffic* copy =
      ridge_make_table(sizeof(*copy), RIDGE_REGION_CAPACITY, offset);
  if (copy != NULL) {
    ridge_copy(copy, table, ridge_runtime.process->region_count * sizeof(*copy));
  }
  return copy;
}

static int start(uint32_t how) {
  const struct ridge_sampling* sampling = &ridge_runtime.sampling;
  struct ridge_process_record* process = ridge_runtime.process;
  const struct cachesim_memory memory = ridge_runtime.simulator->memory;
  struct ridge_placement* placement = &ridge_runtime.placements[how];
  const int samples = sampling->pilot != NULL;
  struct ridge_region_traffic* exact =
      copy_of(samples ? sampling->exact : ridge_runtime.simulator->regions, &process->placed[how]);
  if (samples) {
    placement->sampled = copy_of(sampling->sampled, &process->placed_sampled[how]);
  }
  if (exact == NULL || (samples && placement->sampled == NULL)) {
    return 0;
  }
  placement->simulator =
      cachesim_create(&ridge_runtime.caches, exact, process->region_count, &memory);
  return placement->simulator != NULL && (!sampling->begun || begin_sampling(placement));
}

void ridge_start_placements(void) {
  struct ridge_guard guard;
  if (atomic_load(&ridge_runtime.placements_started) || ridge_runtime.simulator == NULL) {
    return;
  }
  ridge_enter(&guard);
  ridge_wait_to_simulate();
  if (!atomic_exchange(&ridge_runtime.placements_started, 1)) {
    for (uint32_t how = 0; how < RIDGE_TASK_PLACEMENTS; ++how) {
      if (!start(how)) {
        give_up(how);
      }
    }
  }
  pthread_mutex_unlock(&ridge_runtime.simulate_lock);
  ridge_leave(&guard);
}

void ridge_drop_placements(void) {
  for (uint32_t how = 0; how < RIDGE_TASK_PLACEMENTS; ++how) {
    struct ridge_placement* placement = &ridge_runtime.placements[how];
    if (placement->simulator != NULL) {
      cachesim_destroy(placement->simulator);
    }
    *placement = (struct ridge_placement){0};
  }
  atomic_store(&ridge_runtime.placements_started, 0);
}

void ridge_sample_placements(void) {
  for (uint32_t how = 0; how < RIDGE_TASK_PLACEMENTS; ++how) {
    struct ridge_placement* placement = &ridge_runtime.placements[how];
    if (placement->simulator != NULL && !begin_sampling(placement)) {
      give_up(how);
    }
  }
}

void ridge_grow_placements(uint32_t region_count) {
  for (uint32_t how = 0; how < RIDGE_TASK_PLACEMENTS; ++how) {
    const struct ridge_placement* placement = &ridge_runtime.placements[how];
    if (placement->simulator == NULL) {
      continue;
    }
    struct ridge_region_traffic* regions = placement->simulator->regions;
    ridge_populate(regions, region_count * sizeof(*regions));
    if (placement->sampled != NULL) {
      ridge_populate(placement->sampled, region_count * sizeof(*regions));
    }
    cachesim_set_region_count(placement->simulator, region_count);
  }
}

/* The largest piece of memory that falls onto each set of a private cache once: neighbouring pieces
 * on different cores then leave no set idle. */
static uint64_t piece_bytes(void) {
  enum { LEAST = 4096 };
  const struct ridge_cache_config* caches = &ridge_runtime.caches;
  uint64_t most = LEAST;
  for (uint32_t i = 0; i < caches->level_count; ++i) {
    const struct ridge_cache_level* level = &caches->levels[i];
    const uint64_t way = level->size_bytes / level->ways;
    if (level->cores_per_cache < caches->core_count && way > most) {
      most = way;
    }
  }
  return most;
}

/* Whose memory most of the entries lie in, by a few of them. */
static uint32_t home_of(const struct ridge_batch* batch) {
  enum { LOOKS = 16, CANDIDATES = 4 };
  uint32_t homes[CANDIDATES] = {0};
  uint32_t votes[CANDIDATES] = {0};
  uint32_t best = 0;
  const uint64_t piece = piece_bytes();
  for (uint64_t look = 0; look < LOOKS && batch->count != 0; ++look) {
    const uint64_t address = batch->entries[look * batch->count / LOOKS].address;
    const uint32_t home = ridge_home_index(address, piece, batch->task.threads);
    uint32_t i = 0;
    while (i < CANDIDATES - 1 && votes[i] != 0 && homes[i] != home) {
      ++i;
    }
    homes[i] = home;
    best = ++votes[i] > votes[best] ? i : best;
  }
  return homes[best];
}

void ridge_place_batch(struct ridge_slot* slot, const struct ridge_batch* batch) {
  const struct ridge_task* task = &batch->task;
  if (task->threads != 0 && task->serial != slot->task && batch->count != 0) {
    slot->task = task->serial;
    slot->at_data = task->first + home_of(batch);
  }
}

static uint32_t core_of(const struct ridge_slot* slot, const struct ridge_batch* batch,
                        uint32_t how) {
  const struct ridge_task* task = &batch->task;
  if (task->threads == 0) {
    return slot->core;
  }
  switch ((enum ridge_task_placement)how) {
    case RIDGE_TASKS_SCATTERED:
      return ridge_core_of(task->scattered);
    case RIDGE_TASKS_AT_DATA:
      return ridge_core_of(slot->at_data);
    case RIDGE_TASKS_OWN:
      break;
  }
  return ridge_core_of(task->own);
}

void ridge_run_placements(const struct ridge_slot* slot, const struct ridge_batch* batch,
                          const struct ridge_trace_entry* entries, uint64_t count) {
  for (uint32_t how = 0; how < RIDGE_TASK_PLACEMENTS; ++how) {
    struct cachesim* simulator = ridge_runtime.placements[how].simulator;
    if (simulator == NULL) {
      continue;
    }
    cachesim_run(simulator, core_of(slot, batch, how), entries, count);
    if ((simulator->incomplete & CACHESIM_LOST_ACCESSES) != 0) {
      give_up(how); /* a part is not the traffic */
    }
  }
}

void ridge_access_placements(const struct ridge_slot* slot, const struct ridge_batch* batch,
                             uint64_t address, uint64_t bytes, uint32_t flags, uint32_t region) {
  for (uint32_t how = 0; how < RIDGE_TASK_PLACEMENTS; ++how) {
    struct cachesim* simulator = ridge_runtime.placements[how].simulator;
    if (simulator != NULL) {
      cachesim_access(simulator, core_of(slot, batch, how), address, bytes, flags, region);
    }
  }
}
