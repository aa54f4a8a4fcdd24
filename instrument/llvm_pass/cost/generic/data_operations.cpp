#include "instrument/llvm_pass/cost/generic/data_operations.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "instrument/llvm_pass/cost/generic/own.hpp"

namespace ridge::pass {

using namespace llvm;

bool is_integer_arithmetic(const Instruction& instruction) {
  return isa<BinaryOperator>(instruction) && instruction.getType()->isIntOrIntVectorTy() &&
         instruction.getType()->getScalarSizeInBits() > 1;
}

namespace {

class DataMarker {
 public:
  void mark(Value* value) {
    auto* instruction = dyn_cast<Instruction>(value);
    if (!instruction || !instruction->getType()->isIntOrIntVectorTy()) return;
    if (seen_.insert(instruction).second) pending_.push_back(instruction);
  }

  /// Operands of `instruction` that are data whatever becomes of its result.
  void mark_sinks(Instruction& instruction) {
    if (is_iterations_call(instruction) || is_own(instruction)) return;
    if (auto* store = dyn_cast<StoreInst>(&instruction)) {
      mark(store->getValueOperand());
    } else if (auto* update = dyn_cast<AtomicRMWInst>(&instruction)) {
      mark(update->getValOperand());
    } else if (isa<ReturnInst>(instruction)) {
      for (Value* operand : instruction.operands()) mark(operand);
    } else if (isa<SIToFPInst, UIToFPInst>(instruction)) {
      mark(instruction.getOperand(0));
    } else if (auto* cast_to_float = dyn_cast<BitCastInst>(&instruction)) {
      if (cast_to_float->getType()->isFPOrFPVectorTy()) mark(cast_to_float->getOperand(0));
    } else if (auto* call = dyn_cast<CallBase>(&instruction)) {
      if (!isa<IntrinsicInst>(call) || call->mayWriteToMemory()) {
        for (Value* argument : call->args()) mark(argument);
      }
    }
  }

  DenseSet<const Instruction*> propagate() {
    while (!pending_.empty()) {
      Instruction* instruction = pending_.pop_back_val();
      if (isa<LoadInst, AtomicRMWInst, AtomicCmpXchgInst, ICmpInst, FCmpInst>(instruction))
        continue;
      if (isa<CallBase>(instruction) && !isa<IntrinsicInst>(instruction)) continue;
      for (Value* operand : instruction->operands()) {
        if (isa<SelectInst>(instruction) && operand == instruction->getOperand(0)) continue;
        mark(operand);
      }
    }
    return std::move(seen_);
  }

 private:
  DenseSet<const Instruction*> seen_;
  SmallVector<Instruction*, 64> pending_;
};

/// The phi and the constant of an addition of one to the other.
std::pair<const PHINode*, const Value*> phi_and_constant(const Instruction& instruction) {
  if (instruction.getOpcode() != Instruction::Add && instruction.getOpcode() != Instruction::Sub &&
      instruction.getOpcode() != Instruction::Or) {
    return {nullptr, nullptr};
  }
  const Value* first = instruction.getOperand(0);
  const Value* second = instruction.getOperand(1);
  if (isa<Constant>(first)) std::swap(first, second);
  if (!isa<Constant>(second)) return {nullptr, nullptr};
  return {dyn_cast<PHINode>(first), second};
}

bool is_induction(const PHINode& phi) {
  return any_of(phi.incoming_values(), [&](const Value* incoming) {
    const auto* step = dyn_cast<Instruction>(incoming);
    return step && phi_and_constant(*step).first == &phi;
  });
}

/// A loop counter plus a constant: its step, or the counter of another lane or unrolled iteration.
bool is_induction_step(const Instruction& instruction) {
  const PHINode* phi = phi_and_constant(instruction).first;
  return phi && is_induction(*phi);
}

}  // namespace

DenseSet<const Instruction*> find_data_operations(Function& function) {
  DataMarker marker;
  for (Instruction& instruction : instructions(function)) marker.mark_sinks(instruction);
  const DenseSet<const Instruction*> reached = marker.propagate();
  DenseSet<const Instruction*> data;
  for (const Instruction* instruction : reached) {
    if (is_integer_arithmetic(*instruction) ? !is_induction_step(*instruction)
                                            : isa<IntrinsicInst>(instruction)) {
      data.insert(instruction);
    }
  }
  return data;
}

}  // namespace ridge::pass
