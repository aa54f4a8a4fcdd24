// One loop nest of a function in LLVM's intermediate language.
#pragma once

#include <vector>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>

#include "core/value/loop_nest.hpp"

namespace ridge::analyze {

struct FunctionLoops {
  llvm::Function* function = nullptr;
  llvm::LoopInfo* loops = nullptr;
  llvm::ScalarEvolution* evolution = nullptr;
  llvm::DominatorTree* dominators = nullptr;
};

/// The nest whose innermost loop is `innermost`.
[[nodiscard]] LoopNest nest_of(const FunctionLoops& in, const llvm::Loop& innermost);

}  // namespace ridge::analyze
