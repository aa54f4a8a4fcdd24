// Where loops of Fortran begin in the source, kept for later: flang says it of branches alone,
// which the vectoriser replaces by ones that say nothing.
#pragma once

#include <llvm/IR/PassManager.h>

namespace ridge::pass {

/// Gives each loop of a Fortran program that has no metadata of its own what clang gives all of its
/// loops: the location where it begins. It has no influence on what is made of the loop. Functions
/// that flang makes for intrinsics have no locations: what is inlined of them gets that of the
/// call.
struct LoopLocations : llvm::PassInfoMixin<LoopLocations> {
  static llvm::PreservedAnalyses run(llvm::Function& function,
                                     llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

}  // namespace ridge::pass
