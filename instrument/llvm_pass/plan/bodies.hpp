// Outlined bodies of OpenMP regions and tasks, and the calls that start them.
#pragma once

#include <cstdint>
#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/InstrTypes.h>

#include "instrument/llvm_pass/plan/regions.hpp"

namespace ridge::pass {

/// Which region starts a body: that of its calls, or the function around where they stand in
/// several regions. A body that several functions start (its own was inlined into several) has
/// none.
class OutlinedBodies {
 public:
  explicit OutlinedBodies(llvm::ArrayRef<llvm::Function*> functions);

  /// The same functions, each behind the one that starts it: regions of a descriptor stand behind
  /// their parents.
  [[nodiscard]] std::vector<llvm::Function*> behind_their_starters(
      llvm::ArrayRef<llvm::Function*> functions) const;

  /// Takes down which regions of `function` start bodies. Before anything is inserted into it.
  void place(const llvm::Function& function, const FunctionRegions& regions);

  /// The region that starts `body`, placed before; RIDGE_NO_PARENT where none does.
  [[nodiscard]] uint32_t parent_of(const llvm::Function& body) const;

 private:
  llvm::DenseMap<const llvm::Function*, std::vector<const llvm::CallBase*>> starts_;  ///< by body
  llvm::DenseMap<const llvm::Function*, std::vector<llvm::Function*>> bodies_;  ///< by starter
  llvm::DenseMap<const llvm::Function*, uint32_t> parents_;                     ///< by body
};

}  // namespace ridge::pass
