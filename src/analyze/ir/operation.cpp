#include "analyze/ir/operation.hpp"

#include <string>

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/IntrinsicInst.h>

namespace ridge::analyze {
namespace {

std::string precision_of(const llvm::Type& type) {
  const llvm::Type* scalar = type.getScalarType();
  return scalar->isDoubleTy()     ? "fp64"
         : scalar->isFloatTy()    ? "fp32"
         : scalar->isHalfTy()     ? "fp16"
         : scalar->isBFloatTy()   ? "bf16"
         : scalar->isX86_FP80Ty() ? "fp80"
         : scalar->isFP128Ty()    ? "fp128"
                                  : "";
}

/// Of functions of the mathematical library that are intrinsics; empty: it computes nothing that
/// counts.
std::string computed_by(const llvm::IntrinsicInst& intrinsic) {
  switch (intrinsic.getIntrinsicID()) {
    case llvm::Intrinsic::fmuladd:
    case llvm::Intrinsic::fma:
      return "fma";
    case llvm::Intrinsic::sqrt:
      return "sqrt";
    case llvm::Intrinsic::vector_reduce_fadd:
      return "add";
    case llvm::Intrinsic::vector_reduce_fmul:
      return "mul";
    case llvm::Intrinsic::exp:
    case llvm::Intrinsic::exp2:
    case llvm::Intrinsic::log:
    case llvm::Intrinsic::log2:
    case llvm::Intrinsic::log10:
    case llvm::Intrinsic::sin:
    case llvm::Intrinsic::cos:
    case llvm::Intrinsic::tan:
    case llvm::Intrinsic::pow:
    case llvm::Intrinsic::powi:
      return llvm::Intrinsic::getBaseName(intrinsic.getIntrinsicID()).drop_front(5).str();
    default:
      break;
  }
  const bool touches_memory =
      intrinsic.mayReadOrWriteMemory() && !intrinsic.isAssumeLikeIntrinsic();
  return touches_memory ? llvm::Intrinsic::getBaseName(intrinsic.getIntrinsicID()).str() : "";
}

/// As the source calls the function.
std::string computed_by(const llvm::CallBase& call) {
  if (call.isInlineAsm()) {
    return "assembly";
  }
  const llvm::Function* callee = call.getCalledFunction();
  if (callee == nullptr) {
    return "call through a pointer";
  }
  const std::string name = callee->getName().str();
  if (name == "sqrt" || name == "sqrtf" || name == "sqrtl") {
    return "sqrt";
  }
  if (name == "fma" || name == "fmaf") {
    return "fma";
  }
  const llvm::DISubprogram* described = callee->getSubprogram();
  if (described != nullptr && described->getName().starts_with("__builtin_")) {
    return name;
  }
  return described != nullptr ? described->getName().str()
                              : llvm::demangle(name).substr(0, llvm::demangle(name).find('('));
}

std::string computed_by(const llvm::Instruction& instruction) {
  switch (instruction.getOpcode()) {
    case llvm::Instruction::FAdd:
    case llvm::Instruction::FSub:
      return "add";
    case llvm::Instruction::FMul:
      return "mul";
    case llvm::Instruction::FDiv:
      return "div";
    case llvm::Instruction::FRem:
      return "fmod";
    default:
      break;
  }
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
    return computed_by(*intrinsic);
  }
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call == nullptr ? std::string() : computed_by(*call);
}

}  // namespace

std::optional<LoopOperation> operation_of(const llvm::Instruction& instruction) {
  LoopOperation made{computed_by(instruction), precision_of(*instruction.getType()), 1, false};
  if (made.what.empty()) {
    return std::nullopt;
  }
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(instruction.getType())) {
    made.count = vector->getNumElements();
  }
  return made;
}

}  // namespace ridge::analyze
