/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Counting: one counter for each straight stretch of a superblock, that is from its beginning, or
 * from behind a side exit, to the next one. Two passes: the first finds the stretches and their
 * counters, the second emits. */
#include <pub_tool_machine.h>

#include "instrument/valgrind_tool/code.h"
#include "instrument/valgrind_tool/opcode.h"
#include "instrument/valgrind_tool/trace.h"

/* From one IMark on. */
struct stretch {
  Int statement; /* the IMark */
  Addr address;
  UInt bytes;
  UInt block;
  Bool counts;  /* it has a counter of its own */
  Bool repeats; /* one repeated string instruction */
  Bool goes_on; /* the same one again, in the same superblock */
};

struct stretches {
  struct stretch* all;
  UInt count;
};

static const IRStmt* statement_of(const IRSB* block, Int index) {
  return block->stmts[index];
}

/* Whether what follows may run less often than what is before. The check of an address that has to
 * be aligned is none: one that fails ends most programs, and every aligned store has one. */
static Bool may_leave(const IRStmt* statement) {
  return statement->tag == Ist_Exit && statement->Ist.Exit.jk != Ijk_SigSEGV &&
         statement->Ist.Exit.jk != Ijk_SigBUS;
}

/* Whether the IMark begins another stretch, which is then the last one. */
static void take_mark(struct stretches* found, Int index, const IRStmt* mark, Bool left) {
  const Addr address = mark->Ist.IMark.addr;
  const UInt bytes = mark->Ist.IMark.len;
  const Bool repeats = ridge_is_repeated(ridge_bytes_at(address), bytes);
  struct stretch* last = found->count != 0 ? &found->all[found->count - 1] : NULL;
  const Bool alone = repeats || (last != NULL && last->repeats);
  if (last != NULL && !left && !alone && last->address + last->bytes == address) {
    last->bytes += bytes;
    return;
  }
  found->all[found->count++] = (struct stretch){
      .statement = index,
      .address = address,
      .bytes = bytes,
      .counts = last == NULL || left || alone,
      .repeats = repeats,
      .goes_on = repeats && last != NULL && last->repeats && last->address == address};
}

static struct stretches find_stretches(const IRSB* in) {
  UInt marks = 0;
  for (Int i = 0; i < in->stmts_used; ++i) {
    marks += statement_of(in, i)->tag == Ist_IMark;
  }
  struct stretches found = {VG_(malloc)("ridge.stretches", (marks + 1) * sizeof(struct stretch)),
                            0};
  Bool left = False;
  for (Int i = 0; i < in->stmts_used; ++i) {
    const IRStmt* statement = statement_of(in, i);
    if (may_leave(statement)) {
      left = True;
    } else if (statement->tag == Ist_IMark && statement->Ist.IMark.len != 0) {
      take_mark(&found, i, statement, left);
      left = False;
    }
  }
  UInt leader = RIDGE_NONE;
  for (UInt i = 0; i < found.count; ++i) {
    struct stretch* stretch = &found.all[i];
    leader = stretch->counts ? RIDGE_NONE : leader;
    stretch->block = ridge_block_of(stretch->address, stretch->bytes, leader, stretch->repeats);
    leader = leader == RIDGE_NONE ? stretch->block : leader;
  }
  return found;
}

struct emitter {
  IRSB* out;
  const IRTypeEnv* types;
  const struct stretches* stretches;
  UInt next;                    /* stretch */
  const struct stretch* within; /* null: before the first one */
  Bool turned;                  /* the turn of the repeated instruction has been counted */
  struct ridge_trace_emitter trace;
};

static Bool accesses_memory(const IRStmt* statement) {
  return statement->tag == Ist_Store ||
         (statement->tag == Ist_WrTmp && statement->Ist.WrTmp.data->tag == Iex_Load);
}

/* A turn of a repeated instruction is its first access to memory, which only one with turns left
 * makes. */
static void emit_turn(struct emitter* emitter, const IRStmt* statement) {
  if (emitter->within != NULL && emitter->within->repeats && !emitter->turned &&
      accesses_memory(statement)) {
    ridge_emit_count(emitter->out, ridge_code.blocks[emitter->within->block].turns,
                     ridge_constant(1));
    emitter->turned = True;
  }
}

static void emit_mark(struct emitter* emitter, Int index, IRStmt* mark) {
  addStmtToIRSB(emitter->out, mark);
  if (emitter->next < emitter->stretches->count &&
      emitter->stretches->all[emitter->next].statement == index) {
    emitter->within = &emitter->stretches->all[emitter->next++];
    emitter->turned = False;
    if (emitter->within->counts && !emitter->within->goes_on) {
      ridge_trace_close(&emitter->trace);
      ridge_emit_count(emitter->out, ridge_code.blocks[emitter->within->block].slot,
                       ridge_constant(1));
    }
  }
  if (emitter->within != NULL) {
    ridge_trace_instruction(&emitter->trace, mark->Ist.IMark.addr, mark->Ist.IMark.len,
                            ridge_code.blocks[emitter->within->block].mapping);
  }
}

/* The repeated instruction jumps to itself, which will count it once more: one less. */
static Bool jumps_to_itself(const struct emitter* emitter, const IRConst* target) {
  return emitter->within != NULL && emitter->within->repeats && target->tag == Ico_U64 &&
         target->Ico.U64 == emitter->within->address;
}

static void emit_exit(struct emitter* emitter, IRStmt* exit) {
  if (may_leave(exit)) {
    ridge_trace_close(&emitter->trace);
  }
  if (jumps_to_itself(emitter, exit->Ist.Exit.dst)) {
    IRExpr* taken =
        ridge_emit(emitter->out, Ity_I64, IRExpr_Unop(Iop_1Uto64, exit->Ist.Exit.guard));
    IRExpr* less =
        ridge_emit(emitter->out, Ity_I64, IRExpr_Binop(Iop_Sub64, ridge_constant(0), taken));
    ridge_emit_count(emitter->out, ridge_code.blocks[emitter->within->block].slot, less);
  }
  addStmtToIRSB(emitter->out, exit);
}

static VG_REGPARM(1) void note_unknown(UWord number) {
  ridge_code.ran_into = (UInt)number;
}

static void emit_end(struct emitter* emitter, const IRSB* in) {
  ridge_trace_close(&emitter->trace);
  if (in->next->tag != Iex_Const) {
    return;
  }
  const IRConst* target = in->next->Iex.Const.con;
  if (in->jumpkind == Ijk_NoDecode && target->tag == Ico_U64) {
    const UInt number = ridge_unknown_at(target->Ico.U64);
    addStmtToIRSB(emitter->out, IRStmt_Dirty(unsafeIRDirty_0_N(
                                    1, "ridge_note_unknown", VG_(fnptr_to_fnentry)(&note_unknown),
                                    mkIRExprVec_1(mkIRExpr_HWord(number)))));
  } else if (jumps_to_itself(emitter, target)) {
    ridge_emit_count(emitter->out, ridge_code.blocks[emitter->within->block].slot,
                     ridge_constant(~(ULong)0));
  }
}

static void emit_statement(struct emitter* emitter, Int index, IRStmt* statement) {
  switch (statement->tag) {
    case Ist_NoOp:
      return;
    case Ist_IMark:
      emit_mark(emitter, index, statement);
      return;
    case Ist_Exit:
      emit_exit(emitter, statement);
      return;
    default:
      break;
  }
  emit_turn(emitter, statement);
  if (emitter->within != NULL) {
    ridge_trace_statement(&emitter->trace, emitter->types, statement);
  }
  addStmtToIRSB(emitter->out, statement);
}

IRSB* ridge_instrument(VgCallbackClosure* closure, IRSB* in, const VexGuestLayout* layout,
                       const VexGuestExtents* extents, const VexArchInfo* host, IRType guest_word,
                       IRType host_word) {
  (void)closure;
  (void)layout;
  (void)extents;
  (void)host;
  (void)guest_word;
  (void)host_word;
  struct stretches stretches = find_stretches(in);
  IRSB* out = deepCopyIRSBExceptStmts(in);
  struct emitter emitter = {
      .out = out, .types = in->tyenv, .stretches = &stretches, .trace = {.block = out}};
  for (Int i = 0; i < in->stmts_used; ++i) {
    emit_statement(&emitter, i, in->stmts[i]);
  }
  emit_end(&emitter, in);
  VG_(free)(stretches.all);
  return out;
}
