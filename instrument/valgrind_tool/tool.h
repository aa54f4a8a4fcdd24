/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the files of the tool share. Valgrind runs one thread at a time and calls the tool only from
 * the one that runs, so nothing here needs a lock. */
#ifndef RIDGE_INSTRUMENT_VALGRIND_TOOL_TOOL_H
#define RIDGE_INSTRUMENT_VALGRIND_TOOL_TOOL_H

#include <pub_tool_basics.h>
#include <pub_tool_libcassert.h>
#include <pub_tool_libcbase.h>
#include <pub_tool_mallocfree.h>
#include <pub_tool_tooliface.h>

/* What the program has there: its addresses are those of the tool. */
static inline const UChar* ridge_bytes_at(Addr address) {
  return (const UChar*)address; /* NOLINT(performance-no-int-to-ptr) */
}

/* ---- instrument.c ---- */

IRSB* ridge_instrument(VgCallbackClosure* closure, IRSB* in, const VexGuestLayout* layout,
                       const VexGuestExtents* extents, const VexArchInfo* host, IRType guest_word,
                       IRType host_word);

/* ---- emit.c: pieces of IR ---- */

IRExpr* ridge_emit(IRSB* block, IRType type, IRExpr* expression);
IRExpr* ridge_constant(ULong value);
IRExpr* ridge_emit_load(IRSB* block, IRExpr* address);
void ridge_emit_store(IRSB* block, IRExpr* address, IRExpr* value);
/* Adds a value of 64 bits to a counter of the thread that runs. */
void ridge_emit_count(IRSB* block, UInt slot, IRExpr* value);

/* ---- record.c ---- */

/* Writes the record of this process; the path of the file is valid until the next one is written.
 * Null if there is none: not asked for, or nothing could be written. */
const HChar* ridge_write_record(void);
extern const HChar* ridge_record_prefix; /* null: no record */
extern Bool ridge_process_forked;
extern Bool ridge_process_execs; /* it is about to become another program */

#endif
