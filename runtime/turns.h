/* In which order the batches of several threads are simulated: by the work that each thread had
 * done before, and between equals by its number. Bookkeeping only: no lock, no system call, no
 * memory of its own; the caller sees to all three (order.c).
 *
 * A batch may go when nobody can come before it any more: each other thread either has a later
 * batch at hand, or has done more work already, or waits for something that others do first. */
#ifndef RIDGE_RUNTIME_TURNS_H
#define RIDGE_RUNTIME_TURNS_H

#include <stdint.h>

#include "abi/layout.h"

enum {
  RIDGE_TURNS_MAX = 1024, /* threads at a time; those beyond share no order */
  RIDGE_WINDOW = 8,       /* batches by which a thread may be ahead of the simulation */
  RIDGE_TEAMS_MAX = 256,
  RIDGE_WAITING_MAX = 64
};
static const uint32_t RIDGE_TEAM_UNKNOWN = UINT32_MAX;

/* An explicit task that a thread is at: what is known beforehand of where it might run
 * (task_places.h), as numbers of threads. */
struct ridge_task {
  uint64_t serial;    /* among the thread's tasks; another one when it goes on after one */
  uint32_t threads;   /* of the team; 0: no explicit task */
  uint32_t scattered; /* RIDGE_TASKS_SCATTERED */
  uint32_t own;       /* RIDGE_TASKS_OWN */
  uint32_t first;     /* of the team */
};

struct ridge_batch {
  struct ridge_trace_entry* entries;
  uint64_t count;
  uint64_t clock;    /* accesses of the thread before it, traced or not */
  uint64_t accesses; /* in it, traced or not */
  uint64_t mask;     /* lines that were traced */
  uint32_t region;   /* that it ended in */
  uint32_t node;     /* memory node that the thread ran on */
  struct ridge_task task;
};

struct ridge_slot;

/* One thread, from its creation until it has been joined. */
struct ridge_turn {
  uint32_t number;      /* place in the table; the lowest that was free */
  int used;             /* the number is taken */
  int live;             /* the thread has not ended */
  uint32_t tid;         /* 0 until it runs */
  uint32_t exit_rounds; /* passes of the thread-specific data destructors seen */
  int detached;         /* nobody joins it */
  uint64_t handle;      /* pthread_t, of who can be joined */
  int acquires;         /* it is at a lock, perhaps somebody else's */
  int absent;           /* does not come, and nobody knows until when: not waited for */
  const void* waits_on; /* that others do first; null: it runs */
  uint64_t clock;       /* work done before the batch that it is at */
  uint64_t place;       /* work done when it last asked for more; may be behind the clock */
  uint64_t events;      /* grows with each sign of life */
  struct ridge_team* team;
  const void* waiting[RIDGE_WAITING_MAX]; /* what it waited on when it took up a task ... */
  struct ridge_task interrupted[RIDGE_WAITING_MAX]; /* ... and what it was at */
  uint32_t waiting_depth;
  struct ridge_task task;
  uint64_t tasks;          /* that it has been at */
  struct ridge_slot* slot; /* null until the thread ran instrumented code */
  struct ridge_batch queue[RIDGE_WINDOW];
  uint32_t first;
  uint32_t queued;
};

/* Threads of an OpenMP region. */
struct ridge_team {
  int used;
  uint32_t expected; /* threads that have not begun yet, or RIDGE_TEAM_UNKNOWN */
  uint32_t size;     /* threads; 0: not known yet */
  uint64_t start;    /* the master's clock where the region began */
  uint64_t clock;    /* the latest at the barrier */
  struct ridge_turn* master;
  struct ridge_team* parent; /* that the master belongs to otherwise */
};

struct ridge_turns {
  uint32_t limit; /* numbers below have been used */
  uint32_t team_limit;
  uint64_t frontier; /* clock of the latest batch simulated */
  uint32_t waiting;  /* threads that wait until they are first */
  uint64_t passed;   /* batches simulated */
  uint64_t late;     /* times that a thread came after others had gone on without it */
  struct ridge_team teams[RIDGE_TEAMS_MAX];
  struct ridge_turn turns[RIDGE_TURNS_MAX];
};

/* A thread that starts at this clock, or null if there are too many. */
struct ridge_turn* ridge_turns_add(struct ridge_turns* all, uint64_t clock);
/* It has ended; whoever waits for it goes on after it. Its number stays taken. */
void ridge_turns_end(struct ridge_turns* all, struct ridge_turn* turn);
/* Its number may be given to another thread. */
void ridge_turns_remove(struct ridge_turn* turn);
/* After fork: nobody is there. */
void ridge_turns_clear(struct ridge_turns* all);

/* Before it hands a batch over: if others have gone on without it, it goes on where they are. */
void ridge_turns_come(struct ridge_turns* all, struct ridge_turn* turn);
/* Until `key` is released, or until ridge_turns_go. */
void ridge_turns_wait(struct ridge_turn* turn, const void* key);
void ridge_turns_go(struct ridge_turn* turn, uint64_t clock);
/* The latest clock of those that wait on it. */
uint64_t ridge_turns_latest(const struct ridge_turns* all, const void* key);
/* All that wait on it go on, at this clock at the earliest. */
void ridge_turns_release(struct ridge_turns* all, const void* key, uint64_t clock);

/* The batch's clock is the thread's; the thread is at the next one from now on. */
void ridge_turns_push(struct ridge_turn* turn, const struct ridge_batch* batch);
/* The thread whose first batch goes now, or null. Not null if anything is at hand when `forced`. */
struct ridge_turn* ridge_turns_next(struct ridge_turns* all, int forced);
/* Whether a batch that the thread has at hand, with an empty queue, goes now. */
int ridge_turns_may_go(const struct ridge_turns* all, const struct ridge_turn* turn);
/* Its first batch has been simulated. */
void ridge_turns_pop(struct ridge_turns* all, struct ridge_turn* turn);
/* A batch that never was in the queue has been simulated. */
void ridge_turns_passed(struct ridge_turns* all, struct ridge_turn* turn, uint64_t accesses);
/* Threads that run and have done less work, at most `most`. */
uint32_t ridge_turns_before(struct ridge_turns* all, const struct ridge_turn* turn,
                            struct ridge_turn** found, uint32_t most);
/* Threads that the first batch at hand waits for, at most `most`; `team`: one whose threads have
 * not all begun, or null. */
uint32_t ridge_turns_blockers(struct ridge_turns* all, struct ridge_turn** found, uint32_t most,
                              struct ridge_team** team);

struct ridge_team* ridge_teams_add(struct ridge_turns* all, struct ridge_turn* master);
/* A thread of so many begins its part. */
void ridge_teams_begin(struct ridge_team* team, struct ridge_turn* turn, uint32_t size);
/* Number of the team's thread with this index in the order of numbers. While some have not begun,
 * threads of no team count as its own; then, and where there is none, the answer is a guess. */
uint32_t ridge_teams_number(const struct ridge_turns* all, const struct ridge_team* team,
                            uint32_t index);
/* The master goes on alone. `idle`: what the others wait on from now on. */
void ridge_teams_end(struct ridge_turns* all, struct ridge_team* team, const void* idle);

#endif
