#include "analyze/ir/unchanged.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>

namespace ridge::analyze {
namespace {

constexpr std::size_t kMostStores = 1000;  // each is compared with each load
constexpr int kMostParts = 16;             // of the reckoning of an address

bool is_number(const llvm::Type& type) {
  return type.isFloatingPointTy();
}

/// Functions of numbers only, as those of the mathematical library: they may set errno.
bool leaves_memory_alone(const llvm::CallBase& call) {
  return !call.mayWriteToMemory() || llvm::isa<llvm::DbgInfoIntrinsic>(call) ||
         call.isLifetimeStartOrEnd() ||
         (is_number(*call.getType()) && call.getCalledFunction() != nullptr &&
          call.getCalledFunction()->isDeclaration() &&
          std::ranges::all_of(call.args(),
                              [](const llvm::Use& each) { return is_number(*each->getType()); }));
}

struct Stores {
  std::vector<const llvm::StoreInst*> stores;
  std::set<const llvm::Value*> objects;
  bool may_be_anywhere = false;
};

Stores stores_of(const llvm::Loop& loop) {
  Stores found;
  for (const llvm::BasicBlock* block : loop.blocks()) {
    for (const llvm::Instruction& instruction : *block) {
      if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
        found.stores.push_back(store);
        found.objects.insert(llvm::getUnderlyingObject(store->getPointerOperand()));
        continue;
      }
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      found.may_be_anywhere =
          found.may_be_anywhere ||
          (instruction.mayWriteToMemory() && (call == nullptr || !leaves_memory_alone(*call)));
    }
  }
  return found;
}

/// Whether the value is the same in all iterations, given what is marked already.
bool is_fixed(const llvm::Value& value, const llvm::Loop& loop, int depth = 0) {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (loop.isLoopInvariant(&value)) {
    return true;
  }
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction);
  const bool is_marked = load != nullptr && load->hasMetadata(llvm::LLVMContext::MD_invariant_load);
  return depth < kMostParts &&
         (is_marked || llvm::isa<llvm::GetElementPtrInst, llvm::CastInst>(instruction)) &&
         std::ranges::all_of(
             instruction->operands(),
             [&](const llvm::Use& operand) { return is_fixed(*operand, loop, depth + 1); });
}

/// Whether the compiler could not know it, but nothing speaks against it.
bool is_likely_unchanged(const llvm::LoadInst& load, const llvm::Loop& loop, const Stores& stored,
                         llvm::AAResults& aliases) {
  const llvm::Value* pointer = load.getPointerOperand();
  const bool is_number_or_pointer = load.getType()->isIntegerTy() || load.getType()->isPointerTy();
  if (!load.isSimple() || !is_number_or_pointer || !is_fixed(*pointer, loop) ||
      stored.objects.contains(llvm::getUnderlyingObject(pointer))) {
    return false;
  }
  return std::ranges::any_of(stored.stores, [&](const llvm::StoreInst* store) {
    return !aliases.isNoAlias(llvm::MemoryLocation::get(store), llvm::MemoryLocation::get(&load));
  });
}

void mark_in(const llvm::Loop& loop, llvm::AAResults& aliases) {
  const Stores stored = stores_of(loop);
  if (stored.stores.empty() || stored.stores.size() > kMostStores || stored.may_be_anywhere) {
    return;
  }
  for (llvm::BasicBlock* block : loop.blocks()) {
    for (llvm::Instruction& instruction : *block) {
      auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      if (load != nullptr && is_likely_unchanged(*load, loop, stored, aliases)) {
        load->setMetadata(llvm::LLVMContext::MD_invariant_load,
                          llvm::MDNode::get(load->getContext(), {}));
      }
    }
  }
}

}  // namespace

void mark_unchanged(llvm::LoopInfo& loops, llvm::AAResults& aliases) {
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
    mark_in(*loop, aliases);
  }
}

}  // namespace ridge::analyze
