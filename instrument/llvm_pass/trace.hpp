// Traffic mode: every access of a function goes to the thread's trace buffer.
#pragma once

#include <llvm/ADT/DenseMap.h>

#include "entry.hpp"
#include "memory_access.hpp"
#include "regions.hpp"

namespace ridge::pass {

/// Values of a function that tracing needs; of a clone: already mapped.
struct TraceValues {
  llvm::Value* thread;
  llvm::Value* region_base;
};

/// Region of each block that holds code of the program.
using BlockRegions = std::vector<std::pair<llvm::BasicBlock*, uint32_t>>;

/// Writes the accesses of `blocks` into the trace buffer.
void trace_inline(const BlockRegions& blocks, const TraceValues& values,
                  const RuntimeSymbols& runtime);

/// For a function that cannot be cloned: asks at each access whether the thread is being traced.
void trace_checked(const BlockRegions& blocks, const TraceValues& values,
                   const RuntimeSymbols& runtime);

}  // namespace ridge::pass
