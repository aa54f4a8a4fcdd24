/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Samples of the threads' stacks, for a reader who unwinds them. They are taken between blocks
 * where the scheduler takes the thread away, so generated code does nothing for them. */
#ifndef RIDGE_INSTRUMENT_VALGRIND_TOOL_STACKS_H
#define RIDGE_INSTRUMENT_VALGRIND_TOOL_STACKS_H

#include "instrument/valgrind_tool/tool.h"

struct engine_writer;

/* The thread, number `ordinal`, has stopped; `blocks` is what all threads have run so far. */
void ridge_look_at_stack(ThreadId tid, UInt ordinal, ULong blocks);
/* As if none had been taken. */
void ridge_forget_stacks(void);
void ridge_write_stacks(struct engine_writer* writer);

#endif
