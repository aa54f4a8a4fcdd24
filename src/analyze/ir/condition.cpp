#include "analyze/ir/condition.hpp"

#include <algorithm>
#include <set>

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Instructions.h>

namespace ridge::analyze {
namespace {

constexpr int kMostGuards = 16;

/// The numbers, other than constants, that a comparison is made of: values and counters of loops.
std::set<const llvm::Value*> compared_in(llvm::Value& condition, llvm::ScalarEvolution& evolution) {
  struct Leaves {
    std::set<const llvm::Value*> found;
    bool follow(const llvm::SCEV* part) {
      if (const auto* leaf = llvm::dyn_cast<llvm::SCEVUnknown>(part)) {
        found.insert(leaf->getValue());
      } else if (const auto* counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(part)) {
        found.insert(counter->getLoop()->getHeader());
      }
      return true;
    }
    static bool isDone() { return false; }
  } leaves;
  if (auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&condition)) {
    for (llvm::Value* operand : comparison->operands()) {
      llvm::visitAll(evolution.getSCEV(operand), leaves);
    }
  }
  return leaves.found;
}

/// Whether a branch before a loop asks for nothing but what ends the loop.
bool asks_for_the_end(const llvm::BranchInst& guard, const llvm::BranchInst& exit,
                      llvm::ScalarEvolution& evolution) {
  const auto asked = compared_in(*guard.getCondition(), evolution);
  const auto ends = compared_in(*exit.getCondition(), evolution);
  return !asked.empty() && std::ranges::includes(ends, asked);
}

/// The branch that asks whether the loop runs at all; nullptr: none does.
const llvm::BranchInst* guard_of(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  const llvm::BasicBlock* before = loop.getLoopPreheader();
  while (before != nullptr) {
    before = before->getSinglePredecessor();
    const auto* branch =
        before == nullptr ? nullptr : llvm::dyn_cast<llvm::BranchInst>(before->getTerminator());
    if (branch == nullptr) {
      return nullptr;
    }
    if (!branch->isConditional()) {
      continue;
    }
    llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
    loop.getExitingBlocks(exiting);
    for (const llvm::BasicBlock* block : exiting) {
      const auto* exit = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
      if (exit != nullptr && exit->isConditional() && asks_for_the_end(*branch, *exit, evolution)) {
        return branch;
      }
    }
    return nullptr;
  }
  return nullptr;
}

bool runs_with(const llvm::BasicBlock& block, const llvm::Loop& loop, const FunctionLoops& in,
               int depth) {
  const llvm::BasicBlock* latch = loop.getLoopLatch();
  if (latch == nullptr || depth > kMostGuards) {
    return false;
  }
  if (in.dominators->dominates(&block, latch)) {
    return true;
  }
  for (const llvm::Loop* inner : loop.getSubLoops()) {
    const llvm::BasicBlock* exit = inner->getExitBlock();
    const bool is_beside = &block == inner->getLoopPreheader() || &block == exit;
    const llvm::BranchInst* guard = is_beside ? guard_of(*inner, *in.evolution) : nullptr;
    if (guard != nullptr && guard->getParent() != &block) {
      return runs_with(*guard->getParent(), loop, in, depth + 1);
    }
  }
  return false;
}

}  // namespace

bool runs_always(const llvm::BasicBlock& block, const llvm::Loop& loop, const FunctionLoops& in) {
  return runs_with(block, loop, in, 0);
}

bool is_always_entered(const llvm::Loop& loop, const FunctionLoops& in) {
  const llvm::Loop* outer = loop.getParentLoop();
  const llvm::BasicBlock* before = loop.getLoopPreheader();
  return outer == nullptr || (before != nullptr && runs_always(*before, *outer, in));
}

}  // namespace ridge::analyze
