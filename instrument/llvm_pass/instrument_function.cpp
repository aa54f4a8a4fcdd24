#include "instrument/llvm_pass/instrument_function.hpp"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/GlobalIFunc.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include "instrument/llvm_pass/insert/counting.hpp"
#include "instrument/llvm_pass/insert/region_register.hpp"
#include "instrument/llvm_pass/trace/traffic_version.hpp"

namespace ridge::pass {

using namespace llvm;

namespace {

bool resolves_ifunc(const Function& function) {
  return any_of(function.getParent()->ifuncs(),
                [&](const GlobalIFunc& ifunc) { return ifunc.getResolverFunction() == &function; });
}

/// Windows funclets have no place for the stores.
bool has_funclets(const Function& function) {
  return any_of(function,
                [](const BasicBlock& block) { return block.isEHPad() && !block.isLandingPad(); });
}

bool has_swift_error(const Function& function) {
  return any_of(function.args(),
                [](const Argument& argument) { return argument.hasSwiftErrorAttr(); });
}

/// A frame is worth its cost when the function works or calls; an empty one pushes nothing.
bool does_anything(Function& function, StringTable& strings) {
  CostModel model(function, strings);
  return any_of(instructions(function), [&](Instruction& instruction) {
    if (isa<CallBase>(instruction) && !isa<IntrinsicInst>(instruction)) return true;
    return !model.cost(instruction).empty();
  });
}

/// Instrumented code writes to memory that the program does not know of.
void drop_memory_promises(Function& function) {
  function.removeFnAttr(Attribute::Memory);
  function.removeFnAttr(Attribute::Speculatable);
  function.removeFnAttr(Attribute::NoSync);
  for (User* user : function.users()) {
    auto* call = dyn_cast<CallBase>(user);
    if (!call || call->getCalledOperand() != &function) continue;
    call->removeFnAttr(Attribute::Memory);
    call->removeFnAttr(Attribute::NoSync);
  }
}

void canonicalise(Function& function, FunctionAnalysisManager& analyses) {
  FunctionEntry::split_entry_block(function);
  split_call_edges(function);
  analyses.invalidate(function, PreservedAnalyses::none());
  auto& dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  auto& loops = analyses.getResult<LoopAnalysis>(function);
  auto& assumptions = analyses.getResult<AssumptionAnalysis>(function);
  bool changed = false;
  for (Loop* loop : loops) {
    changed |= simplifyLoop(loop, &dominators, &loops, nullptr, &assumptions, nullptr, false);
  }
  if (changed) analyses.invalidate(function, PreservedAnalyses::none());
}

}  // namespace

bool can_instrument(const Function& function) {
  return !function.isDeclaration() && !function.hasAvailableExternallyLinkage() &&
         !function.hasFnAttribute(Attribute::Naked) && !function.isPresplitCoroutine() &&
         !function.getName().starts_with("ridge_") && !function.getName().starts_with("ridge.") &&
         !belongs_to_markers(function.getName()) && !resolves_ifunc(function) &&
         !has_funclets(function) && !has_swift_error(function);
}

bool instrument_function(Function& function, ModuleContext& context) {
  if (!does_anything(function, context.strings)) {
    remove_iteration_calls(function);
    return false;
  }
  FunctionAnalysisManager& manager = context.analyses;
  const uint64_t id = probe_id(function);
  canonicalise(function, manager);
  Analyses analyses{manager.getResult<DominatorTreeAnalysis>(function),
                    manager.getResult<PostDominatorTreeAnalysis>(function),
                    manager.getResult<LoopAnalysis>(function),
                    manager.getResult<ScalarEvolutionAnalysis>(function),
                    manager.getResult<TargetIRAnalysis>(function)};
  FunctionRegions regions(function, analyses.loops, context.regions,
                          context.bodies.parent_of(function));
  context.bodies.place(function, regions);
  regions.add_remarks(context.remarks);
  drop_unused_iteration_calls(function, regions);
  const TraceRegions accesses = regions_of_accesses(function, regions);
  const std::vector<TripCount> trips = trip_counts(function, regions);
  FunctionCounting counting(function, analyses, regions, context.counters, context.probes,
                            context.strings);
  const RegionRegister region_register(function, analyses, regions, context.regions);

  FunctionEntry entry(function, context.runtime);
  counting.insert(entry);
  region_register.insert(entry);
  BasicBlock* uncounted = entry.build(regions.function_region());
  drop_memory_promises(function);
  add_traffic_version(function, accesses, trips, {entry.thread(), entry.region_base()},
                      context.runtime, uncounted);
  remove_iteration_calls(function);
  counting.insert_probes(id);
  add_code_record(function, id);
  manager.invalidate(function, PreservedAnalyses::none());
  return true;
}

}  // namespace ridge::pass
