#include "instrument/llvm_pass/insert/counters.hpp"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>

namespace ridge::pass {

using namespace llvm;

namespace {

/// Instructions that a lifted count may cost in a preheader that itself lies in a loop.
constexpr unsigned kExpansionBudget = 6;
/// Blocks; in larger loops registers run out anyway, and finding the values takes time.
constexpr unsigned kLargeLoop = 128;

}  // namespace

DenseSet<const Loop*> loops_with_barriers(Function& function, const LoopInfo& loops) {
  DenseSet<const Loop*> result;
  for (const BasicBlock& block : function) {
    const Loop* loop = loops.getLoopFor(&block);
    if (!loop || result.contains(loop) || none_of(block, may_not_return)) continue;
    for (; loop && result.insert(loop).second; loop = loop->getParentLoop()) {
    }
  }
  return result;
}

CounterPlacement::CounterPlacement(Function& function, Analyses& analyses, FunctionEntry& entry,
                                   CounterTable& table, bool irreducible)
    : function_(function),
      analyses_(analyses),
      entry_(entry),
      table_(table),
      expander_(analyses.evolution, function.getParent()->getDataLayout(), "ridge"),
      barriers_(loops_with_barriers(function, analyses.loops)),
      irreducible_(irreducible) {}

/// Control that enters `loop` leaves it through one of its exits, all of which are its own.
bool CounterPlacement::is_contained(const Loop& loop) const {
  return !barriers_.contains(&loop) && loop.getLoopPreheader() && loop.hasDedicatedExits() &&
         !loop.hasNoExitBlocks();
}

/// How often `block`, which lies directly in `loop`, runs each time the loop is entered; null when
/// that is not certain.
const SCEV* CounterPlacement::executions(const Loop& loop, const BasicBlock* block) {
  ScalarEvolution& evolution = analyses_.evolution;
  const DominatorTree& dominators = analyses_.dominators;
  const BasicBlock* latch = loop.getLoopLatch();
  if (!latch) return nullptr;
  const SCEV* taken = evolution.getBackedgeTakenCount(&loop);
  if (isa<SCEVCouldNotCompute>(taken) || evolution.getTypeSizeInBits(taken->getType()) > 64) {
    return nullptr;
  }
  Type* i64 = Type::getInt64Ty(function_.getContext());
  taken = evolution.getNoopOrZeroExtend(taken, i64);
  SmallVector<BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  const auto comes_first = [&](const BasicBlock* exit) {
    return dominators.dominates(block, exit);
  };
  if (all_of(exiting, comes_first)) return evolution.getAddExpr(taken, evolution.getOne(i64));
  // Behind the only exit and on every way back: once for each time the loop goes on.
  if (exiting.size() == 1 && dominators.properlyDominates(exiting[0], block) &&
      dominators.dominates(block, latch)) {
    return taken;
  }
  return nullptr;
}

CounterPlacement::Lifted CounterPlacement::lift(BasicBlock* block, const SCEV* amount) {
  Lifted result{block, amount, false};
  if (!amount || irreducible_) return result;
  while (Loop* loop = analyses_.loops.getLoopFor(result.block)) {
    if (!is_contained(*loop) || !analyses_.evolution.isLoopInvariant(result.amount, loop)) break;
    const SCEV* count = executions(*loop, result.block);
    if (!count) break;
    const SCEV* total = analyses_.evolution.getMulExpr(result.amount, count);
    BasicBlock* preheader = loop->getLoopPreheader();
    Instruction* position = preheader->getTerminator();
    if (!expander_.isSafeToExpandAt(total, position)) break;
    Loop* outer = loop->getParentLoop();
    if (outer && expander_.isHighCostExpansion(total, outer, kExpansionBudget, &analyses_.target,
                                               position)) {
      break;
    }
    result = {preheader, total, true};
  }
  return result;
}

void CounterPlacement::mark_deferred(ArrayRef<uint32_t> counters) {
  for (uint32_t counter : counters) table_[counter].deferred = true;
}

void CounterPlacement::place(ArrayRef<uint32_t> counters, BasicBlock* block, Instruction* position,
                             const SCEV* amount, function_ref<Value*(OwnBuilder&)> materialize) {
  const Lifted lifted = lift(block, amount);
  if (!lifted.moved) {
    OwnBuilder builder(position);
    return accumulate(counters, position, materialize(builder));
  }
  Instruction* end = lifted.block->getTerminator();
  Type* i64 = Type::getInt64Ty(function_.getContext());
  mark_deferred(counters);
  accumulate(counters, end, expander_.expandCodeFor(lifted.amount, i64, end));
}

/// The outermost loop around `block` inside which the counter can stay in a register.
Loop* CounterPlacement::home_of(const BasicBlock* block) const {
  Loop* home = nullptr;
  for (Loop* loop = analyses_.loops.getLoopFor(block);
       loop && is_contained(*loop) && (!home || loop->getNumBlocks() <= kLargeLoop);
       loop = loop->getParentLoop()) {
    home = loop;
  }
  return home;
}

void CounterPlacement::accumulate(ArrayRef<uint32_t> counters, Instruction* position,
                                  Value* value) {
  Loop* home = home_of(position->getParent());
  if (!home) return add_in_memory(counters, position, value);
  mark_deferred(counters);
  OwnBuilder here(position);
  Constant* zero = here.getInt64(0);
  auto* sum = BinaryOperator::CreateAdd(zero, value, "ridge.counter", position->getIterator());
  SSAUpdater updater;
  updater.Initialize(sum->getType(), "ridge.counter");
  updater.AddAvailableValue(home->getLoopPreheader(), zero);
  updater.AddAvailableValue(position->getParent(), sum);
  sum->setOperand(0, updater.GetValueInMiddleOfBlock(position->getParent()));
  SmallVector<BasicBlock*, 4> exits;
  home->getUniqueExitBlocks(exits);
  for (BasicBlock* exit : exits) {
    Value* kept = updater.GetValueInMiddleOfBlock(exit);
    add_in_memory(counters, &*exit->getFirstInsertionPt(), kept);
  }
}

namespace {

/// A signal between two instructions of an addition would lose what its handler counts. Where the
/// back end does not optimise, it makes three of load, add and store.
void add_in_one_instruction(OwnBuilder& builder, Value* address, Value* value) {
  Type* i64 = builder.getInt64Ty();
  InlineAsm* add = InlineAsm::get(
      FunctionType::get(builder.getVoidTy(), {address->getType(), i64, address->getType()}, false),
      "addq $1, $0", "=*m,er,*m,~{dirflag},~{fpsr},~{flags}", false);
  CallInst* call = builder.CreateCall(add, {address, value, address});
  for (const unsigned operand : {0U, 2U}) {
    call->addParamAttr(operand, Attribute::get(builder.getContext(), Attribute::ElementType, i64));
  }
}

/// Where it does, it makes one instruction of them unless it can mix the addition with those that
/// `value` is the sum of.
Value* as_one_operand(OwnBuilder& builder, const BasicBlock* block, Value* value) {
  const auto* made = dyn_cast<Instruction>(value);
  if (!made || made->getParent() != block || isa<PHINode>(made)) return value;
  Type* type = value->getType();
  InlineAsm* same = InlineAsm::get(FunctionType::get(type, {type}, false), "", "=r,0", false);
  return builder.CreateCall(same, {value});
}

}  // namespace

void CounterPlacement::add_in_memory(ArrayRef<uint32_t> counters, Instruction* position,
                                     Value* value) {
  OwnBuilder builder(position);
  const bool optimised = !function_.hasOptNone();
  if (optimised) value = as_one_operand(builder, position->getParent(), value);
  for (uint32_t counter : counters) {
    Value* address = builder.byte_address(entry_.counters(), uint64_t{counter} * sizeof(uint64_t));
    if (optimised) {
      Value* old = builder.CreateLoad(builder.getInt64Ty(), address);
      builder.CreateStore(builder.CreateAdd(old, value), address);
    } else {
      add_in_one_instruction(builder, address, value);
    }
  }
}

}  // namespace ridge::pass
