/* The raw traces of the threads, and how they come to the simulation (instrument/engine/traffic.h).
 */
#ifndef RIDGE_INSTRUMENT_DYNAMORIO_TRAFFIC_H
#define RIDGE_INSTRUMENT_DYNAMORIO_TRAFFIC_H

#include "instrument/dynamorio/client.h"

enum {
  CLIENT_RAW_ENTRIES = 4096,
  CLIENT_RAW_ROOM = 1024 /* entries that fit behind the limit */
};

/* Reads the plan and starts the simulation. Without it client.problem says why. */
void client_start_traffic(const char* plan_path);

/* All but client_take_trace under the client's lock. Of the thread that runs: it begins, ... */
void client_trace_begins(struct client_thread* thread);
/* ... or it is the only one after a fork. */
void client_traffic_forked(struct client_thread* thread);
/* Of any thread. */
void client_trace_ends(struct client_thread* thread);
/* Of a thread that is not in this process: its memory alone. */
void client_trace_forget(struct client_thread* thread);

/* Generated code calls this when the raw trace of its thread is full. */
void client_take_trace(void);

/* The thread that runs goes into a system call, and comes back. */
void client_trace_waits(struct client_thread* thread);
void client_trace_goes_on(const struct client_thread* thread);

/* The traffic's chunks; accesses of threads that run and do not wait may be missing. */
struct engine_writer;
void client_write_traffic(struct engine_writer* writer);

#endif
