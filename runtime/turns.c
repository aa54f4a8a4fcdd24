/* See turns.h. All that depends on nothing but what the threads did. */
#include "runtime/turns.h"

#include <stddef.h>

static int comes_before(uint64_t a, uint32_t a_number, uint64_t b, uint32_t b_number) {
  return a < b || (a == b && a_number < b_number);
}

static void raise_to(uint64_t* most, uint64_t value) {
  *most = value > *most ? value : *most;
}

/* May have a batch to come, at its clock or later. */
static int is_awaited(const struct ridge_turn* turn) {
  return turn->live && !turn->absent && turn->waits_on == NULL && turn->queued == 0;
}

/* Some of its threads have begun and others will. */
static int is_assembling(const struct ridge_team* team) {
  return team->used && team->expected != 0 && team->expected != RIDGE_TEAM_UNKNOWN;
}

struct ridge_turn* ridge_turns_add(struct ridge_turns* all, uint64_t clock) {
  for (uint32_t number = 0; number < RIDGE_TURNS_MAX; ++number) {
    struct ridge_turn* turn = &all->turns[number];
    if (turn->used) {
      continue;
    }
    all->limit = number < all->limit ? all->limit : number + 1;
    turn->number = number;
    turn->used = 1;
    turn->live = 1;
    turn->tid = 0;
    turn->acquires = 0;
    turn->place = 0;
    turn->exit_rounds = 0;
    turn->detached = 1;
    turn->handle = 0;
    turn->waiting_depth = 0;
    turn->task = (struct ridge_task){0};
    turn->absent = 0;
    turn->waits_on = NULL;
    turn->team = NULL;
    raise_to(&turn->clock, clock);
    if (turn->queued == 0) { /* else the thread that had the number before is not done */
      turn->clock = clock;
    }
    ++turn->events;
    return turn;
  }
  return NULL;
}

void ridge_turns_end(struct ridge_turns* all, struct ridge_turn* turn) {
  turn->live = 0;
  turn->waits_on = NULL;
  turn->team = NULL;
  ++turn->events;
  ridge_turns_release(all, turn, turn->clock);
}

void ridge_turns_remove(struct ridge_turn* turn) {
  turn->used = 0;
}

void ridge_turns_clear(struct ridge_turns* all) {
  for (uint32_t i = 0; i < all->limit; ++i) {
    all->turns[i] = (struct ridge_turn){0};
  }
  for (uint32_t i = 0; i < all->team_limit; ++i) {
    all->teams[i].used = 0;
  }
  all->limit = 0;
  all->team_limit = 0;
  all->frontier = 0;
  all->late = 0;
}

void ridge_turns_come(struct ridge_turns* all, struct ridge_turn* turn) {
  if (turn->queued == 0 && turn->clock < all->frontier) {
    turn->clock = all->frontier;
    ++all->late;
  }
}

void ridge_turns_wait(struct ridge_turn* turn, const void* key) {
  turn->waits_on = key;
  ++turn->events;
}

void ridge_turns_go(struct ridge_turn* turn, uint64_t clock) {
  turn->waits_on = NULL;
  turn->absent = 0;
  raise_to(&turn->clock, clock);
  ++turn->events;
}

uint64_t ridge_turns_latest(const struct ridge_turns* all, const void* key) {
  uint64_t latest = 0;
  for (uint32_t i = 0; i < all->limit; ++i) {
    const struct ridge_turn* turn = &all->turns[i];
    if (turn->live && turn->waits_on == key) {
      raise_to(&latest, turn->clock);
    }
  }
  return latest;
}

void ridge_turns_release(struct ridge_turns* all, const void* key, uint64_t clock) {
  for (uint32_t number = 0; number < all->limit; ++number) {
    struct ridge_turn* turn = &all->turns[number];
    if (turn->live && turn->waits_on == key) {
      ridge_turns_go(turn, clock);
    }
  }
}

void ridge_turns_push(struct ridge_turn* turn, const struct ridge_batch* batch) {
  struct ridge_batch* place = &turn->queue[(turn->first + turn->queued) % RIDGE_WINDOW];
  *place = *batch;
  place->clock = turn->clock;
  turn->clock += batch->accesses;
  ++turn->queued;
  ++turn->events;
}

/* Of all batches at hand, whether anybody else can still come before this one. */
static int somebody_comes_before(const struct ridge_turns* all, uint64_t clock, uint32_t number) {
  for (uint32_t i = 0; i < all->limit; ++i) {
    const struct ridge_turn* other = &all->turns[i];
    if (i != number && is_awaited(other) && comes_before(other->clock, i, clock, number)) {
      return 1;
    }
  }
  for (uint32_t i = 0; i < all->team_limit; ++i) {
    const struct ridge_team* team = &all->teams[i];
    if (is_assembling(team) && team->start <= clock) {
      return 1;
    }
  }
  return 0;
}

static struct ridge_turn* first_at_hand(struct ridge_turns* all) {
  struct ridge_turn* best = NULL;
  for (uint32_t i = 0; i < all->limit; ++i) {
    struct ridge_turn* turn = &all->turns[i];
    if (turn->queued != 0 &&
        (best == NULL || turn->queue[turn->first].clock < best->queue[best->first].clock)) {
      best = turn; /* of equals that with the lowest number */
    }
  }
  return best;
}

struct ridge_turn* ridge_turns_next(struct ridge_turns* all, int forced) {
  struct ridge_turn* best = first_at_hand(all);
  if (best == NULL || forced ||
      !somebody_comes_before(all, best->queue[best->first].clock, best->number)) {
    return best;
  }
  return NULL;
}

int ridge_turns_may_go(const struct ridge_turns* all, const struct ridge_turn* turn) {
  for (uint32_t i = 0; i < all->limit; ++i) {
    const struct ridge_turn* other = &all->turns[i];
    if (other->queued != 0 &&
        comes_before(other->queue[other->first].clock, i, turn->clock, turn->number)) {
      return 0;
    }
  }
  return turn->queued == 0 && !somebody_comes_before(all, turn->clock, turn->number);
}

void ridge_turns_pop(struct ridge_turns* all, struct ridge_turn* turn) {
  raise_to(&all->frontier, turn->queue[turn->first].clock);
  ++all->passed;
  turn->first = (turn->first + 1) % RIDGE_WINDOW;
  --turn->queued;
}

void ridge_turns_passed(struct ridge_turns* all, struct ridge_turn* turn, uint64_t accesses) {
  raise_to(&all->frontier, turn->clock);
  turn->clock += accesses;
  ++all->passed;
  ++turn->events;
}

uint32_t ridge_turns_blockers(struct ridge_turns* all, struct ridge_turn** found, uint32_t most,
                              struct ridge_team** team) {
  const struct ridge_turn* best = first_at_hand(all);
  uint32_t count = 0;
  *team = NULL;
  if (best == NULL) {
    return 0;
  }
  const uint64_t clock = best->queue[best->first].clock;
  for (uint32_t i = 0; i < all->limit && count < most; ++i) {
    struct ridge_turn* other = &all->turns[i];
    if (other != best && is_awaited(other) && comes_before(other->clock, i, clock, best->number)) {
      found[count++] = other;
    }
  }
  for (uint32_t i = 0; i < all->team_limit; ++i) {
    struct ridge_team* one = &all->teams[i];
    if (is_assembling(one) && one->start <= clock) {
      *team = one;
    }
  }
  return count;
}

struct ridge_team* ridge_teams_add(struct ridge_turns* all, struct ridge_turn* master) {
  for (uint32_t i = 0; i < RIDGE_TEAMS_MAX; ++i) {
    struct ridge_team* team = &all->teams[i];
    if (!team->used) {
      all->team_limit = i < all->team_limit ? all->team_limit : i + 1;
      *team = (struct ridge_team){.used = 1,
                                  .expected = RIDGE_TEAM_UNKNOWN,
                                  .start = master->clock,
                                  .clock = master->clock,
                                  .master = master,
                                  .parent = master->team};
      return team;
    }
  }
  return NULL;
}

void ridge_teams_begin(struct ridge_team* team, struct ridge_turn* turn, uint32_t size) {
  if (team->expected == RIDGE_TEAM_UNKNOWN) {
    team->expected = size;
    team->size = size;
  }
  team->expected -= team->expected != 0;
  turn->team = team;
  turn->task = (struct ridge_task){0};
  ridge_turns_go(turn, team->start);
}

uint32_t ridge_teams_number(const struct ridge_turns* all, const struct ridge_team* team,
                            uint32_t index) {
  for (uint32_t i = 0; i < all->limit; ++i) {
    const struct ridge_turn* turn = &all->turns[i];
    const int may_join = team->expected != 0 && turn->team == NULL;
    if (turn->live && (turn->team == team || may_join) && index-- == 0) {
      return turn->number;
    }
  }
  return team->master->number;
}

void ridge_teams_end(struct ridge_turns* all, struct ridge_team* team, const void* idle) {
  for (uint32_t i = 0; i < all->limit; ++i) {
    struct ridge_turn* turn = &all->turns[i];
    if (turn->team == team && turn != team->master && turn->live) {
      turn->team = NULL;
      ridge_turns_wait(turn, idle);
    }
  }
  team->master->team = team->parent;
  ridge_turns_go(team->master, team->clock);
  team->used = 0;
}

static uint64_t place_of(const struct ridge_turn* turn) {
  return turn->place > turn->clock ? turn->place : turn->clock;
}

uint32_t ridge_turns_before(struct ridge_turns* all, const struct ridge_turn* turn,
                            struct ridge_turn** found, uint32_t most) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < all->limit && count < most; ++i) {
    struct ridge_turn* other = &all->turns[i];
    if (other != turn && other->live && !other->absent && other->waits_on == NULL &&
        comes_before(place_of(other), i, place_of(turn), turn->number)) {
      found[count++] = other;
    }
  }
  return count;
}
