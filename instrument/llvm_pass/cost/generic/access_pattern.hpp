// How the addresses of accesses move from one iteration of their innermost loop to the next.
#pragma once

#include <cstdint>
#include <optional>

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Function.h>

#include "abi/descriptor.h"

namespace ridge::pass {

struct AccessPattern {
  ridge_access_pattern kind = RIDGE_PATTERN_UNKNOWN;
  uint32_t stride_bytes = 0;  ///< RIDGE_PATTERN_CONSTANT only; 0 = known at run time only
  bool gathers = false;       ///< done by a gather or scatter instruction
  /// Stores without gaps to an object that the loop loads nothing from: no line needs to be read.
  bool overwrites = false;
};

/// Patterns of all accesses in loops of one function. Accesses of a loop that start at constant
/// distances and move alike are looked at together: fields of a structure that are all used leave
/// no gap, and an unrolled loop has the stride of the rolled one.
class AccessPatterns {
 public:
  AccessPatterns(llvm::Function& function, const llvm::LoopInfo& loops,
                 llvm::ScalarEvolution& evolution);

  /// nullopt outside of loops.
  [[nodiscard]] std::optional<AccessPattern> find(const llvm::Instruction& instruction,
                                                  bool write) const;

 private:
  llvm::DenseMap<std::pair<const llvm::Instruction*, unsigned>, AccessPattern> patterns_;
};

}  // namespace ridge::pass
