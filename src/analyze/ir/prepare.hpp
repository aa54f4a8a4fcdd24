// Makes a program readable: loops countable, names and numbers in registers, nothing turned into
// something else than stands in the source.
#pragma once

#include <functional>

#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>

namespace ridge::analyze {

/// The analyses of one program, in the order in which they may be destroyed.
struct Analyses {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;

  explicit Analyses(llvm::PassBuilder& builder);
};

/// Nothing in it unrolls, vectorises, splits, merges or moves loops into calls of memcpy. Functions
/// for which `stays` is true are not inlined into others.
void prepare(llvm::Module& program, llvm::PassBuilder& builder, Analyses& analyses,
             const std::function<bool(const llvm::Function&)>& stays);

}  // namespace ridge::analyze
