/* Where a layer keeps what it saw of calls: tables of one thread each in memory that outlives the
 * process (abi/call_record.h). No lock and no allocation but when a thread, or a place that calls,
 * is new. */
#ifndef RIDGE_INSTRUMENT_CALLS_CALL_TABLE_H
#define RIDGE_INSTRUMENT_CALLS_CALL_TABLE_H

#include <stdint.h>

#include "abi/call_record.h"

/* One call that is going on; lives on the stack of the wrapper. */
struct ridge_call {
  const void* caller; /* return address of the outermost wrapper */
  uint64_t begin;     /* [ns] */
};

struct ridge_call_figures {
  uint16_t function;
  uint16_t flags; /* enum ridge_call_flag */
  const char* name;
  uint64_t sizes[RIDGE_CALL_SIZES];
  uint64_t bytes;
  uint64_t waiting_nanoseconds;
  uint64_t messages;
  uint64_t moved_bytes;
};

/* The layer that this library is. */
extern const uint32_t ridge_call_layer;

uint64_t ridge_call_now(void);

/* False for a call inside another one, which is not to be recorded; then there is no end either. */
int ridge_call_begin(struct ridge_call* call, const void* caller);
/* A wrapper in front of another wrapper: who called it. Only the outermost counts. Returns what
 * ridge_call_leave() wants. */
int ridge_call_enter(const void* caller);
void ridge_call_leave(int is_outermost);
void ridge_call_end(const struct ridge_call* call, const struct ridge_call_figures* figures);

/* The thread left all calls that stand below this address of its stack, without returning. */
void ridge_call_left(const void* stack);
/* In the function around an outermost call: an exception that leaves it leaves the call. It asks
 * for no support of the compiler's run-time library, which the program chooses. */
static inline __attribute__((always_inline)) void ridge_call_watch_exceptions(void) {
  __asm__ volatile(".cfi_personality 0x1b, ridge_call_exception_passes");
}

/* Whether other ranks of the program may be without the layer. */
int ridge_call_has_some_ranks(void);

/* Of the process: its place in MPI_COMM_WORLD. */
void ridge_call_set_rank(uint32_t rank, uint32_t ranks);

/* The function of that name behind this library, wherever it was loaded. Ends the process with a
 * sentence where there is none: it calls what nobody defines. */
void* ridge_call_real(const char* symbol);
/* The same, or null. */
void* ridge_call_find(const char* symbol);

#endif
