#include "instrument/llvm_pass/plan/early_trip_counts.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "instrument/llvm_pass/cost/generic/own.hpp"
#include "instrument/llvm_pass/plan/regions.hpp"
#include "instrument/llvm_pass/plan/vectoriser_remarks.hpp"

namespace ridge::pass {

using namespace llvm;

namespace {

/// Loops of so few iterations are unrolled away; nothing would be left to carry the count.
constexpr uint64_t kSmallTripCount = 8;

FunctionCallee iterations_function(Module& module) {
  LLVMContext& context = module.getContext();
  Type* i64 = Type::getInt64Ty(context);
  FunctionCallee callee =
      module.getOrInsertFunction(kIterationsFunction, Type::getVoidTy(context), i64, i64);
  auto* function = cast<Function>(callee.getCallee());
  // Invisible to alias analysis, yet neither deleted nor moved out of its loop.
  function->setDoesNotThrow();
  function->addFnAttr(Attribute::WillReturn);
  function->addFnAttr(Attribute::NoCallback);
  function->addFnAttr(Attribute::NoSync);
  function->addFnAttr(Attribute::NoFree);
  function->setOnlyAccessesInaccessibleMemory();
  return callee;
}

/// Executions of the body: the test of a while-form loop runs once more than its body.
const SCEV* source_iterations(const Loop& loop, ScalarEvolution& evolution) {
  const SCEV* taken = evolution.getBackedgeTakenCount(&loop);
  if (isa<SCEVCouldNotCompute>(taken)) return nullptr;
  Type* i64 = Type::getInt64Ty(evolution.getContext());
  if (evolution.getTypeSizeInBits(taken->getType()) > 64) return nullptr;
  const SCEV* count = evolution.getNoopOrZeroExtend(taken, i64);
  const bool while_form =
      loop.getExitingBlock() == loop.getHeader() && loop.getLoopLatch() != loop.getHeader();
  return while_form ? count : evolution.getAddExpr(count, evolution.getOne(i64));
}

bool insert_count(Loop& loop, DominatorTree& dominators, LoopInfo& loops,
                  ScalarEvolution& evolution, SCEVExpander& expander) {
  const DebugLoc start = start_of(loop);
  if (!start || start.getLine() == 0) return false;
  const SCEV* count = source_iterations(loop, evolution);
  if (!count) return false;
  const auto* constant = dyn_cast<SCEVConstant>(count);
  if (constant && constant->getAPInt().ule(kSmallTripCount)) return false;
  BasicBlock* preheader = loop.getLoopPreheader();
  if (!preheader) preheader = InsertPreheaderForLoop(&loop, &dominators, &loops, nullptr, false);
  if (!preheader) return false;
  Instruction* position = preheader->getTerminator();
  if (!expander.isSafeToExpandAt(count, position)) return false;
  IRBuilder<> builder(position);
  Value* value = expander.expandCodeFor(count, builder.getInt64Ty(), position);
  builder.SetCurrentDebugLocation(start);
  builder.CreateCall(iterations_function(*preheader->getModule()),
                     {value, builder.getInt64(nesting_at_same_location(loop))});
  return true;
}

}  // namespace

PreservedAnalyses EarlyTripCounts::run(Function& function, FunctionAnalysisManager& analyses) {
  session->context = &function.getContext();
  LoopInfo& loops = analyses.getResult<LoopAnalysis>(function);
  if (loops.empty() || !function.getSubprogram()) return PreservedAnalyses::all();
  auto& dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  auto& evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  SCEVExpander expander(evolution, function.getParent()->getDataLayout(), "ridge");
  bool changed = false;
  for (Loop* loop : loops.getLoopsInPreorder()) {
    changed |= insert_count(*loop, dominators, loops, evolution, expander);
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace ridge::pass
