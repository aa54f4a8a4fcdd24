/* Where explicit tasks might run. Which thread takes a task depends on time, and with it what the
 * private caches still hold. Placements that depend on nothing but the program stand for what can
 * happen.
 *
 * A place is what the OpenMP runtime keeps for each task of ours: its position in the tree of
 * tasks, in 64 bits. 0: nothing is known. */
#ifndef RIDGE_RUNTIME_TASK_PLACES_H
#define RIDGE_RUNTIME_TASK_PLACES_H

#include <stdint.h>

enum ridge_task_placement {
  RIDGE_TASKS_SCATTERED = 0, /* each on a thread drawn at random, another one the next time */
  RIDGE_TASKS_OWN = 1,       /* all on the thread whose work they are part of */
  RIDGE_TASKS_AT_DATA = 2    /* each on the thread whose part of the memory it begins with */
};

/* Of the work of a team's thread outside explicit tasks; `execution`: a number that no other
 * execution of the region has. */
uint64_t ridge_place_of_thread(uint32_t index, uint32_t threads, uint64_t execution);
/* Of the next child of the task at *parent, which remembers that it had one. */
uint64_t ridge_place_of_child(uint64_t* parent);
/* Whether it is an explicit task's. */
int ridge_is_task_place(uint64_t place);
/* Indices among the threads of the team. */
uint32_t ridge_scattered_index(uint64_t place, uint32_t threads);
uint32_t ridge_own_index(uint64_t place);
/* Neighbouring pieces of memory belong to neighbouring threads, round and round. */
uint32_t ridge_home_index(uint64_t address, uint64_t piece_bytes, uint32_t threads);

#endif
