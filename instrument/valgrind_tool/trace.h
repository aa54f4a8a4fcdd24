/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Traffic: the accesses of each instruction go into the batches of the engine
 * (instrument/engine/traffic.h), with the region that the plan says. */
#ifndef RIDGE_INSTRUMENT_VALGRIND_TOOL_TRACE_H
#define RIDGE_INSTRUMENT_VALGRIND_TOOL_TRACE_H

#include "instrument/valgrind_tool/threads.h"
#include "instrument/valgrind_tool/tool.h"

struct engine_writer;

/* Null: no traffic. */
extern struct engine_traffic* ridge_traffic;
/* Why there is none although a plan was given; null: no reason. */
extern const HChar* ridge_traffic_problem;

/* Reads the plan; without one that can be used there is no traffic. */
void ridge_init_trace(const HChar* plan_path);
void ridge_restart_trace(void);
UInt ridge_module_of(const HChar* path);

void ridge_resume_trace(struct ridge_guest_thread* thread);
void ridge_suspend_trace(struct ridge_guest_thread* thread);
/* The thread that runs may have to wait for a system call. */
void ridge_wait_with_trace(void);
void ridge_end_trace(struct ridge_guest_thread* thread);
void ridge_write_traffic(struct engine_writer* writer);

/* What generated code knows of its place in the batch. */
struct ridge_trace_emitter {
  IRSB* block;
  IRExpr* cursor; /* null: not loaded */
  UInt appended;  /* entries behind the cursor */
  UInt room;      /* entries that may still be appended without a look */
  UInt region;
  Bool non_temporal;
};

void ridge_trace_instruction(struct ridge_trace_emitter* emitter, Addr address, UInt bytes,
                             UInt mapping);
/* Before a statement of the instruction. */
void ridge_trace_statement(struct ridge_trace_emitter* emitter, const IRTypeEnv* types,
                           const IRStmt* statement);
/* Before whatever leaves the straight stretch. */
void ridge_trace_close(struct ridge_trace_emitter* emitter);

#endif
