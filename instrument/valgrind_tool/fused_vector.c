/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Vectors of products and sums in one call. See fused.h. */
#include <immintrin.h>
#include <pub_tool_guest.h>
#include <pub_tool_machine.h>
#include <stddef.h>

#include "instrument/valgrind_tool/fused.h"

/* What a call is to do: places of the operands and of the result in the state of the thread, in
 * units of 8 bytes, and what else it has to know. One word, because it is a constant. */
enum { PLACE_BITS = 10, PLACES = 4, IS_DOUBLE = 1, IS_WIDE = 2, ODD_ADDEND_DIFFERS = 4 };
enum { SIGNS_SHIFT = PLACES * PLACE_BITS, FLAGS_SHIFT = SIGNS_SHIFT + 4 };

static UChar* place_in(VexGuestArchState* guest, ULong what, UInt index) {
  const ULong units = what >> index * PLACE_BITS & ((1U << PLACE_BITS) - 1);
  return (UChar*)guest + units * 8;
}

/* In halves, as Valgrind's code stores and loads them: a load of both would wait for its stores. */
static __attribute__((target("avx"))) __m256d load(const UChar* place, Bool wide) {
  const __m128d low = _mm_loadu_pd((const double*)place);
  const __m128d high = wide ? _mm_loadu_pd((const double*)(place + 16)) : _mm_setzero_pd();
  return _mm256_insertf128_pd(_mm256_castpd128_pd256(low), high, 1);
}

static __attribute__((target("avx"))) void store(UChar* place, Bool wide, __m256d value) {
  _mm_storeu_pd((double*)place, _mm256_castpd256_pd128(value));
  if (wide) {
    _mm_storeu_pd((double*)(place + 16), _mm256_extractf128_pd(value, 1));
  }
}

enum { SUBTRACT_ADD = 16 }; /* the addends of odd lanes have the other sign */

static __attribute__((target("avx,fma"))) __m256d fuse_doubles(ULong how, __m256d x, __m256d y,
                                                               __m256d z) {
  switch (how) {
    case 0:
      __asm__ volatile("vfmadd213pd %2, %1, %0" : "+x"(x) : "x"(y), "x"(z));
      break;
    case RIDGE_MINUS_ADDEND:
      __asm__ volatile("vfmsub213pd %2, %1, %0" : "+x"(x) : "x"(y), "x"(z));
      break;
    case RIDGE_MINUS_PRODUCT:
      __asm__ volatile("vfnmadd213pd %2, %1, %0" : "+x"(x) : "x"(y), "x"(z));
      break;
    case RIDGE_MINUS_PRODUCT | RIDGE_MINUS_ADDEND:
      __asm__ volatile("vfnmsub213pd %2, %1, %0" : "+x"(x) : "x"(y), "x"(z));
      break;
    case RIDGE_MINUS_ADDEND | SUBTRACT_ADD:
      __asm__ volatile("vfmaddsub213pd %2, %1, %0" : "+x"(x) : "x"(y), "x"(z));
      break;
    default:
      __asm__ volatile("vfmsubadd213pd %2, %1, %0" : "+x"(x) : "x"(y), "x"(z));
      break;
  }
  return x;
}

static __attribute__((target("avx,fma"))) __m256d fuse_floats(ULong how, __m256d x, __m256d y,
                                                              __m256d z) {
  switch (how) {
    case 0:
      __asm__ volatile("vfmadd213ps %2, %1, %0" : "+x"(x) : "x"(y), "x"(z));
      break;
    case RIDGE_MINUS_ADDEND:
      __asm__ volatile("vfmsub213ps %2, %1, %0" : "+x"(x) : "x"(y), "x"(z));
      break;
    case RIDGE_MINUS_PRODUCT:
      __asm__ volatile("vfnmadd213ps %2, %1, %0" : "+x"(x) : "x"(y), "x"(z));
      break;
    case RIDGE_MINUS_PRODUCT | RIDGE_MINUS_ADDEND:
      __asm__ volatile("vfnmsub213ps %2, %1, %0" : "+x"(x) : "x"(y), "x"(z));
      break;
    case RIDGE_MINUS_ADDEND | SUBTRACT_ADD:
      __asm__ volatile("vfmaddsub213ps %2, %1, %0" : "+x"(x) : "x"(y), "x"(z));
      break;
    default:
      __asm__ volatile("vfmsubadd213ps %2, %1, %0" : "+x"(x) : "x"(y), "x"(z));
      break;
  }
  return x;
}

static __attribute__((target("avx,fma"))) void fuse_vector(VexGuestArchState* guest, ULong what) {
  const ULong flags = what >> FLAGS_SHIFT;
  const Bool wide = (flags & IS_WIDE) != 0;
  const ULong rounding = guest->guest_SSEROUND;
  const ULong how = (what >> SIGNS_SHIFT & 15) | (flags & ODD_ADDEND_DIFFERS ? SUBTRACT_ADD : 0);
  const __m256d x = load(place_in(guest, what, 0), wide);
  const __m256d y = load(place_in(guest, what, 1), wide);
  const __m256d z = load(place_in(guest, what, 2), wide);
  const UInt before = ridge_begin_rounding(rounding);
  const __m256d result =
      (flags & IS_DOUBLE) != 0 ? fuse_doubles(how, x, y, z) : fuse_floats(how, x, y, z);
  ridge_end_rounding(rounding, before);
  store(place_in(guest, what, 3), wide, result);
}

/* ---- code ---- */

/* Where the first lane of an operand lies: in a register, or in memory behind an address. */
struct place {
  Int offset;     /* in the state; of memory: behind the address */
  IRTemp address; /* IRTemp_INVALID: in a register */
};

static Bool place_of(const IRExpr* operand, Int lane_offset, struct place* place) {
  if (operand->tag == Iex_Get) {
    *place = (struct place){operand->Iex.Get.offset - lane_offset, IRTemp_INVALID};
    return True;
  }
  const IRExpr* address = operand->tag == Iex_Load ? operand->Iex.Load.addr : NULL;
  if (address == NULL || address->tag != Iex_Binop || address->Iex.Binop.op != Iop_Add64 ||
      address->Iex.Binop.arg1->tag != Iex_RdTmp || address->Iex.Binop.arg2->tag != Iex_Const) {
    return False;
  }
  *place = (struct place){(Int)address->Iex.Binop.arg2->Iex.Const.con->Ico.U64 - lane_offset,
                          address->Iex.Binop.arg1->Iex.RdTmp.tmp};
  return True;
}

struct vector {
  struct place places[PLACES]; /* operands, result */
  ULong signs;
  Int bytes;
  Bool is_double;
  Bool odd_addend_differs;
};

static Bool take_lane(struct vector* vector, const IRStmt* put, UInt lane) {
  struct ridge_fused fused;
  ridge_fused_of(put->Ist.Put.data, &fused);
  const Int lane_offset = (Int)lane * (fused.is_double ? 8 : 4);
  const ULong signs = ridge_signs_of(&fused);
  struct place places[PLACES] = {[3] = {put->Ist.Put.offset - lane_offset, IRTemp_INVALID}};
  for (UInt i = 0; i < 3; ++i) {
    if (!place_of(fused.operands[i], lane_offset, &places[i])) {
      return False;
    }
  }
  if (lane == 0) {
    vector->is_double = fused.is_double;
    vector->signs = signs;
    VG_(memcpy)(vector->places, places, sizeof(places));
  }
  if (lane == 1) {
    vector->odd_addend_differs = signs != vector->signs;
  }
  vector->bytes = lane_offset + (fused.is_double ? 8 : 4);
  const ULong expected = lane % 2 == 1 && vector->odd_addend_differs
                             ? vector->signs ^ RIDGE_MINUS_ADDEND
                             : vector->signs;
  Bool same = fused.is_double == vector->is_double && signs == expected;
  for (UInt i = 0; i < PLACES; ++i) {
    same = same && places[i].offset == vector->places[i].offset &&
           places[i].address == vector->places[i].address;
  }
  return same;
}

/* What is in memory is loaded into a register that no program has. Returns how many were. */
static UInt load_operands(IRSB* block, Int statement, struct vector* vector) {
  const Int spare = offsetof(VexGuestArchState, guest_YMM16);
  UInt loaded = 0;
  for (UInt i = 0; i < 3; ++i) {
    struct place* place = &vector->places[i];
    if (place->address != IRTemp_INVALID) {
      IRExpr* address = IRExpr_Binop(Iop_Add64, IRExpr_RdTmp(place->address),
                                     ridge_constant((ULong)place->offset));
      block->stmts[statement] = IRStmt_Put(
          spare, IRExpr_Load(Iend_LE, vector->bytes == 32 ? Ity_V256 : Ity_V128, address));
      *place = (struct place){spare, IRTemp_INVALID};
      ++loaded;
    }
  }
  return loaded;
}

static void add_effect(IRDirty* call, IREffect effect, Int offset, Int bytes) {
  for (Int i = 0; i < call->nFxState; ++i) {
    if (call->fxState[i].offset == offset) {
      call->fxState[i].fx = call->fxState[i].fx == effect ? effect : Ifx_Modify;
      return;
    }
  }
  const Int added = call->nFxState++;
  call->fxState[added].fx = effect;
  call->fxState[added].offset = (UShort)offset;
  call->fxState[added].size = (UShort)bytes;
  call->fxState[added].nRepeats = 0;
  call->fxState[added].repeatLen = 0;
}

static IRStmt* call_for(const struct vector* vector) {
  ULong what = vector->signs << SIGNS_SHIFT |
               (ULong)((vector->is_double ? IS_DOUBLE : 0) | (vector->bytes == 32 ? IS_WIDE : 0) |
                       (vector->odd_addend_differs ? ODD_ADDEND_DIFFERS : 0))
                   << FLAGS_SHIFT;
  for (UInt i = 0; i < PLACES; ++i) {
    what |= (ULong)(vector->places[i].offset / 8) << i * PLACE_BITS;
  }
  IRDirty* call = unsafeIRDirty_0_N(0, "ridge_fuse_vector", VG_(fnptr_to_fnentry)(&fuse_vector),
                                    mkIRExprVec_2(IRExpr_GSPTR(), ridge_constant(what)));
  for (UInt i = 0; i < PLACES; ++i) {
    add_effect(call, i < 3 ? Ifx_Read : Ifx_Write, vector->places[i].offset, vector->bytes);
  }
  add_effect(call, Ifx_Read, offsetof(VexGuestArchState, guest_SSEROUND), sizeof(ULong));
  return IRStmt_Dirty(call);
}

Bool ridge_mend_vector(IRSB* block, const Int* statements, UInt count) {
  struct vector vector = {.bytes = 0};
  UInt in_memory = 0;
  for (UInt lane = 0; lane < count; ++lane) {
    if (!take_lane(&vector, block->stmts[statements[lane]], lane)) {
      return False;
    }
  }
  for (UInt i = 0; i < 3; ++i) {
    in_memory += vector.places[i].address != IRTemp_INVALID;
  }
  if ((vector.bytes != 16 && vector.bytes != 32) || in_memory > 1 ||
      (vector.odd_addend_differs && (vector.signs & RIDGE_MINUS_PRODUCT) != 0)) {
    return False;
  }
  for (UInt lane = 0; lane < count; ++lane) {
    block->stmts[statements[lane]] = IRStmt_NoOp();
  }
  load_operands(block, statements[0], &vector);
  block->stmts[statements[1]] = call_for(&vector);
  return True;
}
