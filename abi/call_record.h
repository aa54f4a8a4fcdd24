/* Memory in which the layers of `ridge run --mpi` and `--libraries` keep what they saw of calls.
 *
 * `ridge run` creates one memfd and names it in the environment of the first run:
 *     RIDGE_CALLS=/proc/PID/fd/N
 * A layer (instrument/calls/) maps it when a process makes its first call, and takes pieces from it
 * with an atomic bump of `used_bytes` (sparse file; a piece is populated before it is used).
 * Offsets are from the start; 0 is none. It survives the death of whoever wrote it. The reader,
 * src/measure/calls/, trusts nothing: it checks every offset, count and chain. */
#ifndef RIDGE_ABI_CALL_RECORD_H
#define RIDGE_ABI_CALL_RECORD_H

#include <stdint.h>

enum { RIDGE_CALLS_MAGIC = 0x4c414352, RIDGE_CALLS_VERSION = 2 }; /* "RCAL" */

enum ridge_call_layer { RIDGE_LAYER_MPI = 1, RIDGE_LAYER_LIBRARIES = 2 };

enum {
  RIDGE_CALL_NAME_BYTES = 32,
  RIDGE_CALL_SIZES = 4,
  RIDGE_CALL_ENTRIES_LEAST = 64, /* of the first table of a thread; each next has twice as many */
  RIDGE_CALL_ENTRIES_MOST = 1 << 16 /* of one table */
};

/* In the last size of a transform, beside how many: of real numbers. */
static const uint64_t RIDGE_CALL_REAL = UINT64_C(1) << 40;

enum ridge_call_flag {
  RIDGE_CALL_HAS_BYTES = 1,
  RIDGE_CALL_LACKS_BYTES = 2, /* some of the calls had bytes that nobody knows */
  RIDGE_CALL_HAS_WAITING = 4,
  RIDGE_CALL_LACKS_WAITING = 8 /* of some of the calls waiting could not be told apart */
};

enum ridge_calls_flag {
  RIDGE_CALLS_OF_SOME_RANKS = 1 /* other ranks have no layer: a barrier of ours would never end */
};

/* Calls of one function from one place with the same sizes, by one thread. Only outermost calls:
 * what an MPI library calls of itself is part of the call that it serves. */
struct ridge_call_entry {
  uint64_t caller;                  /* return address in the process */
  uint64_t module;                  /* offset of the ridge_call_module that holds it, or 0 */
  uint64_t file_offset;             /* of the return address in that file */
  uint32_t region;                  /* of the runtime (ridge_frame_region) at the call; 0: none */
  uint16_t function;                /* number within the layer: of no meaning to readers */
  uint16_t flags;                   /* enum ridge_call_flag */
  uint64_t sizes[RIDGE_CALL_SIZES]; /* what they mean depends on the function; 0: not used */
  uint64_t calls;                   /* 0: the entry is free */
  uint64_t bytes;                   /* of all calls */
  uint64_t nanoseconds;             /* between call and return, of all calls */
  uint64_t waiting_nanoseconds;     /* part of it */
  uint64_t messages;                /* that these calls must send or receive, at least */
  uint64_t moved_bytes;             /* that must travel between ranks for them, at least */
  char name[RIDGE_CALL_NAME_BYTES]; /* NUL-terminated: "MPI_Send" */
};

/* Open addressing; a thread fills up the newest alone. The same key may stand in several tables. */
struct ridge_call_table {
  uint64_t next; /* the one before it, of any thread of the process */
  uint32_t tid;
  uint32_t capacity; /* entries: they follow */
  uint64_t reserved[6];
};

struct ridge_call_module {
  uint64_t next;
  uint64_t path_bytes; /* of the path that follows, without its NUL */
};

struct ridge_call_process {
  uint64_t next;
  uint32_t pid;
  uint32_t parent_pid;
  uint32_t layer;   /* enum ridge_call_layer */
  uint32_t lost;    /* calls for which there was no memory */
  uint32_t ranks;   /* in MPI_COMM_WORLD; 0: unknown */
  uint32_t rank;    /* among them */
  uint64_t tables;  /* newest first; atomic push */
  uint64_t modules; /* newest first */
  uint64_t reserved[2];
};

struct ridge_calls {
  uint32_t magic;
  uint32_t version;
  uint64_t size_bytes;
  uint64_t used_bytes; /* atomic bump; multiple of 64 */
  uint64_t processes;  /* offset of the newest; atomic push */
  uint64_t flags;      /* enum ridge_calls_flag */
  uint64_t reserved[3];
};

/* Symbols between the layers and others:
 *
 *   uint64_t ridge_calling_region(void);   of the runtime: the region that the thread is in, or 0
 *   void* ridge_behind_layer(const char*); of a layer: the symbol that it stands in front of, or
 *                                          null */

#endif
