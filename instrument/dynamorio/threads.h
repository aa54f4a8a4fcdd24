/* The program's threads and their counters. */
#ifndef RIDGE_INSTRUMENT_DYNAMORIO_THREADS_H
#define RIDGE_INSTRUMENT_DYNAMORIO_THREADS_H

#include "instrument/dynamorio/client.h"

/* Events of DynamoRIO. They take the client's lock. */
void client_thread_begins(void* context);
void client_thread_ends(void* context);
/* In the child of a fork: only this thread is left, and has done nothing yet. */
void client_threads_forked(void* context);

/* Of the thread that runs. */
void* client_slot_place(enum client_slot slot);

/* Of a thread, living or not. */
uint64_t client_thread_value(const struct client_thread* thread, uint64_t counter);

#endif
