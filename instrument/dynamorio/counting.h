/* Inserts the counting of executions, turns of repeated string instructions, and active lanes. */
#ifndef RIDGE_INSTRUMENT_DYNAMORIO_COUNTING_H
#define RIDGE_INSTRUMENT_DYNAMORIO_COUNTING_H

#include <dr_api.h>

/* After client_find_live, and before anything else is inserted. Takes the client's lock. */
void client_count_block(void* context, instrlist_t* block);

#endif
