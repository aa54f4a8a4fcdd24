/* What the program does with its threads, as far as their order depends on it. */
#include <stddef.h>

#include "runtime/state.h"

/* The calling thread's turn, its work so far handed over and turn_lock held; null: nothing is. */
static struct ridge_turn* enter(struct ridge_guard* guard) {
  if (!ridge_start() || ridge_runtime.arena == NULL) {
    return NULL;
  }
  ridge_enter(guard);
  struct ridge_turn* turn = ridge_own_turn();
  if (turn == NULL) {
    ridge_leave(guard);
    return NULL;
  }
  ridge_hand_over(turn);
  return turn;
}

static void leave(const struct ridge_guard* guard) {
  ridge_after_turn();
  ridge_leave(guard);
}

/* Of a thread that has not been joined; null: unknown. */
static struct ridge_turn* turn_of(pthread_t handle) {
  struct ridge_turns* all = ridge_turns_locked();
  for (uint32_t i = 0; i < all->limit; ++i) {
    struct ridge_turn* turn = &all->turns[i];
    if (turn->used && !turn->detached && turn->handle == (uint64_t)handle) {
      return turn;
    }
  }
  return NULL;
}

struct ridge_turn* ridge_thread_is_created(void) {
  struct ridge_guard guard;
  struct ridge_turn* own = enter(&guard);
  if (own == NULL) {
    return NULL;
  }
  struct ridge_turn* made = ridge_turns_add(ridge_turns_locked(), own->clock);
  atomic_store(&ridge_runtime.several, 1);
  leave(&guard);
  return made;
}

void ridge_thread_has_handle(struct ridge_turn* turn, pthread_t handle) {
  struct ridge_guard guard;
  ridge_enter(&guard);
  ridge_lock_turns();
  struct ridge_turn* older = turn_of(handle);
  if (older != NULL && older != turn) { /* detached later, or the handle would not be free */
    ridge_turns_remove(older);
  }
  turn->handle = (uint64_t)handle;
  turn->detached = 0;
  ridge_unlock_turns();
  ridge_leave(&guard);
}

void ridge_thread_was_not_created(struct ridge_turn* turn) {
  struct ridge_guard guard;
  ridge_enter(&guard);
  ridge_lock_turns();
  ridge_turns_end(ridge_turns_locked(), turn);
  ridge_turns_remove(turn);
  ridge_after_turn();
  ridge_leave(&guard);
}

struct ridge_turn* ridge_begin_join(pthread_t handle) {
  struct ridge_guard guard;
  struct ridge_turn* own = enter(&guard);
  if (own == NULL) {
    return NULL;
  }
  struct ridge_turn* joined = turn_of(handle);
  if (joined != NULL && joined->live) {
    ridge_turns_wait(own, joined);
  } else if (joined != NULL) {
    ridge_turns_go(own, joined->clock);
  }
  leave(&guard);
  return joined;
}

void ridge_end_join(struct ridge_turn* joined, int done) {
  struct ridge_guard guard;
  struct ridge_turn* own = joined != NULL ? enter(&guard) : NULL;
  if (own == NULL) {
    return;
  }
  if (own->waits_on == joined) {
    ridge_turns_go(own, own->clock);
  }
  if (done) {
    ridge_turns_remove(joined);
  }
  leave(&guard);
}

void ridge_begin_barrier(const void* barrier) {
  struct ridge_guard guard;
  struct ridge_turn* own = ridge_runtime.simulator != NULL ? enter(&guard) : NULL;
  if (own != NULL) {
    ridge_turns_wait(own, barrier);
    leave(&guard);
  }
}

/* Whoever leaves first knows that all have come: they go on together. */
void ridge_end_barrier(const void* barrier) {
  struct ridge_guard guard;
  struct ridge_turn* own = ridge_runtime.simulator != NULL ? enter(&guard) : NULL;
  if (own == NULL) {
    return;
  }
  if (own->waits_on == barrier) {
    struct ridge_turns* all = ridge_turns_locked();
    ridge_turns_release(all, barrier, ridge_turns_latest(all, barrier));
  }
  leave(&guard);
}

void ridge_take_turn(void) {
  struct ridge_guard guard;
  if (ridge_runtime.simulator == NULL || !atomic_load(&ridge_runtime.several)) {
    return;
  }
  ridge_enter(&guard);
  struct ridge_turn* own = ridge_own_turn();
  if (own != NULL) {
    ridge_wait_until_first(own);
  }
  ridge_leave(&guard);
}
