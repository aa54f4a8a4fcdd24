/* What the OpenMP runtime tells its tools (OMPT, OpenMP 5.0 chapter 4): where a thread's work is
 * handed to others and where it waits for them. In traffic mode the threads' clocks follow that.
 * The program need not be an OpenMP program, so nothing here refers to the OpenMP runtime. */
#include <stddef.h>

#include "runtime/state.h"
#include "runtime/task_places.h"

/* Numbers and types of the standard. */
enum { THREAD_WORKER = 2 };
enum { SCOPE_BEGIN = 1 };
enum { SYNC_TASKWAIT = 5, SYNC_TASKGROUP = 6, SYNC_REDUCTION = 7, SYNC_PARALLEL = 9 };
enum { TASK_COMPLETE = 1, TASK_CANCELLED = 3, TASK_SWITCHED = 7 };
enum { IMPLICIT_TASK_INITIAL = 1, EXPLICIT_TASK = 4 };
enum { WORK_LOOP_DYNAMIC = 11, WORK_LOOP_OTHER = 13 };
enum { MUTEX_LAST_LOCK = 5 }; /* locks and critical sections; behind them atomic, ordered */
enum {
  EVENT_THREAD_BEGIN = 1,
  EVENT_PARALLEL_BEGIN = 3,
  EVENT_PARALLEL_END = 4,
  EVENT_TASK_CREATE = 5,
  EVENT_TASK_SCHEDULE = 6,
  EVENT_IMPLICIT_TASK = 7,

  EVENT_WORK = 20,
  EVENT_SYNC_REGION = 23,
  EVENT_MUTEX_ACQUIRE = 26,
  EVENT_MUTEX_ACQUIRED = 27
};

union tool_data {
  uint64_t value;
  void* pointer;
};
typedef void (*any_function)(void);
typedef any_function (*lookup_function)(const char* name);
typedef int (*set_callback_function)(int event, any_function callback);
struct start_tool_result {
  int (*initialize)(lookup_function lookup, int device, union tool_data* data);
  void (*finalize)(union tool_data* data);
  union tool_data data;
};
struct start_tool_result* ompt_start_tool(unsigned version, const char* runtime);

/* The calling thread's turn, its work so far handed over; turn_lock is held. Null: it has none, and
 * nothing is held. */
static struct ridge_turn* enter(struct ridge_guard* guard) {
  ridge_enter(guard);
  struct ridge_turn* turn = ridge_own_turn();
  if (turn == NULL || ridge_runtime.simulator == NULL) {
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

/* A worker does nothing until a region needs it. */
static void on_thread_begin(int type, union tool_data* data) {
  struct ridge_guard guard;
  struct ridge_turn* turn = enter(&guard);
  (void)data;
  if (turn != NULL) {
    if (type == THREAD_WORKER) {
      ridge_turns_wait(turn, ridge_idle());
    }
    leave(&guard);
  }
}

static void on_parallel_begin(union tool_data* task, const void* frame, union tool_data* parallel,
                              unsigned threads, int flags, const void* code) {
  struct ridge_guard guard;
  struct ridge_turn* turn = enter(&guard);
  (void)task, (void)frame, (void)threads, (void)flags, (void)code;
  parallel->pointer = NULL;
  if (turn != NULL) {
    parallel->pointer = ridge_teams_add(ridge_turns_locked(), turn);
    leave(&guard);
  }
}

static void on_parallel_end(union tool_data* parallel, union tool_data* task, int flags,
                            const void* code) {
  struct ridge_guard guard;
  struct ridge_turn* turn = enter(&guard);
  struct ridge_team* team = parallel->pointer;
  (void)task, (void)flags, (void)code;
  if (turn != NULL) {
    if (team != NULL && team->used && team->master == turn) {
      ridge_teams_end(ridge_turns_locked(), team, ridge_idle());
    }
    leave(&guard);
  }
}

static void on_implicit_task(int scope, union tool_data* parallel, union tool_data* task,
                             unsigned size, unsigned index, int flags) {
  struct ridge_guard guard;
  if (scope != SCOPE_BEGIN || parallel == NULL || (flags & IMPLICIT_TASK_INITIAL) != 0) {
    return;
  }
  struct ridge_turn* turn = enter(&guard);
  struct ridge_team* team = parallel->pointer;
  if (turn != NULL) {
    if (team != NULL && team->used) {
      ridge_teams_begin(team, turn, size);
      task->value = ridge_place_of_thread(index, size, team->start);
    }
    leave(&guard);
  }
}

/* ---- waiting ---- */

static void begin_waiting(struct ridge_turn* turn, int kind) {
  struct ridge_team* team = turn->team;
  if (kind == SYNC_TASKWAIT || kind == SYNC_TASKGROUP || team == NULL) {
    ridge_turns_wait(turn, turn);
    return;
  }
  team->clock = turn->clock > team->clock ? turn->clock : team->clock;
  ridge_turns_wait(turn, team);
}

/* Whoever leaves a barrier first knows that all have come; they go on together. A worker learns
 * late that its region is over: on_parallel_end has seen to it. */
static void end_waiting(struct ridge_turn* turn, int kind) {
  struct ridge_team* team = turn->team;
  if (turn->waits_on == turn) {
    ridge_turns_go(turn, turn->clock);
  } else if (team != NULL && turn->waits_on == team &&
             (kind != SYNC_PARALLEL || team->master == turn)) {
    if (kind == SYNC_PARALLEL) {
      ridge_turns_go(turn, team->clock);
    } else {
      ridge_turns_release(ridge_turns_locked(), team, team->clock);
    }
  }
}

static void on_sync_region(int kind, int scope, union tool_data* parallel, union tool_data* task,
                           const void* code) {
  struct ridge_guard guard;
  (void)parallel, (void)task, (void)code;
  if (kind == SYNC_REDUCTION) {
    return;
  }
  struct ridge_turn* turn = enter(&guard);
  if (turn != NULL) {
    if (scope == SCOPE_BEGIN) {
      begin_waiting(turn, kind);
    } else {
      end_waiting(turn, kind);
    }
    leave(&guard);
  }
}

/* ---- explicit tasks ---- */

static void on_task_create(union tool_data* parent, const void* frame, union tool_data* task,
                           int flags, int has_dependences, const void* code) {
  (void)frame, (void)has_dependences, (void)code;
  if ((flags & EXPLICIT_TASK) == 0) {
    return;
  }
  task->value = parent != NULL ? ridge_place_of_child(&parent->value) : 0;
  if (task->value != 0) {
    ridge_start_placements();
  }
}

static struct ridge_task task_at(struct ridge_turn* turn, uint64_t place) {
  const struct ridge_turns* all = ridge_turns_locked();
  const struct ridge_team* team = turn->team;
  if (team == NULL || !ridge_is_task_place(place)) {
    return (struct ridge_task){0};
  }
  return (struct ridge_task){
      .serial = ++turn->tasks,
      .threads = team->size,
      .scattered = ridge_teams_number(all, team, ridge_scattered_index(place, team->size)),
      .own = ridge_teams_number(all, team, ridge_own_index(place)),
      .first = ridge_teams_number(all, team, 0)};
}

/* A task that the thread runs while it waits at a barrier: it is at work meanwhile. */
static void on_task_schedule(union tool_data* before, int status, union tool_data* next) {
  struct ridge_guard guard;
  (void)before;
  struct ridge_turn* turn = enter(&guard);
  if (turn == NULL) {
    return;
  }
  ridge_note_free_division();
  if (status == TASK_SWITCHED && turn->waiting_depth < RIDGE_WAITING_MAX) {
    turn->interrupted[turn->waiting_depth] = turn->task;
    turn->waiting[turn->waiting_depth++] = turn->waits_on;
    turn->task = task_at(turn, next != NULL ? next->value : 0);
    if (turn->waits_on != NULL) {
      ridge_turns_go(turn, turn->clock);
    }
  } else if ((status == TASK_COMPLETE || status == TASK_CANCELLED) && turn->waiting_depth > 0) {
    const void* waited_on = turn->waiting[--turn->waiting_depth];
    turn->task = turn->interrupted[turn->waiting_depth];
    if (waited_on != NULL) {
      struct ridge_team* team = turn->team;
      if (team != NULL) {
        team->clock = turn->clock > team->clock ? turn->clock : team->clock;
      }
      ridge_turns_wait(turn, waited_on);
    }
  }
  leave(&guard);
}

/* Who does which part depends on who asks first. */
static void on_work(int kind, int scope, union tool_data* parallel, union tool_data* task,
                    uint64_t count, const void* code) {
  (void)scope, (void)parallel, (void)task, (void)count, (void)code;
  if (kind >= WORK_LOOP_DYNAMIC && kind <= WORK_LOOP_OTHER) {
    ridge_note_free_division();
  }
}

static void on_mutex_acquire(int kind, unsigned hint, unsigned implementation, uint64_t lock,
                             const void* code) {
  struct ridge_turn* turn = ridge_own_turn();
  (void)hint, (void)implementation, (void)lock, (void)code;
  if (kind <= MUTEX_LAST_LOCK) {
    ridge_note_free_division();
  }
  if (turn != NULL) {
    __atomic_store_n(&turn->acquires, 1, __ATOMIC_RELAXED);
  }
}

static void on_mutex_acquired(int kind, uint64_t lock, const void* code) {
  struct ridge_turn* turn = ridge_own_turn();
  (void)kind, (void)lock, (void)code;
  if (turn != NULL) {
    __atomic_store_n(&turn->acquires, 0, __ATOMIC_RELAXED);
  }
}

/* ---- start ---- */

static int initialize(lookup_function lookup, int device, union tool_data* data) {
  const set_callback_function set = (set_callback_function)lookup("ompt_set_callback");
  (void)device, (void)data;
  if (set == NULL) {
    return 0;
  }
  set(EVENT_THREAD_BEGIN, (any_function)on_thread_begin);
  set(EVENT_PARALLEL_BEGIN, (any_function)on_parallel_begin);
  set(EVENT_PARALLEL_END, (any_function)on_parallel_end);
  set(EVENT_IMPLICIT_TASK, (any_function)on_implicit_task);
  set(EVENT_TASK_CREATE, (any_function)on_task_create);
  set(EVENT_TASK_SCHEDULE, (any_function)on_task_schedule);
  set(EVENT_WORK, (any_function)on_work);
  set(EVENT_SYNC_REGION, (any_function)on_sync_region);
  set(EVENT_MUTEX_ACQUIRE, (any_function)on_mutex_acquire);
  set(EVENT_MUTEX_ACQUIRED, (any_function)on_mutex_acquired);
  return 1;
}

static void finalize(union tool_data* data) {
  (void)data;
}

/* Called by the OpenMP runtime when it starts. Without traffic there is nothing to be told. */
__attribute__((visibility("default"))) struct start_tool_result* ompt_start_tool(
    unsigned version, const char* runtime) {
  static struct start_tool_result result = {initialize, finalize, {0}};
  (void)version, (void)runtime;
  return ridge_start() && ridge_runtime.simulator != NULL ? &result : NULL;
}
