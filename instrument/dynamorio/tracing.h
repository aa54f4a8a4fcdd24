/* Inserts what writes the accesses of a block into the raw trace of its thread. */
#ifndef RIDGE_INSTRUMENT_DYNAMORIO_TRACING_H
#define RIDGE_INSTRUMENT_DYNAMORIO_TRACING_H

#include <dr_api.h>

/* After client_find_live. Takes the client's lock. */
void client_trace_block(void* context, instrlist_t* block);

#endif
