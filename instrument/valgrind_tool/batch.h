/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What generated code, which trace_emit.c makes, has to do with the batches of trace.c. */
#ifndef RIDGE_INSTRUMENT_VALGRIND_TOOL_BATCH_H
#define RIDGE_INSTRUMENT_VALGRIND_TOOL_BATCH_H

#include <pub_tool_guest.h>

#include "instrument/valgrind_tool/tool.h"

struct ridge_trace_entry;

/* Of the thread that runs, as in struct engine_thread. */
struct ridge_batch_place {
  struct ridge_trace_entry* cursor;
  struct ridge_trace_entry* limit;
};
extern struct ridge_batch_place ridge_batch_place;

/* Makes room; called by generated code. */
void ridge_flush_batch(VexGuestArchState* guest);
/* Of the instruction at this address; 0: none. */
UInt ridge_region_of(Addr address, UInt mapping);

#endif
