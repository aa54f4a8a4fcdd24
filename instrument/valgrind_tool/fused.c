/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Multiply and add in one rounding. What Valgrind 3.19 makes of these instructions is a hundred
 * times slower than the processor, rounds to nearest whatever the program has set, rounds before it
 * changes the sign of a result, and sets what a scalar one has to leave of its register to zero. So
 * the code that it makes of each instruction is looked at before it goes any further, and the
 * processor is asked instead. */
#include "instrument/valgrind_tool/fused.h"

#include <pub_tool_guest.h>
#include <pub_tool_machine.h>
#include <stddef.h>
#include <xmmintrin.h>

union double_bits {
  ULong bits;
  double value;
};
union float_bits {
  UInt bits;
  float value;
};

UInt ridge_begin_rounding(ULong how) {
  const UInt before = _mm_getcsr();
  if ((how & RIDGE_ROUNDING) != 0) {
    _mm_setcsr((before & ~(UInt)_MM_ROUND_MASK) | (UInt)(how & RIDGE_ROUNDING) << 13);
  }
  return before;
}

void ridge_end_rounding(ULong how, UInt before) {
  if ((how & RIDGE_ROUNDING) != 0) {
    _mm_setcsr(before);
  }
}

/* Volatile: the compiler must not move the operations out of the part where the rounding is set. */
static ULong fuse_double(ULong how, ULong a, ULong b, ULong c) {
  union double_bits x = {a};
  const union double_bits y = {b};
  const union double_bits z = {c};
  const UInt before = ridge_begin_rounding(how);
  switch (how & (RIDGE_MINUS_PRODUCT | RIDGE_MINUS_ADDEND)) {
    case 0:
      __asm__ volatile("vfmadd213sd %2, %1, %0" : "+x"(x.value) : "x"(y.value), "x"(z.value));
      break;
    case RIDGE_MINUS_PRODUCT:
      __asm__ volatile("vfnmadd213sd %2, %1, %0" : "+x"(x.value) : "x"(y.value), "x"(z.value));
      break;
    case RIDGE_MINUS_ADDEND:
      __asm__ volatile("vfmsub213sd %2, %1, %0" : "+x"(x.value) : "x"(y.value), "x"(z.value));
      break;
    default:
      __asm__ volatile("vfnmsub213sd %2, %1, %0" : "+x"(x.value) : "x"(y.value), "x"(z.value));
      break;
  }
  ridge_end_rounding(how, before);
  return x.bits;
}

static ULong fuse_float(ULong how, ULong a, ULong b, ULong c) {
  union float_bits x = {(UInt)a};
  const union float_bits y = {(UInt)b};
  const union float_bits z = {(UInt)c};
  const UInt before = ridge_begin_rounding(how);
  switch (how & (RIDGE_MINUS_PRODUCT | RIDGE_MINUS_ADDEND)) {
    case 0:
      __asm__ volatile("vfmadd213ss %2, %1, %0" : "+x"(x.value) : "x"(y.value), "x"(z.value));
      break;
    case RIDGE_MINUS_PRODUCT:
      __asm__ volatile("vfnmadd213ss %2, %1, %0" : "+x"(x.value) : "x"(y.value), "x"(z.value));
      break;
    case RIDGE_MINUS_ADDEND:
      __asm__ volatile("vfmsub213ss %2, %1, %0" : "+x"(x.value) : "x"(y.value), "x"(z.value));
      break;
    default:
      __asm__ volatile("vfnmsub213ss %2, %1, %0" : "+x"(x.value) : "x"(y.value), "x"(z.value));
      break;
  }
  ridge_end_rounding(how, before);
  return x.bits;
}

/* ---- code ---- */

/* The argument if the expression is its negative, else null. */
static IRExpr* negated(const IRExpr* expression) {
  const Bool is_negative = expression->tag == Iex_Unop && (expression->Iex.Unop.op == Iop_NegF64 ||
                                                           expression->Iex.Unop.op == Iop_NegF32);
  return is_negative ? expression->Iex.Unop.arg : NULL;
}

Bool ridge_fused_of(const IRExpr* expression, struct ridge_fused* fused) {
  const IRExpr* inner = negated(expression);
  const IRExpr* whole = inner != NULL ? inner : expression;
  if (whole->tag != Iex_Qop) {
    return False;
  }
  const IRQop* sum = whole->Iex.Qop.details;
  if (sum->op != Iop_MAddF64 && sum->op != Iop_MAddF32) {
    return False;
  }
  IRExpr* addend = negated(sum->arg4);
  *fused =
      (struct ridge_fused){.operands = {sum->arg2, sum->arg3, addend != NULL ? addend : sum->arg4},
                           .is_double = sum->op == Iop_MAddF64,
                           .minus_product = inner != NULL,
                           .minus_addend = (addend != NULL) != (inner != NULL)};
  return True;
}

static IRExpr* bits_of(Bool is_double, IRExpr* value) {
  return is_double ? IRExpr_Unop(Iop_ReinterpF64asI64, value)
                   : IRExpr_Unop(Iop_32Uto64, IRExpr_Unop(Iop_ReinterpF32asI32, value));
}

static IRExpr* call_of(const struct ridge_fused* fused) {
  const Bool is_double = fused->is_double;
  IRExpr* how =
      IRExpr_Binop(Iop_Or64, IRExpr_Get(offsetof(VexGuestArchState, guest_SSEROUND), Ity_I64),
                   ridge_constant(ridge_signs_of(fused)));
  IRExpr* bits =
      mkIRExprCCall(Ity_I64, 0, is_double ? "ridge_fuse_double" : "ridge_fuse_float",
                    VG_(fnptr_to_fnentry)(is_double ? (void*)fuse_double : (void*)fuse_float),
                    mkIRExprVec_4(how, bits_of(is_double, fused->operands[0]),
                                  bits_of(is_double, fused->operands[1]),
                                  bits_of(is_double, fused->operands[2])));
  return is_double ? IRExpr_Unop(Iop_ReinterpI64asF64, bits)
                   : IRExpr_Unop(Iop_ReinterpI32asF32, IRExpr_Unop(Iop_64to32, bits));
}

/* Of a scalar instruction that writes the register at `offset`, the zeros behind its result. */
static void keep_rest_of_register(IRSB* block, Int first, Int offset) {
  for (Int i = first; i < block->stmts_used; ++i) {
    const IRStmt* put = block->stmts[i];
    if (put->tag == Ist_Put && put->Ist.Put.data->tag == Iex_Const &&
        put->Ist.Put.offset > offset && put->Ist.Put.offset < offset + 16) {
      block->stmts[i] = IRStmt_NoOp();
    }
  }
}

/* What one instruction has become: the statements from `first` on. */
static void mend_instruction(IRSB* block, Int first) {
  enum { MOST_LANES = 8 };
  Int lanes[MOST_LANES];
  UInt count = 0;
  struct ridge_fused fused;
  for (Int i = first; i < block->stmts_used && count < MOST_LANES; ++i) {
    const IRStmt* put = block->stmts[i];
    if (put->tag == Ist_Put && ridge_fused_of(put->Ist.Put.data, &fused)) {
      lanes[count++] = i;
    }
  }
  if (count > 1 && ridge_mend_vector(block, lanes, count)) {
    return;
  }
  for (UInt i = 0; i < count; ++i) {
    IRStmt* put = block->stmts[lanes[i]];
    ridge_fused_of(put->Ist.Put.data, &fused);
    put->Ist.Put.data = call_of(&fused);
  }
  if (count == 1) {
    keep_rest_of_register(block, first, block->stmts[lanes[0]]->Ist.Put.offset);
  }
}

/* Valgrind's function that translates one instruction, which the linker calls real, and what stands
 * between it and its caller. Of its arguments only the first is known here; the others are passed
 * on, with a few words to spare, and so is the result. */
struct two_words {
  UWord first;
  UWord second;
};
/* NOLINTBEGIN(bugprone-reserved-identifier): names that the linker wants */
struct two_words __real_disInstr_AMD64(IRSB* block, UWord, UWord, UWord, UWord, UWord, UWord, UWord,
                                       UWord);
struct two_words __wrap_disInstr_AMD64(IRSB* block, UWord, UWord, UWord, UWord, UWord, UWord, UWord,
                                       UWord);

struct two_words __wrap_disInstr_AMD64(IRSB* block, UWord code, UWord delta, UWord address,
                                       UWord architecture, UWord host, UWord interface, UWord order,
                                       UWord diagnoses) {
  const Int first = block->stmts_used;
  const struct two_words result = __real_disInstr_AMD64(block, code, delta, address, architecture,
                                                        host, interface, order, diagnoses);
  mend_instruction(block, first);
  return result;
}
/* NOLINTEND(bugprone-reserved-identifier) */
