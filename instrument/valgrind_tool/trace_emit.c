/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Code that appends accesses to the batch of the thread that runs. The cursor is loaded once for a
 * straight stretch, where there is also the one look whether the batch has room; behind the last
 * access it is stored. See trace.h. */
#include <pub_tool_machine.h>
#include <stddef.h>

#include "instrument/engine/traffic.h"
#include "instrument/valgrind_tool/batch.h"
#include "instrument/valgrind_tool/opcode.h"
#include "instrument/valgrind_tool/trace.h"

static const ULong entry_bytes = sizeof(struct ridge_trace_entry);

static IRExpr* load_place(IRSB* block, const void* member) {
  return ridge_emit_load(block, ridge_constant((Addr)member));
}

static IRExpr* plus(IRSB* block, IRExpr* value, ULong constant) {
  return constant == 0
             ? value
             : ridge_emit(block, Ity_I64, IRExpr_Binop(Iop_Add64, value, ridge_constant(constant)));
}

static void emit_flush(IRSB* block, IRExpr* when) {
  IRDirty* call =
      unsafeIRDirty_0_N(0, "ridge_flush_batch", VG_(fnptr_to_fnentry)(&ridge_flush_batch),
                        mkIRExprVec_1(IRExpr_GSPTR()));
  call->guard = when;
  /* VEX wants to know of something, since the call gets the state of the thread. */
  call->nFxState = 1;
  call->fxState[0].fx = Ifx_Read;
  call->fxState[0].offset = offsetof(VexGuestArchState, guest_RIP);
  call->fxState[0].size = sizeof(ULong);
  call->fxState[0].nRepeats = 0;
  call->fxState[0].repeatLen = 0;
  addStmtToIRSB(block, IRStmt_Dirty(call));
}

static void open_batch(struct ridge_trace_emitter* emitter) {
  IRSB* block = emitter->block;
  IRExpr* cursor = load_place(block, &ridge_batch_place.cursor);
  IRExpr* limit = load_place(block, &ridge_batch_place.limit);
  emit_flush(block, ridge_emit(block, Ity_I1, IRExpr_Binop(Iop_CmpLT64U, limit, cursor)));
  emitter->cursor = load_place(block, &ridge_batch_place.cursor);
  emitter->appended = 0;
  emitter->room = ENGINE_TRACE_ROOM;
}

void ridge_trace_close(struct ridge_trace_emitter* emitter) {
  if (emitter->cursor != NULL) {
    ridge_emit_store(emitter->block, ridge_constant((Addr)&ridge_batch_place.cursor),
                     plus(emitter->block, emitter->cursor, emitter->appended * entry_bytes));
    emitter->cursor = NULL;
  }
}

/* A guard that does not hold leaves the cursor where it is: the next entry overwrites this one. */
static void move_cursor(struct ridge_trace_emitter* emitter, IRExpr* guard) {
  if (guard == NULL) {
    ++emitter->appended;
    return;
  }
  IRSB* block = emitter->block;
  IRExpr* holds = ridge_emit(block, Ity_I64, IRExpr_Unop(Iop_1Uto64, guard));
  IRExpr* bytes =
      ridge_emit(block, Ity_I64, IRExpr_Binop(Iop_Shl64, holds, IRExpr_Const(IRConst_U8(4))));
  IRExpr* cursor = plus(block, emitter->cursor, emitter->appended * entry_bytes);
  emitter->cursor = ridge_emit(block, Ity_I64, IRExpr_Binop(Iop_Add64, cursor, bytes));
  emitter->appended = 0;
}

static void append(struct ridge_trace_emitter* emitter, IRExpr* address, UInt bytes, Bool write,
                   IRExpr* guard) {
  _Static_assert(sizeof(struct ridge_trace_entry) == 16, "the shift above");
  if (emitter->cursor != NULL && emitter->room == 0) {
    ridge_trace_close(emitter);
  }
  if (emitter->cursor == NULL) {
    open_batch(emitter);
  }
  --emitter->room;
  const ULong flags = (write ? RIDGE_TRACE_WRITE : 0) |
                      (write && emitter->non_temporal ? RIDGE_TRACE_NON_TEMPORAL : 0);
  const ULong meta =
      (ULong)emitter->region << RIDGE_TRACE_REGION_SHIFT | flags << RIDGE_TRACE_FLAGS_SHIFT | bytes;
  const ULong at = emitter->appended * entry_bytes;
  ridge_emit_store(emitter->block, plus(emitter->block, emitter->cursor, at), address);
  ridge_emit_store(
      emitter->block,
      plus(emitter->block, emitter->cursor, at + offsetof(struct ridge_trace_entry, meta)),
      ridge_constant(meta));
  move_cursor(emitter, guard);
}

void ridge_trace_instruction(struct ridge_trace_emitter* emitter, Addr address, UInt bytes,
                             UInt mapping) {
  if (ridge_traffic != NULL) {
    emitter->region = ridge_region_of(address, mapping);
    emitter->non_temporal = ridge_is_non_temporal(ridge_bytes_at(address), bytes);
  }
}

static void append_load_guarded(struct ridge_trace_emitter* emitter, const IRLoadG* load) {
  IRType result = Ity_INVALID;
  IRType loaded = Ity_INVALID;
  typeOfIRLoadGOp(load->cvt, &result, &loaded);
  append(emitter, load->addr, (UInt)sizeofIRType(loaded), False, load->guard);
}

static void append_exchange(struct ridge_trace_emitter* emitter, const IRTypeEnv* types,
                            const IRCAS* exchange) {
  const UInt parts = exchange->dataHi != NULL ? 2 : 1;
  const UInt bytes = parts * (UInt)sizeofIRType(typeOfIRExpr(types, exchange->dataLo));
  append(emitter, exchange->addr, bytes, False, NULL);
  append(emitter, exchange->addr, bytes, True, NULL);
}

static void append_call(struct ridge_trace_emitter* emitter, const IRDirty* call) {
  const Bool always = call->guard->tag == Iex_Const && call->guard->Iex.Const.con->Ico.U1;
  IRExpr* guard = always ? NULL : call->guard;
  if (call->mFx == Ifx_Read || call->mFx == Ifx_Modify) {
    append(emitter, call->mAddr, (UInt)call->mSize, False, guard);
  }
  if (call->mFx == Ifx_Write || call->mFx == Ifx_Modify) {
    append(emitter, call->mAddr, (UInt)call->mSize, True, guard);
  }
}

void ridge_trace_statement(struct ridge_trace_emitter* emitter, const IRTypeEnv* types,
                           const IRStmt* statement) {
  if (ridge_traffic == NULL) {
    return;
  }
  switch (statement->tag) {
    case Ist_WrTmp: {
      const IRExpr* value = statement->Ist.WrTmp.data;
      if (value->tag == Iex_Load) {
        append(emitter, value->Iex.Load.addr, (UInt)sizeofIRType(value->Iex.Load.ty), False, NULL);
      }
      break;
    }
    case Ist_Store:
      append(emitter, statement->Ist.Store.addr,
             (UInt)sizeofIRType(typeOfIRExpr(types, statement->Ist.Store.data)), True, NULL);
      break;
    case Ist_StoreG: {
      const IRStoreG* store = statement->Ist.StoreG.details;
      append(emitter, store->addr, (UInt)sizeofIRType(typeOfIRExpr(types, store->data)), True,
             store->guard);
      break;
    }
    case Ist_LoadG:
      append_load_guarded(emitter, statement->Ist.LoadG.details);
      break;
    case Ist_CAS:
      append_exchange(emitter, types, statement->Ist.CAS.details);
      break;
    case Ist_Dirty:
      append_call(emitter, statement->Ist.Dirty.details);
      break;
    default:
      break;
  }
}
