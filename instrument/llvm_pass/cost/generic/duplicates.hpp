// Floating-point operations that stand twice in a block. The vectoriser leaves such pairs behind;
// the backend computes them once.
#pragma once

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Function.h>

namespace ridge::pass {

struct Duplicates {
  /// Every occurrence but the first.
  llvm::DenseSet<const llvm::Instruction*> repeated;
  /// First occurrences: their result has more users than the IR shows.
  llvm::DenseSet<const llvm::Instruction*> shared;
};

[[nodiscard]] Duplicates find_duplicates(llvm::Function& function);

}  // namespace ridge::pass
