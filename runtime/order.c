/* Traffic mode with threads: batches are handed over when they are full and simulated in the order
 * of turns.h, by whichever thread finds one that may go. A thread runs ahead of the simulation by a
 * window; when that is full it waits for the threads that are behind, as long as they will come
 * (presence.c). */
#include <linux/futex.h>
#include <sched.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/state.h"

static const uint32_t node_unknown = UINT32_MAX;

static struct ridge_turns turns;
static const char idle; /* what a thread waits on between two OpenMP regions */

struct ridge_turns* ridge_turns_locked(void) {
  return &turns;
}
struct ridge_turns* ridge_lock_turns(void) {
  ridge_lock_awake(&ridge_runtime.turn_lock);
  return &turns;
}
void ridge_unlock_turns(void) {
  pthread_mutex_unlock(&ridge_runtime.turn_lock);
}

/* ---- simulating ---- */

/* The caller holds simulate_lock. */
static void simulate_batch(struct ridge_slot* slot, const struct ridge_batch* batch) {
  struct ridge_runtime* runtime = &ridge_runtime;
  if (runtime->simulator != NULL) {
    ridge_simulate_elsewhere(slot, batch->entries, batch->count);
    ridge_simulate(slot, batch);
  }
  if (runtime->simulator == NULL ||
      (runtime->simulator->incomplete & CACHESIM_LOST_ACCESSES) != 0) {
    runtime->process->trace_lost += batch->count;
  }
  if (runtime->simulator != NULL &&
      (runtime->simulator->incomplete & CACHESIM_LEAST_INCOMPLETE) != 0) {
    ridge_set_flag(RIDGE_PROCESS_ARENA_FULL);
  }
}

/* The mask of a batch is settled when another one, a fixed number before it, has been simulated:
 * so it does not depend on how far the thread is ahead. */
static void settle_mask(struct ridge_slot* slot) {
  const uint64_t mask = ridge_trace_mask_of(slot);
  const uint64_t done = slot->batches_done++;
  if (!atomic_load(&ridge_runtime.several)) {
    for (uint32_t i = 0; i < RIDGE_MASKS; ++i) {
      slot->masks[i] = mask;
    }
  }
  slot->masks[(done + RIDGE_WINDOW + 1) % RIDGE_MASKS] = mask;
}

static void simulate_whole(struct ridge_slot* slot, const struct ridge_batch* batch) {
  simulate_batch(slot, batch);
  ridge_note_page_nodes(batch->node);
  ridge_plan_batch(slot, batch);
  settle_mask(slot);
}

static void wake_waiting(void) {
  atomic_fetch_add(&ridge_runtime.progress, 1);
  if (atomic_load(&ridge_runtime.waiting_for_room) != 0) {
    syscall(SYS_futex, &ridge_runtime.progress, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
  }
}

/* What is at hand and may go. The caller holds simulate_lock, and turn_lock too, which is free
 * while a batch is simulated. */
static void simulate_queued(int forced) {
  struct ridge_turn* turn = NULL;
  while ((forced || atomic_load(&ridge_runtime.simulation_wanted) == 0) &&
         (turn = ridge_turns_next(&turns, forced)) != NULL) {
    ridge_unlock_turns();
    simulate_whole(turn->slot, &turn->queue[turn->first]);
    ridge_lock_turns();
    ridge_turns_pop(&turns, turn);
    if (turn->queued == RIDGE_WINDOW / 2) {
      wake_waiting();
    }
  }
}

/* As long as there is something to do and nobody else is at it. The caller holds turn_lock. */
static void simulate_if_free(void) {
  while (ridge_turns_next(&turns, 0) != NULL &&
         atomic_load(&ridge_runtime.simulation_wanted) == 0 &&
         pthread_mutex_trylock(&ridge_runtime.simulate_lock) == 0) {
    simulate_queued(0);
    pthread_mutex_unlock(&ridge_runtime.simulate_lock);
  }
}

void ridge_note_free_division(void) {
  if (atomic_load(&ridge_runtime.several)) {
    ridge_set_flag(RIDGE_PROCESS_DIVIDES_FREELY);
  }
}

/* The thread comes now, and its work counts from where the others are if they did not wait for it.
 * Where that happens often, the order is a guess. */
static void come(struct ridge_turn* turn) {
  enum { SELDOM = 1000, FEW = 8 };
  ridge_turns_come(&turns, turn);
  if (turns.late > FEW && turns.late > turns.passed / SELDOM) {
    ridge_note_free_division();
  }
}

/* ---- handing over ---- */

static uint32_t region_now(const struct ridge_thread* thread) {
  const uint64_t depth = thread->depth;
  const uint64_t region = depth != 0 && depth <= RIDGE_FRAME_CAPACITY
                              ? ridge_frame_region(&thread->frames[depth - 1])
                              : 0;
  return region < ridge_runtime.process->region_count ? (uint32_t)region : 0;
}

static uint32_t node_now(void) {
  unsigned cpu = 0;
  unsigned node = 0;
  return ridge_runtime.page_nodes.regions != NULL && syscall(SYS_getcpu, &cpu, &node, NULL) == 0
             ? node
             : node_unknown;
}

/* Since the batch began, traced or not. */
static uint64_t accesses_of(const struct ridge_thread* block) {
  return (uint64_t)(ridge_batch_of(block->trace_mask) - RIDGE_TRACE_ROOM - block->trace_budget);
}

/* What the thread has written since the last time. */
static struct ridge_batch batch_of(const struct ridge_slot* slot) {
  const struct ridge_thread* block = slot->block;
  const uint64_t begin = (uint64_t)slot->trace;
  const uint64_t limit = begin + RIDGE_TRACE_CAPACITY * sizeof(struct ridge_trace_entry);
  const uint64_t cursor = __atomic_load_n(&block->trace_cursor, __ATOMIC_ACQUIRE);
  struct ridge_batch batch = {
      .entries = (struct ridge_trace_entry*)slot->simulated,
      .mask = block->trace_mask,
      .region = region_now(block),
      .node = node_now(),
      .task = slot->turn != NULL ? slot->turn->task : (struct ridge_task){0}};
  if (begin != 0 && cursor <= limit && cursor > slot->simulated) {
    batch.count = (cursor - slot->simulated) / sizeof(struct ridge_trace_entry);
  }
  batch.accesses = accesses_of(block);
  return batch;
}

/* True if the batch could go without being copied. The caller holds turn_lock. */
static int simulate_at_once(struct ridge_turn* turn, const struct ridge_batch* batch) {
  if (!ridge_turns_may_go(&turns, turn) ||
      pthread_mutex_trylock(&ridge_runtime.simulate_lock) != 0) {
    return 0;
  }
  /* Nobody can get before it meanwhile: who is behind does not come, who is ahead has to wait. */
  ridge_unlock_turns();
  simulate_whole(turn->slot, batch);
  ridge_lock_turns();
  ridge_turns_passed(&turns, turn, batch->accesses);
  simulate_queued(0);
  pthread_mutex_unlock(&ridge_runtime.simulate_lock);
  return 1;
}

/* Without memory for a window: in no order. */
static void simulate_out_of_turn(struct ridge_turn* turn, const struct ridge_batch* batch) {
  ridge_unlock_turns();
  ridge_wait_to_simulate();
  simulate_whole(turn->slot, batch);
  pthread_mutex_unlock(&ridge_runtime.simulate_lock);
  ridge_lock_turns();
  ridge_turns_passed(&turns, turn, batch->accesses);
}

/* Sleeps until a batch of some thread that waits has been simulated, or for a moment. */
static void wait_for_progress(void) {
  static const struct timespec moment = {0, 500000};
  const uint32_t seen = atomic_load(&ridge_runtime.progress);
  atomic_fetch_add(&ridge_runtime.waiting_for_room, 1);
  ridge_unlock_turns();
  syscall(SYS_futex, &ridge_runtime.progress, FUTEX_WAIT_PRIVATE, seen, &moment, NULL, 0);
  ridge_lock_turns();
  atomic_fetch_sub(&ridge_runtime.waiting_for_room, 1);
}

static void wait_for_room(const struct ridge_turn* turn) {
  struct ridge_patience patience = {0};
  for (simulate_if_free(); turn->queued == RIDGE_WINDOW; simulate_if_free()) {
    wait_for_progress();
    ridge_give_up_absent(&turns, NULL, &patience);
  }
}

static void put_into_queue(struct ridge_turn* turn, struct ridge_batch batch) {
  struct ridge_slot* slot = turn->slot;
  const uint64_t entry_bytes = sizeof(struct ridge_trace_entry);
  if (slot->window == NULL) {
    slot->window = ridge_map((uint64_t)RIDGE_WINDOW * RIDGE_TRACE_CAPACITY * entry_bytes);
  }
  if (slot->window == NULL) {
    simulate_out_of_turn(turn, &batch);
    return;
  }
  wait_for_room(turn);
  const uint64_t place = (turn->first + turn->queued) % RIDGE_WINDOW;
  struct ridge_trace_entry* copy = slot->window + place * RIDGE_TRACE_CAPACITY;
  ridge_unlock_turns();
  for (uint64_t i = 0; i < batch.count; ++i) {
    copy[i] = batch.entries[i];
  }
  batch.entries = copy;
  ridge_lock_turns();
  ridge_turns_push(turn, &batch);
  simulate_if_free();
}

void ridge_hand_over(struct ridge_turn* turn) {
  struct ridge_slot* slot = turn->slot;
  ridge_lock_turns();
  ++turn->events;
  turn->absent = 0;
  if (slot == NULL || slot->trace == NULL || ridge_runtime.mode != RIDGE_MODE_TRAFFIC) {
    return;
  }
  const struct ridge_batch batch = batch_of(slot);
  if (batch.count != 0 || batch.accesses != 0) {
    come(turn);
    if (!simulate_at_once(turn, &batch)) {
      put_into_queue(turn, batch);
    }
    ++slot->batches_begun;
    ridge_reset_trace(slot);
  }
}

void ridge_flush(struct ridge_slot* slot) {
  if (slot->turn != NULL) {
    ridge_hand_over(slot->turn);
    ridge_after_turn();
    return;
  }
  const struct ridge_batch batch = batch_of(slot);
  ridge_wait_to_simulate();
  simulate_whole(slot, &batch);
  ++slot->batches_begun;
  ridge_reset_trace(slot);
  pthread_mutex_unlock(&ridge_runtime.simulate_lock);
}

void ridge_after_turn(void) {
  if (atomic_load(&ridge_runtime.several)) {
    simulate_if_free();
  }
  if (turns.waiting != 0) {
    wake_waiting();
  }
  ridge_unlock_turns();
}

/* Without turn_lock for a moment; longer when nothing has come of that. */
enum { YIELDING = 64 };
static void wait_a_moment(uint32_t waited) {
  enum { PAUSES = 64, AWAKE = 8 };
  if (waited >= YIELDING) {
    wait_for_progress();
    return;
  }
  ridge_unlock_turns();
  for (int i = 0; i < PAUSES && waited < AWAKE; ++i) {
    ridge_rest();
  }
  if (waited >= AWAKE) {
    sched_yield();
  }
  ridge_lock_turns();
}

void ridge_wait_until_first(struct ridge_turn* turn) {
  const struct ridge_slot* slot = turn->slot;
  struct ridge_patience patience = {0};
  struct ridge_turn* other = NULL;
  ridge_lock_turns();
  ++turn->events;
  turn->absent = 0;
  turn->place = turn->clock + (slot != NULL && slot->trace != NULL ? accesses_of(slot->block) : 0);
  ++turns.waiting;
  for (uint32_t waited = 0; ridge_turns_before(&turns, turn, &other, 1) != 0; ++waited) {
    simulate_if_free();
    wait_a_moment(waited);
    if (waited >= YIELDING) {
      ridge_give_up_absent(&turns, turn, &patience);
    }
  }
  --turns.waiting;
  ridge_after_turn();
}

const void* ridge_idle(void) {
  return &idle;
}

/* What its thread has written so far of a batch; it may be writing on. */
static void simulate_part(struct ridge_slot* slot) {
  if (slot == NULL || slot->trace == NULL || ridge_runtime.mode != RIDGE_MODE_TRAFFIC) {
    return;
  }
  const struct ridge_batch batch = batch_of(slot);
  if (batch.count != 0) {
    simulate_batch(slot, &batch);
    slot->simulated += batch.count * sizeof(struct ridge_trace_entry);
  }
}

void ridge_drain(struct ridge_slot* own) {
  ridge_lock_turns();
  simulate_queued(1);
  simulate_part(own);
  ridge_unlock_turns();
}

void ridge_drain_all(void) {
  ridge_lock_turns();
  simulate_queued(1);
  for (uint32_t i = 0; i < turns.limit; ++i) {
    simulate_part(turns.turns[i].slot);
  }
  ridge_unlock_turns();
  ridge_ask_for_page_nodes();
}
