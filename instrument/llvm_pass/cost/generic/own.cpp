#include "instrument/llvm_pass/cost/generic/own.hpp"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>

namespace ridge::pass {

using namespace llvm;

void mark_own(Instruction* instruction) {
  MDNode* nothing = MDNode::get(instruction->getContext(), {});
  instruction->setMetadata(kOwnMetadata, nothing);
  // Sanitizers come later and would see races between the program's threads and what the runtime
  // keeps for them.
  instruction->setMetadata(LLVMContext::MD_nosanitize, nothing);
}

bool is_own(const Instruction& instruction) {
  return instruction.getMetadata(kOwnMetadata);
}

bool is_iterations_call(const Instruction& instruction) {
  const auto* call = dyn_cast<CallInst>(&instruction);
  return call && call->getCalledFunction() &&
         call->getCalledFunction()->getName() == kIterationsFunction;
}

DebugLoc artificial_location(const Function& function) {
  DISubprogram* scope = function.getSubprogram();
  return scope ? DebugLoc(DILocation::get(function.getContext(), 0, 0, scope)) : DebugLoc();
}

OwnBuilder::OwnBuilder(Instruction* position)
    : IRBuilder(position->getContext(), ConstantFolder(), IRBuilderCallbackInserter(mark_own)) {
  SetInsertPoint(position);
  SetCurrentDebugLocation(artificial_location(*position->getFunction()));
}

OwnBuilder::OwnBuilder(BasicBlock* end_of_block)
    : IRBuilder(end_of_block->getContext(), ConstantFolder(), IRBuilderCallbackInserter(mark_own)) {
  SetInsertPoint(end_of_block);
  SetCurrentDebugLocation(artificial_location(*end_of_block->getParent()));
}

Value* OwnBuilder::byte_address(Value* base, uint64_t offset, const Twine& name) {
  return offset == 0 ? base : CreateConstInBoundsGEP1_64(getInt8Ty(), base, offset, name);
}

}  // namespace ridge::pass
