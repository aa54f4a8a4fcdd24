#include "instrument/llvm_pass/plan/loop_locations.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

namespace ridge::pass {

using namespace llvm;

namespace {

bool is_fortran(const Module& module) {
  return any_of(module.debug_compile_units(), [](const DICompileUnit* unit) {
    return dwarf::isFortran(static_cast<dwarf::SourceLanguage>(unit->getSourceLanguage()));
  });
}

bool is_known(const DebugLoc& location) {
  return location && location.getLine() != 0;
}

/// That of its branches, else of its first instruction that has one: the control of loops of OpenMP
/// has none.
DebugLoc first_location(const Loop& loop) {
  if (const DebugLoc start = loop.getStartLoc(); is_known(start)) return start;
  for (const BasicBlock* block : loop.blocks()) {
    for (const Instruction& instruction : *block) {
      if (is_known(instruction.getDebugLoc())) return instruction.getDebugLoc();
    }
  }
  return {};
}

void keep_start(Loop& loop) {
  const DebugLoc start = first_location(loop);
  if (loop.getLoopID() != nullptr || !start) return;
  MDNode* id = MDNode::getDistinct(loop.getHeader()->getContext(), {nullptr, start.getAsMDNode()});
  id->replaceOperandWith(0, id);
  loop.setLoopID(id);
}

bool has_locations(const Function& function) {
  return any_of(instructions(function),
                [](const Instruction& instruction) { return is_known(instruction.getDebugLoc()); });
}

}  // namespace

PreservedAnalyses LoopLocations::run(Function& function, FunctionAnalysisManager& analyses) {
  if (!is_fortran(*function.getParent())) return PreservedAnalyses::all();
  if (!has_locations(function)) {
    function.setSubprogram(nullptr);
    return PreservedAnalyses::all();
  }
  for (Loop* loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder()) {
    keep_start(*loop);
  }
  return PreservedAnalyses::all();
}

}  // namespace ridge::pass
