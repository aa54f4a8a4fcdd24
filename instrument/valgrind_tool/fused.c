/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Multiply and add in one rounding. Valgrind computes it in software, a hundred times slower than
 * the processor, which is asked instead, with the rounding that the program has set. The operations
 * are volatile: the compiler must not move them out of the part where that rounding is set. */
#include <pub_tool_machine.h>
#include <xmmintrin.h>

#include "instrument/valgrind_tool/tool.h"

union double_bits {
  ULong bits;
  double value;
};
union float_bits {
  UInt bits;
  float value;
};

static Bool host_has_fused;

void ridge_find_fused(void) {
  __builtin_cpu_init();
  host_has_fused = __builtin_cpu_supports("fma") != 0;
}

/* VEX numbers the roundings as the processor does: nearest, down, up, to zero. */
static UInt begin_rounding(ULong rounding) {
  const UInt before = _mm_getcsr();
  if (rounding != 0) {
    _mm_setcsr((before & ~(UInt)_MM_ROUND_MASK) | (UInt)(rounding & 3) << 13);
  }
  return before;
}

static void end_rounding(ULong rounding, UInt before) {
  if (rounding != 0) {
    _mm_setcsr(before);
  }
}

static ULong add_double(ULong rounding, ULong a, ULong b, ULong c) {
  union double_bits x = {a};
  const union double_bits y = {b};
  const union double_bits z = {c};
  const UInt before = begin_rounding(rounding);
  __asm__ volatile("vfmadd213sd %2, %1, %0" : "+x"(x.value) : "x"(y.value), "x"(z.value));
  end_rounding(rounding, before);
  return x.bits;
}

static ULong subtract_double(ULong rounding, ULong a, ULong b, ULong c) {
  union double_bits x = {a};
  const union double_bits y = {b};
  const union double_bits z = {c};
  const UInt before = begin_rounding(rounding);
  __asm__ volatile("vfmsub213sd %2, %1, %0" : "+x"(x.value) : "x"(y.value), "x"(z.value));
  end_rounding(rounding, before);
  return x.bits;
}

static ULong add_float(ULong rounding, ULong a, ULong b, ULong c) {
  union float_bits x = {(UInt)a};
  const union float_bits y = {(UInt)b};
  const union float_bits z = {(UInt)c};
  const UInt before = begin_rounding(rounding);
  __asm__ volatile("vfmadd213ss %2, %1, %0" : "+x"(x.value) : "x"(y.value), "x"(z.value));
  end_rounding(rounding, before);
  return x.bits;
}

static ULong subtract_float(ULong rounding, ULong a, ULong b, ULong c) {
  union float_bits x = {(UInt)a};
  const union float_bits y = {(UInt)b};
  const union float_bits z = {(UInt)c};
  const UInt before = begin_rounding(rounding);
  __asm__ volatile("vfmsub213ss %2, %1, %0" : "+x"(x.value) : "x"(y.value), "x"(z.value));
  end_rounding(rounding, before);
  return x.bits;
}

static void* helper_of(IROp operation) {
  switch (operation) {
    case Iop_MAddF64:
      return add_double;
    case Iop_MSubF64:
      return subtract_double;
    case Iop_MAddF32:
      return add_float;
    case Iop_MSubF32:
      return subtract_float;
    default:
      return NULL;
  }
}

static IRExpr* bits_of(IRSB* block, Bool is_double, IRExpr* value) {
  if (is_double) {
    return ridge_emit(block, Ity_I64, IRExpr_Unop(Iop_ReinterpF64asI64, value));
  }
  IRExpr* bits = ridge_emit(block, Ity_I32, IRExpr_Unop(Iop_ReinterpF32asI32, value));
  return ridge_emit(block, Ity_I64, IRExpr_Unop(Iop_32Uto64, bits));
}

static IRExpr* value_of(IRSB* block, Bool is_double, IRExpr* bits) {
  if (is_double) {
    return IRExpr_Unop(Iop_ReinterpI64asF64, bits);
  }
  return IRExpr_Unop(Iop_ReinterpI32asF32,
                     ridge_emit(block, Ity_I32, IRExpr_Unop(Iop_64to32, bits)));
}

Bool ridge_emit_fused(IRSB* block, const IRStmt* statement) {
  if (!host_has_fused || statement->tag != Ist_WrTmp ||
      statement->Ist.WrTmp.data->tag != Iex_Qop) {
    return False;
  }
  const IRQop* fused = statement->Ist.WrTmp.data->Iex.Qop.details;
  void* helper = helper_of(fused->op);
  if (helper == NULL) {
    return False;
  }
  const Bool is_double = fused->op == Iop_MAddF64 || fused->op == Iop_MSubF64;
  IRExpr* rounding = ridge_emit(block, Ity_I64, IRExpr_Unop(Iop_32Uto64, fused->arg1));
  IRExpr** arguments =
      mkIRExprVec_4(rounding, bits_of(block, is_double, fused->arg2),
                    bits_of(block, is_double, fused->arg3), bits_of(block, is_double, fused->arg4));
  IRExpr* bits = ridge_emit(block, Ity_I64,
                            mkIRExprCCall(Ity_I64, 0, "ridge_fused",
                                          VG_(fnptr_to_fnentry)(helper), arguments));
  addStmtToIRSB(block, IRStmt_WrTmp(statement->Ist.WrTmp.tmp, value_of(block, is_double, bits)));
  return True;
}
