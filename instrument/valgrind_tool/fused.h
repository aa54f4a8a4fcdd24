/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Multiply and add in one rounding, as VEX has it of an instruction: one expression for each lane.
 */
#ifndef RIDGE_INSTRUMENT_VALGRIND_TOOL_FUSED_H
#define RIDGE_INSTRUMENT_VALGRIND_TOOL_FUSED_H

#include "instrument/valgrind_tool/tool.h"

/* a * b + c, with signs. */
struct ridge_fused {
  IRExpr* operands[3]; /* a, b, c */
  Bool is_double;
  Bool minus_product;
  Bool minus_addend;
};

/* How the helpers compute; the lowest two bits are the rounding, which VEX numbers as the processor
 * does: nearest, down, up, to zero. */
enum { RIDGE_ROUNDING = 3, RIDGE_MINUS_PRODUCT = 4, RIDGE_MINUS_ADDEND = 8 };

static inline ULong ridge_signs_of(const struct ridge_fused* fused) {
  return (fused->minus_product ? RIDGE_MINUS_PRODUCT : 0) |
         (fused->minus_addend ? RIDGE_MINUS_ADDEND : 0);
}

/* Sets the rounding of the processor for a while; returns what to end with. */
UInt ridge_begin_rounding(ULong how);
void ridge_end_rounding(ULong how, UInt before);

/* False: the expression is something else. */
Bool ridge_fused_of(const IRExpr* expression, struct ridge_fused* fused);

/* Makes one call of the `count` statements, which put lanes of a vector into a register. False, and
 * nothing has changed: they are of another shape. */
Bool ridge_mend_vector(IRSB* block, const Int* statements, UInt count);

#endif
