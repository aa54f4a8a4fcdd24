/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Pieces of IR. */
#include "instrument/valgrind_tool/threads.h"
#include "instrument/valgrind_tool/tool.h"

IRExpr* ridge_emit(IRSB* block, IRType type, IRExpr* expression) {
  const IRTemp result = newIRTemp(block->tyenv, type);
  addStmtToIRSB(block, IRStmt_WrTmp(result, expression));
  return IRExpr_RdTmp(result);
}

IRExpr* ridge_constant(ULong value) {
  return IRExpr_Const(IRConst_U64(value));
}

IRExpr* ridge_emit_load(IRSB* block, IRExpr* address) {
  return ridge_emit(block, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, address));
}

void ridge_emit_store(IRSB* block, IRExpr* address, IRExpr* value) {
  addStmtToIRSB(block, IRStmt_Store(Iend_LE, address, value));
}

void ridge_emit_count(IRSB* block, UInt slot, IRExpr* value) {
  IRExpr* counts = ridge_emit_load(block, ridge_constant((Addr)&ridge_counts));
  IRExpr* counter = ridge_emit(
      block, Ity_I64, IRExpr_Binop(Iop_Add64, counts, ridge_constant(slot * sizeof(ULong))));
  IRExpr* before = ridge_emit_load(block, counter);
  IRExpr* after = ridge_emit(block, Ity_I64, IRExpr_Binop(Iop_Add64, before, value));
  ridge_emit_store(block, counter, after);
}
