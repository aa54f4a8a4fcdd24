/* What the parts of the client share: the code that ran, the threads that ran it, and the lock. */
#ifndef RIDGE_INSTRUMENT_DYNAMORIO_CLIENT_H
#define RIDGE_INSTRUMENT_DYNAMORIO_CLIENT_H

#include <dr_api.h>
#include <stdint.h>

#include "instrument/dynamorio/memory.h"
#include "instrument/engine/plan.h"
#include "instrument/engine/traffic.h"

enum {
  /* Of each thread: 32 MiB, of which pages are taken that are counted in. */
  CLIENT_COUNTERS = 1 << 22,
  CLIENT_NONE = UINT32_MAX,
  CLIENT_EXECUTIONS = UINT32_MAX, /* offset of a counter: executions of the block */
  CLIENT_TURNS = UINT32_MAX - 1,  /* of the repeated string instruction that the block is */
  CLIENT_PATH_BYTES = 4096
};

/* Slots of a thread's memory that generated code reaches by one instruction. */
enum client_slot { CLIENT_SLOT_COUNTERS, CLIENT_SLOT_CURSOR, CLIENT_SLOT_LIMIT, CLIENT_SLOTS };

/* What a counter counts. */
struct client_counter {
  uint32_t block;
  uint32_t offset; /* of an instruction in the block whose active lanes it sums, or one of these */
};

/* A counter of a thread that has ended. */
struct client_kept {
  uint64_t counter;
  uint64_t value;
};

struct client_thread {
  uint32_t ordinal; /* in the order in which those of its process began to run, from 0 */
  uint32_t tid;
  /* The child of a vfork runs in its parent's memory, and for DynamoRIO as one of its threads. */
  uint32_t process;
  int written;                /* it is such a child, and has become another program */
  uint64_t* counters;         /* CLIENT_COUNTERS; null when it has ended, or without memory */
  struct client_list kept;    /* struct client_kept */
  struct client_trace* trace; /* null: nothing is simulated, or it has ended */
};

struct client {
  void* lock; /* of everything below */
  reg_id_t tls_register;
  uint32_t tls_offset;          /* of the first slot */
  uint32_t flags;               /* enum ridge_record_flag */
  const char* prefix;           /* of the records' names */
  char path[CLIENT_PATH_BYTES]; /* of this process's record; empty until it is written first */
  struct client_list counters;  /* struct client_counter */
  struct client_list threads;   /* struct client_thread* */
  uint32_t thread_count;        /* of this process, ever */
  uint32_t process;
  uint64_t uncounted;         /* blocks for which there was no counter */
  uint64_t threads_uncounted; /* threads for which there was no memory */
  int has_plan;
  struct engine_plan plan;
  struct engine_traffic* traffic; /* null: nothing is simulated */
  const char* problem;            /* why traffic could not be simulated; null: it could */
};

extern struct client client;

/* Offset of a slot from the register client.tls_register. */
static inline uint32_t client_slot_offset(enum client_slot slot) {
  return client.tls_offset + (uint32_t)slot * (uint32_t)sizeof(void*);
}

#endif
