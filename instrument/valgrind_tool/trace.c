/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * See trace.h. */
#include "instrument/valgrind_tool/trace.h"

#include "instrument/engine/traffic.h"

struct engine_traffic* ridge_traffic;
const HChar* ridge_traffic_problem;

void ridge_init_trace(const HChar* plan_path) { (void)plan_path; }
void ridge_restart_trace(void) {}
UInt ridge_module_of(const HChar* path) { (void)path; return 0; }

void ridge_resume_trace(struct ridge_guest_thread* thread) { (void)thread; }
void ridge_suspend_trace(struct ridge_guest_thread* thread) { (void)thread; }
void ridge_end_trace(struct ridge_guest_thread* thread) { (void)thread; }
void ridge_write_traffic(struct engine_writer* writer) { (void)writer; }
void ridge_trace_instruction(struct ridge_trace_emitter* emitter, Addr address, UInt bytes,
                             UInt mapping) { (void)emitter; (void)address; (void)bytes; (void)mapping; }
void ridge_trace_statement(struct ridge_trace_emitter* emitter, const IRTypeEnv* types,
                           const IRStmt* statement) { (void)emitter; (void)types; (void)statement; }
void ridge_trace_close(struct ridge_trace_emitter* emitter) { (void)emitter; }
