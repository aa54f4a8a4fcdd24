#include "analyze/ir/counter_names.hpp"

#include <set>

#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/Instructions.h>

namespace ridge::analyze {
namespace {

/// The values at the head of the loop that a block names, with what names them.
void collect(llvm::BasicBlock& block, const llvm::BasicBlock& header,
             std::vector<std::pair<const llvm::Value*, llvm::DbgVariableRecord*>>& named) {
  for (llvm::Instruction& instruction : block) {
    for (llvm::DbgVariableRecord& record : llvm::filterDbgVars(instruction.getDbgRecordRange())) {
      if (!record.isDbgValue() || record.hasArgList()) {
        continue;
      }
      const auto* phi = llvm::dyn_cast_or_null<llvm::PHINode>(record.getVariableLocationOp(0));
      if (phi != nullptr && phi->getParent() == &header) {
        named.emplace_back(phi, &record);
      }
    }
  }
}

}  // namespace

void name_counters_at_heads(llvm::LoopInfo& loops) {
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
    llvm::BasicBlock& header = *loop->getHeader();
    std::vector<std::pair<const llvm::Value*, llvm::DbgVariableRecord*>> named;
    collect(header, header, named);
    std::set<const llvm::Value*> has_name;
    for (const auto& [value, record] : named) {
      has_name.insert(value);
    }
    named.clear();
    for (llvm::BasicBlock* block : loop->blocks()) {
      if (block != &header && loops.getLoopFor(block) == loop) {
        collect(*block, header, named);
      }
    }
    for (const auto& [value, record] : named) {
      if (has_name.insert(value).second) {
        header.insertDbgRecordBefore(record->clone(), header.getFirstNonPHIIt());
      }
    }
  }
}

}  // namespace ridge::analyze
