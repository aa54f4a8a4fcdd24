// The longest chain of operations in which each waits for the one before, from one iteration of a
// loop to the next.
#pragma once

#include <cstdint>

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>

namespace ridge::pass {

/// An instruction of such a chain.
struct ChainLink {
  bool reduction = false;  ///< all of the chain adds, or all multiplies: the order may be changed
  bool load = false;       ///< loads from an address that the chain computes
  bool as_addend = false;  ///< enters a multiply-add as the addend: the multiply does not wait
};

/// Chains through the innermost loops of one function: for each loop the longest through a
/// floating-point value, and the longest through addresses that are loaded. At each execution no
/// more instructions of it run than there are in the true chain: a path that control may leave
/// without the value (a reset of the sum) is no chain.
class DependentChains {
 public:
  explicit DependentChains(const llvm::LoopInfo& loops);

  /// nullptr: not part of a chain.
  [[nodiscard]] const ChainLink* find(const llvm::Instruction& instruction) const;

 private:
  llvm::DenseMap<const llvm::Instruction*, ChainLink> links_;
};

}  // namespace ridge::pass
