/* Whether a thread that others wait for will come. One that is blocked or busy elsewhere does not:
 * the simulation goes on without it. One that only lacks a processor does: a busy machine must not
 * change the order. */
#include <fcntl.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

#include "runtime/state.h"

enum {
  BETWEEN_LOOKS = 400000,      /* nanoseconds */
  STILL_LOOKS = 3,             /* asleep at so many looks in a row, half a millisecond apart */
  AWAY_NANOSECONDS = 20000000, /* of work without an access: it spins, or runs other code */
  MOST_LOOKS = 20000           /* some ten seconds: whatever it is, go on */
};

struct presence {
  char state; /* of /proc/self/task/TID/stat; 0: unknown */
  uint64_t cpu;
};

static char* append_number(char* at, uint32_t number) {
  char digits[10];
  int count = 0;
  do {
    digits[count++] = (char)('0' + number % 10);
  } while ((number /= 10) != 0);
  while (count > 0) {
    *at++ = digits[--count];
  }
  return at;
}

/* "1234 (any name) S ...": what follows the last parenthesis of the first bytes. */
static char state_of(uint32_t tid) {
  char path[64] = "/proc/self/task/";
  char text[128];
  char* end = append_number(path + sizeof("/proc/self/task/") - 1, tid);
  ridge_copy(end, "/stat", sizeof("/stat"));
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return 'X';
  }
  const ssize_t got = read(file, text, sizeof(text));
  close(file);
  char state = 0;
  for (ssize_t i = 0; i + 2 < got; ++i) {
    state = text[i] == ')' ? text[i + 2] : state;
  }
  return state;
}

static struct presence look_at(uint32_t tid) {
  const clockid_t clock =
      (clockid_t)(~tid << 3 | 6); /* CPU time of a thread, as the kernel has it */
  struct timespec time = {0, 0};
  struct presence found = {0, 0};
  if (tid != 0) {
    found.state = state_of(tid);
    clock_gettime(clock, &time);
    found.cpu = (uint64_t)time.tv_sec * 1000000000U + (uint64_t)time.tv_nsec;
  }
  return found;
}

static uint64_t moved(const struct ridge_turn* turn) {
  const struct ridge_thread* block = turn->slot != NULL ? turn->slot->block : NULL;
  return block == NULL ? 0
                       : __atomic_load_n(&block->trace_cursor, __ATOMIC_RELAXED) +
                             (uint64_t)__atomic_load_n(&block->trace_budget, __ATOMIC_RELAXED);
}

static struct ridge_watched* watched_of(struct ridge_patience* patience,
                                        const struct ridge_turn* turn) {
  struct ridge_watched* oldest = &patience->watched[0];
  for (uint32_t i = 0; i < RIDGE_WATCHED_MAX; ++i) {
    struct ridge_watched* one = &patience->watched[i];
    if (one->turn == turn) {
      return one;
    }
    oldest = one->looks < oldest->looks ? one : oldest;
  }
  *oldest = (struct ridge_watched){.turn = turn};
  return oldest;
}

/* Whether the look changes our mind about the thread. */
static int is_absent(struct ridge_watched* known, const struct ridge_turn* turn,
                     struct presence now) {
  const uint64_t place = moved(turn);
  if (known->looks == 0 || known->events != turn->events || known->moved != place) {
    *known = (struct ridge_watched){.turn = turn,
                                    .events = turn->events,
                                    .moved = place,
                                    .begin = now.cpu,
                                    .cpu = now.cpu,
                                    .looks = 1};
    return 0;
  }
  const int asleep = now.state != 'R' && now.state != 0;
  const int acquiring = __atomic_load_n(&turn->acquires, __ATOMIC_RELAXED);
  known->still = (asleep && now.cpu == known->cpu) || acquiring ? known->still + 1 : 0;
  known->cpu = now.cpu;
  ++known->looks;
  return known->still >= STILL_LOOKS || known->looks > MOST_LOOKS ||
         now.cpu - known->begin > AWAY_NANOSECONDS;
}

static int simulation_runs(void) {
  if (pthread_mutex_trylock(&ridge_runtime.simulate_lock) != 0) {
    return 1;
  }
  pthread_mutex_unlock(&ridge_runtime.simulate_lock);
  return 0;
}

static int is_time_to_look(struct ridge_patience* patience) {
  struct timespec now = {0, 0};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const uint64_t time = (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
  if (time - patience->looked_at < BETWEEN_LOOKS) {
    return 0;
  }
  patience->looked_at = time;
  return 1;
}

void ridge_give_up_absent(struct ridge_turns* turns, const struct ridge_turn* first,
                          struct ridge_patience* patience) {
  struct ridge_turn* found[RIDGE_WATCHED_MAX];
  struct presence seen[RIDGE_WATCHED_MAX];
  uint32_t tids[RIDGE_WATCHED_MAX];
  uint64_t events[RIDGE_WATCHED_MAX];
  struct ridge_team* team = NULL;
  if (patience->passed != turns->passed || simulation_runs()) { /* whoever does it comes later */
    *patience = (struct ridge_patience){.passed = turns->passed};
    return;
  }
  if (!is_time_to_look(patience)) {
    return;
  }
  const uint32_t count = first != NULL
                             ? ridge_turns_before(turns, first, found, RIDGE_WATCHED_MAX)
                             : ridge_turns_blockers(turns, found, RIDGE_WATCHED_MAX, &team);
  for (uint32_t i = 0; i < count; ++i) {
    tids[i] = found[i]->tid;
    events[i] = found[i]->events;
  }
  ridge_unlock_turns();
  for (uint32_t i = 0; i < count; ++i) {
    seen[i] = look_at(tids[i]);
  }
  ridge_lock_turns();
  for (uint32_t i = 0; i < count; ++i) {
    if (found[i]->events == events[i] &&
        is_absent(watched_of(patience, found[i]), found[i], seen[i])) {
      found[i]->absent = 1;
    }
  }
  if (++patience->looks > MOST_LOOKS && team != NULL) {
    team->expected = 0;
  }
}
