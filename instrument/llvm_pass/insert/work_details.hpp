// How known work is done: patterns of accesses, lanes under masks, chains of operations that wait
// for each other. Only terms on counters that exist for the work itself: they cost nothing at run
// time.
#pragma once

#include <optional>

#include <llvm/ADT/SmallVector.h>

#include "instrument/llvm_pass/cost/generic/access_pattern.hpp"
#include "instrument/llvm_pass/cost/generic/cost.hpp"
#include "instrument/llvm_pass/cost/generic/dependent_chain.hpp"
#include "instrument/llvm_pass/insert/counters.hpp"

namespace ridge::pass {

class WorkDetails {
 public:
  WorkDetails(llvm::Function& function, const Analyses& analyses);

  using Terms = llvm::SmallVector<FixedCost, 3>;
  /// What to add beside a part of the cost of `instruction`, to the same counter.
  [[nodiscard]] Terms of(const llvm::Instruction& instruction, const FixedCost& part) const;
  [[nodiscard]] Terms of(const llvm::Instruction& instruction, const DynamicCost& part) const;
  /// Bytes that `instruction` loads and stores at fixed places of the function's own frame; at most
  /// two terms.
  [[nodiscard]] static Terms frame_bytes(llvm::Instruction& instruction);
  /// For an operation with a mask: what to add to the counter of its block.
  [[nodiscard]] static std::optional<FixedCost> all_lanes(const DynamicCost& part);

 private:
  void add_pattern(const llvm::Instruction& instruction, const Term& term, uint64_t amount,
                   Terms& result) const;
  void add_chain(const llvm::Instruction& instruction, const Term& term, Terms& result) const;

  AccessPatterns patterns_;
  DependentChains chains_;
};

}  // namespace ridge::pass
