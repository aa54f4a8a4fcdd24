// Costs of calls and of target-independent intrinsics.
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>

#include "instrument/llvm_pass/cost/generic/cost.hpp"

namespace ridge::pass {

using namespace llvm;

void CostModel::call(CallBase& call, Cost& cost) {
  switch (classify(call)) {
    case CallKind::intrinsic:
      if (auto* known = dyn_cast<IntrinsicInst>(&call)) intrinsic(*known, cost);
      return;
    case CallKind::assembly:
      if (!cast<InlineAsm>(call.getCalledOperand())->getAsmString().empty()) {
        add_named(cost, RIDGE_OPAQUE, "inline assembly");
      }
      return;
    case CallKind::math:
      return math_call(call, callee_name(call), cost);
    case CallKind::memory:
      return add_named(cost, RIDGE_CALLS, callee_name(call));
    case CallKind::instrumented:
    case CallKind::marker:
      return;
    case CallKind::external:
    case CallKind::waiting:
    case CallKind::cheap:
      return add_named(cost, RIDGE_OPAQUE, callee_name(call));
  }
}

/// sqrt and fma count like the instruction, rounding and the like as other operations, the rest by
/// name.
void CostModel::math_call(CallBase& call, StringRef name, Cost& cost) {
  const Type* type = call.getType();
  const bool counted = precision_of(type).has_value();
  const bool simple =
      StringSwitch<bool>(name)
          .Cases("fmin", "fminf", "fmax", "fmaxf", true)
          .Cases("fabs", "fabsf", "floor", "floorf", "ceil", "ceilf", true)
          .Cases("round", "roundf", "trunc", "truncf", "rint", "rintf", true)
          .Cases("nearbyint", "nearbyintf", "copysign", "copysignf", true)
          .Cases("roundeven", "roundevenf", "lround", "lroundf", true)
          .Cases("llround", "llroundf", "lrint", "lrintf", "llrint", "llrintf", true)
          .Default(false);
  if (counted && (name == "sqrt" || name == "sqrtf")) {
    add_flops(cost, type, RIDGE_SQRT, 1);
  } else if (counted && (name == "fma" || name == "fmaf")) {
    add_fma(cost, type);
  } else if (simple) {
    add_other(cost, type);
  } else {
    add_named(cost, RIDGE_CALLS, name, lanes_of(type));
  }
}

/// A horizontal reduction of n lanes is n - 1 operations, halving in width where order is free, and
/// one more for a start value that changes the result.
void CostModel::add_reduction(Cost& cost, IntrinsicInst& call, uint16_t operation) {
  auto* vector = cast<VectorType>(call.getArgOperand(1)->getType());
  const auto* start = dyn_cast<ConstantFP>(call.getArgOperand(0));
  bool identity = isa<UndefValue>(call.getArgOperand(0));
  if (start && operation == RIDGE_ADD) {
    identity = start->isZero() && (start->isNegative() || call.hasNoSignedZeros());
  } else if (start) {
    identity = start->isExactlyValue(1.0);
  }
  Type* element = vector->getElementType();
  unsigned lanes = lanes_of(vector);
  if (call.hasAllowReassoc() && isPowerOf2_32(lanes)) {
    for (lanes /= 2; lanes >= 1; lanes /= 2) {
      add_flops(cost, lanes == 1 ? element : FixedVectorType::get(element, lanes), operation, 1);
      if (lanes == 1) break;
    }
  } else {
    for (unsigned lane = 1; lane < lanes; ++lane) add_flops(cost, element, operation, 1);
  }
  if (!identity) add_flops(cost, element, operation, 1);
}

bool CostModel::constrained_intrinsic(IntrinsicInst& call, Cost& cost) {
  auto* constrained = dyn_cast<ConstrainedFPIntrinsic>(&call);
  if (!constrained) return false;
  const Type* type = call.getType();
  switch (call.getIntrinsicID()) {
    case Intrinsic::experimental_constrained_fadd:
    case Intrinsic::experimental_constrained_fsub:
      add_flops(cost, type, RIDGE_ADD, 1);
      break;
    case Intrinsic::experimental_constrained_fmul:
      add_flops(cost, type, RIDGE_MUL, 1);
      break;
    case Intrinsic::experimental_constrained_fdiv:
      add_flops(cost, type, RIDGE_DIV, 1);
      break;
    case Intrinsic::experimental_constrained_sqrt:
      add_flops(cost, type, RIDGE_SQRT, 1);
      break;
    case Intrinsic::experimental_constrained_fma:
      add_fma(cost, type);
      break;
    case Intrinsic::experimental_constrained_fmuladd:
      add_multiply_add(cost, type);
      break;
    default: {
      StringRef name = call.getCalledFunction()->getName();
      name.consume_front("llvm.experimental.constrained.");
      name = name.split('.').first;
      const bool math = StringSwitch<bool>(name)
                            .Cases("sin", "cos", "tan", "exp", "exp2", "log", "log2", "log10", true)
                            .Cases("pow", "powi", "frem", "ldexp", true)
                            .Default(false);
      if (math) {
        add_named(cost, RIDGE_CALLS, name, lanes_of(type));
      } else {
        add_other(cost, call.getArgOperand(0)->getType());
      }
    }
  }
  return true;
}

bool CostModel::vp_intrinsic(IntrinsicInst& call, Cost& cost) {
  auto* vp = dyn_cast<VPIntrinsic>(&call);
  if (!vp) return false;
  if (vp->getMemoryPointerParam()) return true;
  const LaneMask mask{vp->getMaskParam(), vp->getVectorLengthParam(), lanes_of(call.getType())};
  const Type* type = call.getType();
  if (!type->isFPOrFPVectorTy() || mask.lanes > 64) return !type->isFPOrFPVectorTy();
  switch (vp->getFunctionalOpcode().value_or(0)) {
    case Instruction::FAdd:
    case Instruction::FSub:
      add_flops(cost, type, RIDGE_ADD, 1, mask);
      return true;
    case Instruction::FMul:
      add_flops(cost, type, RIDGE_MUL, 1, mask);
      return true;
    case Instruction::FDiv:
      add_flops(cost, type, RIDGE_DIV, 1, mask);
      return true;
    default:
      break;
  }
  if (call.getIntrinsicID() == Intrinsic::vp_fma ||
      call.getIntrinsicID() == Intrinsic::vp_fmuladd) {
    add_flops(cost, type, RIDGE_FMA, 2, mask);
  } else if (call.getIntrinsicID() == Intrinsic::vp_sqrt) {
    add_flops(cost, type, RIDGE_SQRT, 1, mask);
  } else {
    add_named(cost, RIDGE_OPAQUE, call.getCalledFunction()->getName());
  }
  return true;
}

bool CostModel::math_intrinsic(IntrinsicInst& call, Cost& cost) {
  const Type* type = call.getType();
  StringRef name = call.getCalledFunction()->getName();
  name.consume_front("llvm.");
  name = name.split('.').first;
  switch (call.getIntrinsicID()) {
    case Intrinsic::fma:
      add_fma(cost, type);
      return true;
    case Intrinsic::fmuladd:
      add_multiply_add(cost, type);
      return true;
    case Intrinsic::sqrt:
      add_flops(cost, type, RIDGE_SQRT, 1);
      return true;
    case Intrinsic::vector_reduce_fadd:
      add_reduction(cost, call, RIDGE_ADD);
      return true;
    case Intrinsic::vector_reduce_fmul:
      add_reduction(cost, call, RIDGE_MUL);
      return true;
    case Intrinsic::vector_reduce_fmax:
    case Intrinsic::vector_reduce_fmin:
    case Intrinsic::vector_reduce_fmaximum:
    case Intrinsic::vector_reduce_fminimum:
    case Intrinsic::is_fpclass:
      add_other(cost, call.getArgOperand(0)->getType());
      return true;
    default:
      break;
  }
  return named_intrinsic(call, name, cost);
}

/// Intrinsics on floating-point operands that are told by their name.
bool CostModel::named_intrinsic(IntrinsicInst& call, StringRef name, Cost& cost) {
  const Type* operand = call.arg_size() > 0 ? call.getArgOperand(0)->getType() : call.getType();
  if (!operand->isFPOrFPVectorTy()) return false;
  const bool other = StringSwitch<bool>(name)
                         .Cases("minnum", "maxnum", "minimum", "maximum", "fabs", "copysign", true)
                         .Cases("floor", "ceil", "trunc", "rint", "nearbyint", "round", true)
                         .Cases("roundeven", "lround", "llround", "lrint", "llrint", true)
                         .Cases("canonicalize", "fptosi", "fptoui", "convert", true)
                         .Default(false);
  const bool math =
      StringSwitch<bool>(name)
          .Cases("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", true)
          .Cases("exp", "exp2", "exp10", "log", "log2", "log10", "pow", "powi", "ldexp", true)
          .Case("frexp", true)
          .Default(false);
  if (other) add_other(cost, operand);
  if (math) {
    const bool single = operand->getScalarType()->isFloatTy();
    add_named(cost, RIDGE_CALLS, single ? (name + Twine("f")).str() : name.str(),
              lanes_of(operand));
  }
  return other || math;
}

bool CostModel::integer_intrinsic(IntrinsicInst& call, Cost& cost) {
  const auto add = [&](uint64_t operations) {
    if (data_operations_.contains(&call)) cost.fixed.push_back({{RIDGE_INT_OPS}, operations});
    return true;
  };
  switch (call.getIntrinsicID()) {
    case Intrinsic::fshl:
    case Intrinsic::fshr:
    case Intrinsic::sadd_sat:
    case Intrinsic::uadd_sat:
    case Intrinsic::ssub_sat:
    case Intrinsic::usub_sat:
    case Intrinsic::sshl_sat:
    case Intrinsic::ushl_sat:
      return add(lanes_of(call.getType()));
    case Intrinsic::vector_reduce_add:
    case Intrinsic::vector_reduce_mul:
    case Intrinsic::vector_reduce_and:
    case Intrinsic::vector_reduce_or:
    case Intrinsic::vector_reduce_xor:
      return add(lanes_of(call.getArgOperand(0)->getType()) - 1);
    default:
      return false;
  }
}

void CostModel::intrinsic(IntrinsicInst& call, Cost& cost) {
  if (isa<DbgInfoIntrinsic>(call) || call.isLifetimeStartOrEnd()) return;
  if (isa<AnyMemTransferInst, AnyMemSetInst>(call)) {
    StringRef name = isa<AnyMemSetInst>(call)    ? "memset"
                     : isa<AnyMemMoveInst>(call) ? "memmove"
                                                 : "memcpy";
    return add_named(cost, RIDGE_CALLS, name);
  }
  if (constrained_intrinsic(call, cost) || vp_intrinsic(call, cost) || math_intrinsic(call, cost) ||
      integer_intrinsic(call, cost)) {
    return;
  }
  const StringRef name = call.getCalledFunction()->getName();
  if (name.starts_with("llvm.x86.")) {
    const bool accessed = !cost.empty();  // gathers and masked moves: bytes are known
    if (!x86_cost(call, target_, cost) && !accessed) {
      add_named(cost, RIDGE_OPAQUE, name);
    }
  } else if (name.starts_with("llvm.matrix.multiply")) {
    add_named(cost, RIDGE_OPAQUE, name);
  }
}

}  // namespace ridge::pass
