// What instructions read and write in memory.
#pragma once

#include <vector>

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instruction.h>

namespace ridge::analyze {

struct MemoryUse {
  llvm::Value* pointer = nullptr;
  unsigned bytes = 0;
  unsigned elements = 1;  ///< more than one of vectors
  bool is_write = false;
};

/// Of loads, stores, atomic updates, and copies of structures of a known size.
[[nodiscard]] std::vector<MemoryUse> memory_uses_of(llvm::Instruction& instruction,
                                                    const llvm::DataLayout& layout);

}  // namespace ridge::analyze
